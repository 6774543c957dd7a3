//go:build unix

package folder

import (
	"io/fs"
	"syscall"
)

// fileID identifies a file whatever its name.
func fileID(info fs.FileInfo) (inode, dev uint64) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino), uint64(st.Dev)
	}
	return 0, 0
}
