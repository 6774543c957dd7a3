package store

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// Mapped is how many bytes of mapped files this process holds in memory; ok is
// false where the system does not tell.
func Mapped() (n int64, ok bool) {
	text, err := os.ReadFile("/proc/self/statm")
	fields := bytes.Fields(text)
	if err != nil || len(fields) < 3 { // size, resident, shared, ...
		return 0, false
	}
	pages, err := strconv.ParseInt(string(fields[2]), 10, 64)
	return pages * int64(os.Getpagesize()), err == nil
}

// Unload gives the memory back that the mapped segment takes. What is asked for
// next comes from the system's file cache again.
func (s *Segment) Unload() { _ = syscall.Madvise(s.mapped, syscall.MADV_DONTNEED) }
