//go:build unix

package program

import (
	"syscall"
	"time"
)

// Processor is the processor time that this process has used, in user and
// system mode by all its threads: on a busy machine the only clock that tells
// what a computation costs.
func Processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
