package folder

import (
	"fmt"
	"runtime"
)

const (
	// DefaultMaxFiles is the cap of a walk. The largest public documentation
	// trees hold some 15,000 files; ten times that is a mistaken root.
	DefaultMaxFiles = 100_000
	// DefaultMaxFileBytes is the largest document: far above any written by
	// hand, small enough that a data dump cannot fill the memory.
	DefaultMaxFileBytes = 10 << 20
	// maxIgnoreBytes is how much of a .gitignore file is read.
	maxIgnoreBytes = 1 << 20
	// maxWalkers is the number of folders read at once; beyond it disks and
	// network shares give nothing more.
	maxWalkers = 16
)

// walkers is how many folders are read at once: more than there are
// processors, since a walker mostly waits for the system.
func walkers() int { return min(2*runtime.GOMAXPROCS(0), maxWalkers) }

func tooLarge(size, limit int64) string {
	return fmt.Sprintf("larger than %d bytes (%d bytes)", limit, size)
}
