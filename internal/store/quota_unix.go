//go:build unix

// What a full disk looks like on Unix besides ENOSPC: quotas and size limits.

package store

import (
	"errors"
	"syscall"
)

func isQuota(err error) bool {
	return errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
