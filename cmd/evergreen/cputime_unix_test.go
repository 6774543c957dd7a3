//go:build unix

package main

import (
	"syscall"
	"time"
)

// processTime is the time that the process has computed so far: other programs
// on the machine do not count.
func processTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
