package program

import (
	"time"

	"golang.org/x/sys/unix"
)

// CPU is the processor time that a running process has used, in user and system
// mode by all its threads. ok is false where the system does not tell.
func CPU(pid int) (used time.Duration, ok bool) {
	var t unix.Timespec
	clock := int32(^pid)<<3 | 2 // the process's clock of scheduled time: clock_getcpuclockid(3)
	if unix.ClockGettime(clock, &t) != nil {
		return 0, false
	}
	return time.Duration(t.Nano()), true
}
