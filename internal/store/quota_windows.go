// What a full disk looks like on Windows.

package store

import (
	"errors"
	"syscall"
)

// ERROR_DISK_FULL and ERROR_HANDLE_DISK_FULL of the Windows API.
const (
	errorHandleDiskFull = syscall.Errno(39)
	errorDiskFull       = syscall.Errno(112)
)

func isQuota(err error) bool {
	return errors.Is(err, errorDiskFull) || errors.Is(err, errorHandleDiskFull)
}
