package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"evergreen"
)

// inUse is the file in a temporary folder that its process holds locked: the
// system lets go of it when the process ends, in whatever way.
const inUse = "in-use"

// Temporary is a folder for as long as a process needs it.
type Temporary struct {
	Path string
	lock *flock.Flock
}

// NewTemporary makes a folder whose name begins with a prefix, where the system
// keeps such folders. Those of the same prefix that a process has left behind,
// since it was killed, are removed first.
func NewTemporary(prefix string) (*Temporary, error) {
	sweepTemporary(os.TempDir(), prefix)
	for range temporaryTries {
		dir, err := os.MkdirTemp("", prefix)
		if err != nil {
			return nil, evergreen.Errorf(evergreen.Exhausted, "make a temporary folder: %w", err).
				Fix("free disk space, or name another place with TMPDIR")
		}
		t := &Temporary{dir, flock.New(filepath.Join(dir, inUse))}
		locked, err := t.lock.TryLock()
		if err != nil {
			_ = os.RemoveAll(dir)
			return nil, evergreen.Errorf(evergreen.Internal, "lock a temporary folder: %w", err)
		}
		if locked && exists(t.lock.Path()) {
			return t, nil
		}
		_ = t.Remove() // somebody took it for one that was left behind
	}
	return nil, evergreen.Errorf(evergreen.Conflict, "no temporary folder stays in %s", os.TempDir()).Fix("try again")
}

// Remove removes the folder.
func (t *Temporary) Remove() error {
	_ = t.lock.Unlock() // an open file cannot be removed everywhere
	return os.RemoveAll(t.Path)
}

// sweepTemporary removes the folders that nobody holds. One that is not ours
// alone is left: what is in it could lead elsewhere.
func sweepTemporary(parent, prefix string) {
	for _, name := range list(parent) {
		dir := filepath.Join(parent, name)
		info, err := os.Lstat(dir)
		if err != nil || !strings.HasPrefix(name, prefix) || !info.IsDir() || !oursAlone(info) {
			continue
		}
		if held, err := os.Lstat(filepath.Join(dir, inUse)); err != nil || !held.Mode().IsRegular() {
			continue // of another program, or just being made
		}
		lock := flock.New(filepath.Join(dir, inUse))
		if free, err := lock.TryLock(); err != nil || !free {
			continue
		}
		_ = os.Remove(lock.Path()) // who was about to hold it sees that it is gone
		left := &Temporary{dir, lock}
		_ = left.Remove() // what cannot be removed now is tried again
	}
}

// privateMode is the mode of a temporary folder.
const privateMode fs.FileMode = 0o700
