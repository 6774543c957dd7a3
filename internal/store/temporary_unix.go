//go:build unix

// Whose a folder is on Unix.

package store

import (
	"io/fs"
	"os"
	"syscall"
)

// oursAlone reports whether nobody else can have put anything into a folder.
func oursAlone(info fs.FileInfo) bool {
	sys, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Geteuid() && info.Mode().Perm() == privateMode
}
