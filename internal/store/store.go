// Package store keeps the library on disk: raw texts, section rows and opaque
// index bytes in immutable segments, and a small manifest per collection that
// says which segments count. A commit replaces the manifest in one rename, so a
// crash leaves the old state or the new one. It knows neither how texts are
// split nor how they are ranked.
//
// Layout below the root:
//
//	lock                        one writer across processes
//	generation                  replaced by every commit: readers watch it
//	clients.key                 the secret by which clients are remembered
//	collections/KEY/repo.json   the collection's name and sources
//	collections/KEY/manifest.json
//	collections/KEY/N.seg       rows and index of segment N
//	collections/KEY/N.text      its texts, one behind the other
//	collections/KEY/N.state     what is known of the source's files
package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"evergreen"
)

// Library is the folder that holds all collections.
type Library struct{ root string }

// Open names a library. The folder is made by the first write; until then the
// library is empty.
func Open(root string) (*Library, error) {
	if root == "" {
		return nil, evergreen.Errorf(evergreen.Invalid, "no library folder is named").Fix("Set --library DIR or EVERGREEN_LIBRARY.")
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, evergreen.Errorf(evergreen.Invalid, "library %s: %w", root, err)
	}
	if info, err := os.Stat(abs); err == nil && !info.IsDir() {
		return nil, evergreen.Errorf(evergreen.Invalid, "library %s is a file, not a folder", abs).Fix("Name a folder with --library DIR.")
	}
	return &Library{root: abs}, nil
}

// Root returns the library's folder.
func (l *Library) Root() string { return l.root }

// Generation identifies the library's present state. It costs one file read.
func (l *Library) Generation() string {
	b, err := os.ReadFile(filepath.Join(l.root, "generation"))
	if err != nil {
		return ""
	}
	return string(b)
}

// Names returns the names of all collections, sorted: of every folder that has a
// manifest, or has lost it.
func (l *Library) Names() ([]string, error) {
	dirs, err := os.ReadDir(filepath.Join(l.root, "collections"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, readError(err)
	}
	var names []string
	for _, d := range dirs {
		dir := filepath.Join(l.root, "collections", d.Name())
		if strings.HasPrefix(d.Name(), tempPrefix) || !exists(filepath.Join(dir, manifestName)) && !exists(filepath.Join(dir, repoName)) {
			continue
		}
		names = append(names, nameOf(dir))
	}
	sort.Strings(names)
	return names, nil
}

func (l *Library) dir(name string) string {
	dir := filepath.Join(l.root, "collections", Key(name))
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	// A folder without repo.json is listed by its own name.
	if plain := filepath.Join(l.root, "collections", filepath.Base(name)); filepath.Base(name) == name && name != "" && name != "." && name != ".." {
		if _, err := os.Stat(filepath.Join(plain, manifestName)); err == nil && nameOf(plain) == name {
			return plain
		}
	}
	return dir
}

// Writer holds the library's lock.
type Writer struct {
	lib  *Library
	lock *flock.Flock
}

// Lock waits until no other process writes. The caller must Unlock.
func (l *Library) Lock(ctx context.Context) (*Writer, error) {
	if err := os.MkdirAll(filepath.Join(l.root, "collections"), 0o755); err != nil {
		return nil, writeError(err)
	}
	lock := flock.New(filepath.Join(l.root, "lock"))
	ok, err := lock.TryLockContext(ctx, lockPoll)
	if ctx.Err() != nil {
		return nil, evergreen.Errorf(evergreen.Conflict, "another process is writing the library %s", l.root).
			Fix("Wait until it has finished, or stop it.")
	}
	if err != nil {
		return nil, writeError(err)
	}
	if !ok {
		return nil, evergreen.Errorf(evergreen.Conflict, "the library %s is locked", l.root)
	}
	w := &Writer{lib: l, lock: lock}
	w.tidy()
	return w, nil
}

// tidy removes what interrupted writes have left beside the collections: files
// half written, folders of collections that never came to be or are on their
// way out.
func (w *Writer) tidy() {
	for _, name := range list(w.lib.root) {
		if strings.HasPrefix(name, tempPrefix) {
			_ = os.Remove(filepath.Join(w.lib.root, name))
		}
	}
	for _, name := range list(filepath.Join(w.lib.root, "collections")) {
		dir := filepath.Join(w.lib.root, "collections", name)
		if strings.HasPrefix(name, tempPrefix) {
			_ = os.RemoveAll(dir)
		} else if !exists(filepath.Join(dir, manifestName)) && !exists(filepath.Join(dir, repoName)) {
			removeOurs(dir)
		}
	}
}

// removeOurs removes the files of a folder that a writer makes, and the folder
// when nothing else is in it.
func removeOurs(dir string) {
	for _, name := range list(dir) {
		if ours(name) || strings.HasPrefix(name, tempPrefix) {
			_ = os.Remove(filepath.Join(dir, name))
		}
	}
	_ = os.Remove(dir) // fails when it holds what is not ours
}

// list returns the names in a folder, none when it cannot be read.
func list(dir string) []string {
	entries, _ := os.ReadDir(dir)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}

// Unlock lets others write.
func (w *Writer) Unlock() { _ = w.lock.Unlock() }

// Delete removes a collection and tells whether it was there.
func (w *Writer) Delete(name string) (bool, error) {
	dir := w.lib.dir(name)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	// One rename ends the collection; what cannot be removed now is removed by
	// the next writer. Where a folder with open files cannot be renamed, the
	// names go first: without them the collection does not exist.
	gone := filepath.Join(filepath.Dir(dir), tempPrefix+filepath.Base(dir))
	_ = os.RemoveAll(gone)
	if err := os.Rename(dir, gone); err == nil {
		_ = syncDir(filepath.Dir(dir))
		_ = os.RemoveAll(gone)
		return true, w.bump()
	}
	for _, file := range []string{repoName, manifestName} {
		if err := os.Remove(filepath.Join(dir, file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, writeError(err)
		}
	}
	_ = os.RemoveAll(dir)
	return true, w.bump()
}

// bump tells readers that something changed.
func (w *Writer) bump() error {
	old, _ := strconv.ParseUint(firstField(w.lib.Generation()), 10, 64)
	text := strconv.FormatUint(old+1, 10) + " " + strconv.FormatInt(time.Now().UnixNano(), 36)
	return writeFile(filepath.Join(w.lib.root, "generation"), []byte(text))
}

func firstField(s string) string {
	for i := range len(s) {
		if s[i] == ' ' {
			return s[:i]
		}
	}
	return s
}

// tempPrefix begins the names of what is not finished, or being removed.
const tempPrefix = ".tmp-"

// writeFile replaces a file in one step: temporary file, sync, rename.
func writeFile(name string, data []byte) error { return writeFileFor(name, data, 0o644) }

// writeFileFor is writeFile for those whom the mode lets read.
func writeFileFor(name string, data []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(name), tempPrefix+"*")
	if err != nil {
		return writeError(err)
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return writeError(err)
	}
	return syncDir(filepath.Dir(name))
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	_ = d.Sync() // not every system can sync a folder
	return nil
}

// writeError says in the caller's terms why a write failed.
func writeError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC) || isQuota(err):
		return evergreen.Errorf(evergreen.Exhausted, "no space left to write the library: %w", err).
			Fix("Free disk space, or put the library elsewhere with --library DIR. What was indexed before is unchanged.")
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS):
		return evergreen.Errorf(evergreen.Blocked, "the library cannot be written: %w", err).
			Fix("Give yourself write access to it, or name another folder with --library DIR.")
	}
	return evergreen.Errorf(evergreen.Internal, "write the library: %w", err)
}

func readError(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return evergreen.Errorf(evergreen.Blocked, "the library cannot be read: %w", err).
			Fix("Give yourself read access to it, or name another folder with --library DIR.")
	}
	return evergreen.Errorf(evergreen.Damaged, "read the library: %w", err).Fix("Run `evergreen doctor` to see what is affected.")
}

func damaged(name, what string) error {
	return evergreen.Errorf(evergreen.Damaged, "collection %q is damaged: %s", name, what).
		Fix("Index its source again: `evergreen index SOURCE --name %s`. The sources themselves are untouched.", name)
}
