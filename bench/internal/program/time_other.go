//go:build !unix

package program

import "time"

// Processor is the wall clock where the system does not tell processor time.
func Processor() time.Duration { return time.Duration(time.Now().UnixNano()) }
