//go:build !unix

package main

import "time"

var processStart = time.Now()

// processTime is the time since the process began, where nothing better is
// known.
func processTime() time.Duration { return time.Since(processStart) }
