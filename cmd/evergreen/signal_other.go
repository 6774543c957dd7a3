//go:build !unix

package main

// ignoreSignals has nothing to ignore here.
func ignoreSignals() {}
