package engine_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/engine"
)

// Environment of the process that is killed.
const (
	crashLibrary = "EVERGREEN_TEST_CRASH_LIBRARY"
	crashSource  = "EVERGREEN_TEST_CRASH_SOURCE"
)

// TestCrashProcess is no test: it is the process that TestKilledWhileIndexing
// kills. It rewrites every document with one word and indexes, for ever.
func TestCrashProcess(t *testing.T) {
	library := os.Getenv(crashLibrary)
	if library == "" {
		t.Skip("run by TestKilledWhileIndexing")
	}
	e, err := engine.Open(engine.Options{Root: library})
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; ; i++ {
		writeState(t, os.Getenv(crashSource), crashWords[i%len(crashWords)])
		if _, err := e.Index(context.Background(), evergreen.IndexRequest{
			Source: evergreen.Source{Location: os.Getenv(crashSource)}, Name: "docs",
		}, nil); err != nil {
			t.Fatal(err)
		}
	}
}

var crashWords = []string{"alpha", "bravo", "charlie"}

const crashFiles = 30

// writeState writes documents that all hold the same word.
func writeState(t *testing.T, source, word string) {
	for i := range crashFiles {
		text := fmt.Sprintf("# Doc %d\n\n%s\n", i, strings.Repeat(word+" filler text ", 200))
		if err := os.WriteFile(filepath.Join(source, fmt.Sprintf("d%02d.md", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestKilledWhileIndexing kills an indexing process at different moments. What
// is in the library afterwards must hold together and be indexable again.
func TestKilledWhileIndexing(t *testing.T) {
	kills := 8
	if testing.Short() {
		kills = 3
	}
	library, source := filepath.Join(t.TempDir(), "library"), t.TempDir()
	for i := range kills {
		cmd := exec.Command(os.Args[0], "-test.run=^TestCrashProcess$")
		cmd.Env = append(os.Environ(), crashLibrary+"="+library, crashSource+"="+source)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(60+37*i) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		checkWhole(t, library)
	}
	writeState(t, source, "delta")
	e, err := engine.Open(engine.Options{Root: library})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Index(context.Background(), evergreen.IndexRequest{
		Source: evergreen.Source{Location: source}, Name: "docs",
	}, nil); err != nil {
		t.Fatal(err)
	}
	res, err := e.Search(context.Background(), evergreen.SearchRequest{Query: "delta"})
	if err != nil || res.Total != crashFiles {
		t.Fatalf("after the last run %d of %d documents are found, %v", res.Total, crashFiles, err)
	}
	left, err := os.ReadDir(filepath.Join(library, "collections", "docs"))
	if err != nil || len(left) > 3+2*4 {
		t.Errorf("%d files are left in the collection's folder, %v", len(left), err)
	}
}

// checkWhole reads everything that the library holds.
func checkWhole(t *testing.T, library string) {
	t.Helper()
	e, err := engine.Open(engine.Options{Root: library})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	collections, err := e.Collections(context.Background())
	if err != nil {
		t.Fatalf("after a kill: %v", err)
	}
	for _, c := range collections {
		outline, err := e.Outline(context.Background(), evergreen.OutlineRequest{Collection: c.Name, Limit: -1})
		if err != nil || len(outline.Documents) != c.Documents {
			t.Fatalf("after a kill: outline of %d documents, want %d, %v", len(outline.Documents), c.Documents, err)
		}
		for _, d := range outline.Documents {
			for _, s := range d.Sections {
				got, err := e.Section(context.Background(), evergreen.SectionRequest{ID: s.ID, Verify: true})
				if err != nil || !*got.Verified {
					t.Fatalf("after a kill: section %s does not verify, %v", s.ID, err)
				}
			}
		}
		total := 0
		for _, w := range crashWords {
			res, err := e.Search(context.Background(), evergreen.SearchRequest{Query: w})
			if err != nil {
				t.Fatal(err)
			}
			total += res.Total
		}
		if total < c.Documents {
			t.Fatalf("after a kill: %d of %d documents are found", total, c.Documents)
		}
	}
}

// TestDamagedLibrary damages each file of a collection in turn. The answer is
// an error that says what to do, other collections answer on, and indexing
// again mends it.
func TestDamagedLibrary(t *testing.T) {
	for _, damage := range []struct {
		name string
		do   func(file string) error
		on   string
	}{
		{"missing segment", os.Remove, "1.seg"},
		{"missing text", os.Remove, "1.text"},
		{"cut text", func(f string) error { return os.Truncate(f, 20) }, "1.text"},
		{"cut segment", func(f string) error { return os.Truncate(f, 100) }, "1.seg"},
		{"flipped header", flip(9), "1.seg"},
		{"broken manifest", func(f string) error { return os.WriteFile(f, []byte("{"), 0o644) }, "manifest.json"},
	} {
		t.Run(damage.name, func(t *testing.T) {
			b := newBench(t, guide)
			b.index()
			other := filepath.Join(t.TempDir(), "good")
			_ = os.MkdirAll(other, 0o755)
			_ = os.WriteFile(filepath.Join(other, "a.md"), []byte("# Good\n\nwombat\n"), 0o644)
			if _, err := b.e.Index(context.Background(), evergreen.IndexRequest{Source: evergreen.Source{Location: other}}, nil); err != nil {
				t.Fatal(err)
			}
			root := b.e.Root()
			_ = b.e.Close()
			if err := damage.do(filepath.Join(root, "collections", "docs", damage.on)); err != nil {
				t.Fatal(err)
			}
			b.e = b.open(root)
			_, err := b.e.Search(context.Background(), evergreen.SearchRequest{Query: "walrus", Collection: "docs"})
			if evergreen.KindOf(err) != evergreen.Damaged || len(evergreen.Hints(err)) == 0 {
				t.Errorf("error = %v (%s), hints %v", err, evergreen.KindOf(err), evergreen.Hints(err))
			}
			if d := b.e.Damaged(context.Background()); len(d) != 1 || d[0].Name != "docs" {
				t.Errorf("damaged collections: %+v", d)
			}
			_, err = b.e.Search(context.Background(), evergreen.SearchRequest{Query: "x", Collection: "nope"})
			if evergreen.KindOf(err) != evergreen.NotFound {
				t.Errorf("an unknown name is blamed on the damaged one: %v", err)
			}
			if got := b.search("wombat"); len(got) != 1 {
				t.Errorf("the other collection gives %v", got)
			}
			b.index()
			if got := b.search("walrus"); len(got) != 1 {
				t.Errorf("after indexing again: %v", got)
			}
		})
	}
}

func flip(at int) func(string) error {
	return func(file string) error {
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		b[at] ^= 0xff
		return os.WriteFile(file, b, 0o644)
	}
}

// TestTwoWriters lets several engines index into one library at a time.
func TestTwoWriters(t *testing.T) {
	library := filepath.Join(t.TempDir(), "library")
	done := make(chan error)
	for i := range 4 {
		source := filepath.Join(t.TempDir(), fmt.Sprintf("s%d", i))
		if err := os.MkdirAll(source, 0o755); err != nil {
			t.Fatal(err)
		}
		writeState(t, source, crashWords[i%3])
		go func() {
			e, err := engine.Open(engine.Options{Root: library})
			if err == nil {
				_, err = e.Index(context.Background(), evergreen.IndexRequest{
					Source: evergreen.Source{Location: source}, Name: []string{"one", "two"}[i%2],
				}, nil)
				_ = e.Close()
			}
			done <- err
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	e, err := engine.Open(engine.Options{Root: library})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	collections, err := e.Collections(context.Background())
	if err != nil || len(collections) != 2 {
		t.Fatalf("collections = %v, %v", collections, err)
	}
	for _, c := range collections {
		// Both sources hold the same paths: the first come keeps them.
		if c.Documents != crashFiles || len(c.Sources) != 2 {
			t.Errorf("%s: %d documents of %d sources", c.Name, c.Documents, len(c.Sources))
		}
	}
}
