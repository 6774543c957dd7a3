//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// ignoreSignals turns a limit on file sizes (ulimit -f) from a signal that ends
// the process into an error of the write, which says what to do.
func ignoreSignals() { signal.Ignore(syscall.SIGXFSZ) }
