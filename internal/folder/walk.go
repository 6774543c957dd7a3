package folder

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"evergreen"
)

// The walk itself: a pool of walkers over a stack of folders. What is found
// does not depend on the order in which they finish; finish sorts it.

// task is one folder to read.
type task struct {
	rel   string // doc_path of the folder, "" for the root
	real  string // its real path relative to the root; differs from rel below a link
	rules *rules // what the .gitignore files above it say
}

type walker struct {
	root   string
	scope  scope
	limits limits

	mu      sync.Mutex
	idle    *sync.Cond
	stack   []task // folders that any walker may take
	working int
	waiting atomic.Int32

	seen map[string]bool // real paths entered; written between runs only
	findings
	truncated bool
}

// findings is what folders hold.
type findings struct {
	entered         []string // real paths
	files           []File
	skipped, places []evergreen.Skip
	links           []link
	other           map[string]int
	outOfScope      int
}

func newWalker(root string, s scope, l limits) *walker {
	w := &walker{root: root, scope: s, limits: l, seen: map[string]bool{}}
	w.other = map[string]int{}
	w.idle = sync.NewCond(&w.mu)
	return w
}

func (f *findings) skip(path, why string)  { f.skipped = append(f.skipped, skipOf(path, why)) }
func (f *findings) place(path, why string) { f.places = append(f.places, skipOf(path, why)) }

func skipOf(path, why string) evergreen.Skip {
	return evergreen.Skip{Path: strings.ToValidUTF8(path, "\uFFFD"), Reason: why}
}

// add takes over what one walker found.
func (f *findings) add(g findings) {
	f.entered = append(f.entered, g.entered...)
	f.files = append(f.files, g.files...)
	f.skipped = append(f.skipped, g.skipped...)
	f.places = append(f.places, g.places...)
	f.links = append(f.links, g.links...)
	for ext, n := range g.other {
		f.other[ext] += n
	}
	f.outOfScope += g.outOfScope
}

// run reads the folder start and all below it.
func (w *walker) run(ctx context.Context, start task) {
	w.stack = append(w.stack, start)
	var wg sync.WaitGroup
	for range walkers() {
		wg.Go(func() { w.work(ctx) })
	}
	wg.Wait()
	for _, real := range w.entered {
		w.seen[real] = true
	}
	w.entered = nil
}

// work reads folders until nobody has any left. A walker keeps the folders it
// finds to itself and hands some out only when another one waits.
func (w *walker) work(ctx context.Context) {
	found := findings{other: map[string]int{}}
	for t, ok := w.next(); ok; t, ok = w.next() {
		own := []task{t}
		for len(own) > 0 && ctx.Err() == nil {
			t := own[len(own)-1]
			own = w.read(&found, t, own[:len(own)-1])
			if len(own) > 1 && w.waiting.Load() > 0 {
				half := len(own) / 2
				w.handOut(own[:half])
				own = own[half:]
			}
		}
		w.mu.Lock()
		w.working--
		w.idle.Broadcast()
		w.mu.Unlock()
	}
	w.mu.Lock()
	w.add(found)
	w.mu.Unlock()
}

// handOut gives folders to the walkers that wait.
func (w *walker) handOut(tasks []task) {
	w.mu.Lock()
	w.stack = append(w.stack, tasks...)
	w.idle.Broadcast()
	w.mu.Unlock()
}

// next takes a folder; ok is false when the walk is over.
func (w *walker) next() (t task, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting.Add(1)
	for len(w.stack) == 0 && w.working > 0 {
		w.idle.Wait()
	}
	w.waiting.Add(-1)
	if len(w.stack) == 0 {
		return task{}, false
	}
	t = w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	w.working++
	return t, true
}

// read lists one folder, sorts its entries into f and returns folders with
// those to be read added.
func (w *walker) read(f *findings, t task, folders []task) []task {
	if w.seen[t.real] {
		f.place(t.rel, "visited already")
		return folders
	}
	f.entered = append(f.entered, t.real)
	dir := filepath.Join(w.root, filepath.FromSlash(t.real))
	entries, err := os.ReadDir(dir)
	if err != nil {
		f.place(displayPath(t.rel), "cannot be read: "+reason(err))
	}
	rules, err := t.rules.within(dir, t.rel, entries)
	if err != nil {
		f.place(join(t.rel, ignoreFile), "cannot be read: "+reason(err))
	}
	for _, e := range entries {
		rel := join(t.rel, DocPath(e.Name()))
		switch mode := e.Type(); {
		case mode&fs.ModeSymlink != 0:
			f.links = append(f.links, link{rel, join(t.real, e.Name()), rules})
		case mode.IsDir():
			if why := w.scope.shut(rel, e.Name(), rules); why != "" {
				f.place(rel, why)
			} else {
				folders = append(folders, task{rel, join(t.real, e.Name()), rules})
			}
		default:
			w.file(f, rel, filepath.Join(dir, e.Name()), rules, mode, e.Info)
		}
	}
	return folders
}

// file decides about one file by its name, and only for a document by its size.
func (w *walker) file(f *findings, rel, abs string, rules *rules, mode fs.FileMode, stat func() (fs.FileInfo, error)) {
	switch w.scope.classify(rel) {
	case otherKind:
		f.other[extension(rel)]++
		return
	case outOfScope:
		f.outOfScope++
		return
	}
	why := ""
	if by := rules.ignore(rel, false); by != "" {
		why = "ignored by " + by
	} else if !mode.IsRegular() {
		why = "not a regular file"
	} else if !utf8.ValidString(rel) {
		why = "its name is not valid UTF-8"
	} else if info, err := stat(); err != nil {
		why = "cannot be read: " + reason(err)
	} else if info.Size() > w.limits.bytes {
		why = tooLarge(info.Size(), w.limits.bytes)
	} else {
		f.files = append(f.files, newFile(rel, abs, info))
		return
	}
	f.skip(rel, why)
}

// reason says why the system refused, without the path.
func reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, fs.ErrNotExist):
		return "it vanished"
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

func displayPath(rel string) string {
	if rel == "" {
		return "."
	}
	return rel
}
