package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// reader reads a folder in the simplest way: all names below it.
type reader struct {
	root string
	seen []string
	read chan []string // every look that found a change
}

func (r *reader) look(context.Context) (bool, error) {
	var names []string
	err := filepath.WalkDir(r.root, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if data, err := os.ReadFile(name); err == nil {
			rel, _ := filepath.Rel(r.root, name)
			names = append(names, filepath.ToSlash(rel)+"="+string(data))
		}
		return nil
	})
	if err != nil {
		r.seen = nil
		return false, err
	}
	if slices.Equal(names, r.seen) {
		return false, nil
	}
	r.seen = names
	r.read <- names
	return true, nil
}

// sees waits until a look found exactly the files.
func (r *reader) sees(t *testing.T, want ...string) {
	t.Helper()
	for {
		select {
		case got := <-r.read:
			if slices.Equal(got, want) {
				return
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("never saw %v", want)
		}
	}
}

func plant(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// watching begins to watch a location whose text is read from root.
func watching(t *testing.T, o Options, location, root string) (*Watch, *reader) {
	t.Helper()
	r := &reader{root: root, read: make(chan []string, 100)}
	w := New(o, Source{Location: location, Read: r.look})
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); w.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	return w, r
}

// becomes waits until the one source's state is as wanted.
func becomes(t *testing.T, w *Watch, what string, ok func(State) bool) State {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if s := w.States()[0]; ok(s) {
			return s
		}
	}
	t.Fatalf("never %s: %+v", what, w.States()[0])
	return State{}
}

func TestEventsOfAFolder(t *testing.T) {
	root := t.TempDir()
	plant(t, filepath.Join(root, "a.md"), "1")
	w, r := watching(t, Options{Every: time.Hour}, root, root)
	r.sees(t, "a.md=1")
	if holdsFilesOpen(runtime.GOOS) {
		t.Skip("this system listens to small folders only")
	}
	becomes(t, w, "listening", func(s State) bool { return s.Way == Events && s.Folders == 1 && !s.Changed.IsZero() && s.Err == nil })
	plant(t, filepath.Join(root, "a.md"), "2")
	r.sees(t, "a.md=2")
	plant(t, filepath.Join(root, "deep", "er", "b.md"), "1")
	r.sees(t, "a.md=2", "deep/er/b.md=1")
	becomes(t, w, "listening to the new folders", func(s State) bool { return s.Folders == 3 })
	plant(t, filepath.Join(root, "deep", "er", "b.md"), "2") // in a folder that came later
	r.sees(t, "a.md=2", "deep/er/b.md=2")
	if err := os.RemoveAll(filepath.Join(root, "deep")); err != nil {
		t.Fatal(err)
	}
	r.sees(t, "a.md=2")
	becomes(t, w, "forgetting folders", func(s State) bool { return s.Folders == 1 })
}

func TestAFolderThatGoesAndComesBack(t *testing.T) {
	root := filepath.Join(t.TempDir(), "docs")
	plant(t, filepath.Join(root, "a.md"), "1")
	w, r := watching(t, Options{Every: 5 * time.Millisecond}, root, root)
	r.sees(t, "a.md=1")
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	s := becomes(t, w, "polling", func(s State) bool { return s.Way == Polling && s.Err != nil })
	if !strings.Contains(s.Why, "no file or folder") || !errors.Is(s.Err, os.ErrNotExist) {
		t.Errorf("state of what is gone: %+v", s)
	}
	plant(t, filepath.Join(root, "a.md"), "2")
	r.sees(t, "a.md=2")
	becomes(t, w, "listening again", func(s State) bool { return s.Way == Events && s.Err == nil })
}

func TestPollingWhereEventsAreTooMany(t *testing.T) {
	root := t.TempDir()
	plant(t, filepath.Join(root, "a.md"), "1")
	plant(t, filepath.Join(root, "b", "b.md"), "1")
	w, r := watching(t, Options{Every: 5 * time.Millisecond, MaxFolders: 1}, root, root)
	r.sees(t, "a.md=1", "b/b.md=1")
	if s := w.States()[0]; s.Way != Polling || s.Why != "more than 1 folders" {
		t.Errorf("beyond the bound: %+v", s)
	}
	plant(t, filepath.Join(root, "b", "b.md"), "2")
	r.sees(t, "a.md=1", "b/b.md=2")

	w, _ = watching(t, Options{Every: time.Hour, MaxFolders: 2}, root, root)
	becomes(t, w, "listening at the bound", func(s State) bool { return s.Way == Events && s.Folders == 2 })
}

func TestOneFile(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "notes.md")
	plant(t, file, "1")
	w, r := watching(t, Options{Every: time.Hour}, file, root)
	r.sees(t, "notes.md=1")
	becomes(t, w, "listening", func(s State) bool { return s.Way == Events })
	plant(t, filepath.Join(root, "other.md"), "1") // matters to nobody
	plant(t, filepath.Join(root, "notes.new"), "2")
	if err := os.Rename(filepath.Join(root, "notes.new"), file); err != nil { // as editors save
		t.Fatal(err)
	}
	r.sees(t, "notes.md=2", "other.md=1")
}

func TestSystemsThatHoldFilesOpen(t *testing.T) {
	for system, want := range map[string]bool{"linux": false, "windows": false, "darwin": true, "freebsd": true} {
		if got := holdsFilesOpen(system); got != want {
			t.Errorf("%s: %v, want %v", system, got, want)
		}
	}
}
