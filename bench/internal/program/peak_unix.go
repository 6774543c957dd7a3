//go:build unix

package program

// This file asks the system how much memory a finished process held at most.

import (
	"os"
	"runtime"
	"syscall"
)

// peak is getrusage's ru_maxrss: bytes on macOS, KiB elsewhere. A child starts
// with its parent's value, so it says nothing about children smaller than us.
func peak(state *os.ProcessState) float64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return float64(usage.Maxrss) / 1e6
	}
	return float64(usage.Maxrss) * 1024 / 1e6
}
