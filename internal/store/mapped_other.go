//go:build !linux

package store

// Mapped is how many bytes of mapped files this process holds in memory; ok is
// false where the system does not tell.
func Mapped() (n int64, ok bool) { return 0, false }

// Unload gives the memory back that the mapped segment takes, where Mapped tells
// how much that is.
func (s *Segment) Unload() {}
