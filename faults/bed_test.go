package faults

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/engine"
	"evergreen/internal/store"
)

// program is the built evergreen; EVERGREEN_PROGRAM names one to use instead.
var program string

func TestMain(m *testing.M) {
	if os.Getenv(readerLibrary) != "" { // a process of TestWritersAndReaders
		os.Exit(readerProcess())
	}
	os.Exit(withProgram(m))
}

func withProgram(m *testing.M) int {
	if program = os.Getenv("EVERGREEN_PROGRAM"); program != "" {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "evergreen-faults-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	_ = os.Chmod(dir, 0o755) // other users run it too
	program = filepath.Join(dir, "evergreen")
	build := exec.Command("go", "build", "-o", program, "evergreen/cmd/evergreen")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the program: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// bed is a library and a source folder whose documents all say which state they
// are of.
type bed struct {
	t       *testing.T
	library string
	source  string
	docs    int
	words   int // of each document, beside the state's
}

func newBed(t *testing.T, docs int) *bed {
	t.Helper()
	return &bed{t: t, library: filepath.Join(t.TempDir(), "library"), source: t.TempDir(), docs: docs, words: 400}
}

// word is what every document of a state holds and no other.
func word(state int) string { return fmt.Sprintf("state%05dx", state) }

// texts are the documents of a state by path: one of them exists in that state
// only.
func (b *bed) texts(state int) map[string]string {
	out := map[string]string{fmt.Sprintf("only/%s.md", word(state)): "# Only\n\n" + word(state) + "\n"}
	for i := range b.docs - 1 {
		out[fmt.Sprintf("d%03d.md", i)] = fmt.Sprintf("# Document %d\n\n%s\n", i, strings.Repeat(word(state)+" filler text. ", b.words/3))
	}
	return out
}

// write puts the source into a state.
func (b *bed) write(state int) {
	b.t.Helper()
	if err := os.RemoveAll(filepath.Join(b.source, "only")); err != nil {
		b.t.Fatal(err)
	}
	for name, text := range b.texts(state) {
		file := filepath.Join(b.source, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			b.t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			b.t.Fatal(err)
		}
	}
}

// command is the program with the bed's library.
func (b *bed) command(args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "EVERGREEN_LIBRARY="+b.library, "NO_PROXY=*")
	cmd.Dir = filepath.Dir(b.source)
	return cmd
}

// run runs the program to its end.
func (b *bed) run(args ...string) (stdout, stderr string, code int) {
	b.t.Helper()
	return finish(b.t, b.command(args...))
}

func finish(t *testing.T, cmd *exec.Cmd) (stdout, stderr string, code int) {
	t.Helper()
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%v: %v", cmd.Args, err)
	}
	if strings.Contains(said.String(), "panic:") || strings.Contains(said.String(), "fatal error:") {
		t.Fatalf("%v broke off:\n%s", cmd.Args, said.String())
	}
	return out.String(), said.String(), cmd.ProcessState.ExitCode()
}

// must runs the program, which has to succeed.
func (b *bed) must(args ...string) string {
	b.t.Helper()
	stdout, stderr, code := b.run(args...)
	if code != 0 {
		b.t.Fatalf("evergreen %s: exit %d\n%s%s", strings.Join(args, " "), code, stdout, stderr)
	}
	return stdout
}

func (b *bed) open() *engine.Engine {
	b.t.Helper()
	e, err := engine.Open(engine.Options{Root: b.library})
	if err != nil {
		b.t.Fatal(err)
	}
	return e
}

// state reads the whole collection and returns which state it is in, -1 when it
// does not exist. Anything in between is an error.
func (b *bed) state(collection string, states ...int) (int, error) {
	e := b.open()
	defer e.Close()
	ctx := context.Background()
	if d := e.Damaged(ctx); len(d) > 0 {
		return 0, fmt.Errorf("damaged: %+v", d)
	}
	outline, err := e.Outline(ctx, evergreen.OutlineRequest{Collection: collection, Limit: -1})
	if evergreen.KindOf(err) == evergreen.NotFound {
		return -1, nil
	}
	if err != nil {
		return 0, err
	}
	for _, state := range states {
		if faults := b.differs(ctx, e, outline, collection, state); faults == nil {
			return state, otherWords(ctx, e, collection, state, states)
		} else {
			err = errors.Join(err, fmt.Errorf("not state %d: %w", state, faults))
		}
	}
	return 0, err
}

// differs compares every document with the state's.
func (b *bed) differs(ctx context.Context, e *engine.Engine, outline evergreen.Outline, collection string, state int) error {
	want := b.texts(state)
	if len(outline.Documents) != len(want) {
		return fmt.Errorf("%d documents, want %d", len(outline.Documents), len(want))
	}
	for _, d := range outline.Documents {
		_, text, err := e.Document(ctx, collection, d.Path)
		if err != nil {
			return err
		}
		if string(text) != want[d.Path] {
			return fmt.Errorf("%s is %.60q", d.Path, text)
		}
	}
	return nil
}

// otherWords wants the index to agree with the texts.
func otherWords(ctx context.Context, e *engine.Engine, collection string, state int, states []int) error {
	for _, s := range append(states, state) {
		res, err := e.Search(ctx, evergreen.SearchRequest{Collection: collection, Query: word(s)})
		if err != nil {
			return err
		}
		if (s == state) != (res.Total > 0) {
			return fmt.Errorf("in state %d, %d sections are found for state %d", state, res.Total, s)
		}
	}
	return nil
}

// orphans lists files of the library that nothing names.
func (b *bed) orphans(collections ...string) (left []string) {
	b.t.Helper()
	lib, err := store.Open(b.library)
	if err != nil {
		b.t.Fatal(err)
	}
	named := map[string]bool{"lock": true, "generation": true}
	for _, name := range collections {
		dir := "collections/" + store.Key(name) + "/"
		m, err := lib.Manifest(name)
		if err != nil {
			continue
		}
		for _, file := range []string{"manifest.json", "repo.json", fmt.Sprintf("%d.state", m.State)} {
			named[dir+file] = true
		}
		for _, s := range m.Segments {
			named[fmt.Sprintf("%s%d.seg", dir, s.Number)], named[fmt.Sprintf("%s%d.text", dir, s.Number)] = true, true
		}
	}
	_ = filepath.WalkDir(b.library, func(file string, d os.DirEntry, err error) error {
		name, _ := filepath.Rel(b.library, file)
		name = filepath.ToSlash(name)
		if err == nil && !d.IsDir() && !named[name] && !strings.HasPrefix(name, "cache/") {
			left = append(left, name)
		}
		return nil
	})
	return left
}

// took is how long f takes.
func took(f func()) time.Duration {
	began := time.Now()
	f()
	return time.Since(began)
}
