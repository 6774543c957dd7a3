package folder

import (
	"bytes"
	"io"
	"os"
	"path/filepath"

	"evergreen"
)

// Tree reads the files that a walk found. It never leaves its root, even when a
// file was replaced by a link since.
type Tree struct {
	root  *os.Root
	dir   string
	limit int64
}

// Open opens the root of a walk's Result for reading documents of at most limit
// bytes; 0 means DefaultMaxFileBytes.
func Open(root string, limit int64) (*Tree, error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, evergreen.Errorf(evergreen.Invalid, "cannot open the folder %s: %s", root, reason(err)).Fix("check that the folder still exists and may be read")
	}
	if limit == 0 {
		limit = DefaultMaxFileBytes
	}
	return &Tree{r, root, limit}, nil
}

// Close releases the root.
func (t *Tree) Close() error { return t.root.Close() }

// Read returns the bytes of a file. Its errors name the reason alone, fit for a
// report's line: NotFound when it vanished, TooLarge when it grew over the
// limit, Invalid when it cannot be read.
func (t *Tree) Read(f File) ([]byte, error) {
	file, err := t.open(f)
	if err != nil {
		return nil, readError(err)
	}
	defer file.Close()
	var b bytes.Buffer
	b.Grow(int(min(f.Size, t.limit)) + bytes.MinRead)
	n, err := b.ReadFrom(io.LimitReader(file, t.limit+1))
	if err != nil {
		return nil, readError(err)
	}
	if n > t.limit {
		return nil, evergreen.Errorf(evergreen.TooLarge, "larger than %d bytes", t.limit)
	}
	return b.Bytes(), nil
}

// open opens the very file that the walk saw. One that was replaced since, or
// whose identity the system does not tell, is opened step by step from the
// root, which costs several times as much.
func (t *Tree) open(f File) (*os.File, error) {
	if f.Inode != 0 {
		file, err := os.Open(f.Abs)
		if err != nil {
			return nil, err
		}
		if info, err := file.Stat(); err == nil {
			if inode, dev := fileID(info); inode == f.Inode && dev == f.Dev {
				return file, nil
			}
		}
		file.Close()
	}
	rel, err := filepath.Rel(t.dir, f.Abs)
	if err != nil {
		return nil, err
	}
	return t.root.Open(rel)
}

func readError(err error) error {
	kind := evergreen.Invalid
	if os.IsNotExist(err) {
		kind = evergreen.NotFound
	}
	return evergreen.Errorf(kind, "cannot be read: %s", reason(err))
}
