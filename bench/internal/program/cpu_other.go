//go:build !linux

package program

import "time"

// CPU is the processor time that a running process has used; systems other than
// Linux tell it for one's own process only.
func CPU(int) (used time.Duration, ok bool) { return 0, false }
