package engine_test

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"evergreen"
)

// shared is a library that clients fill, each from folders of its own.
type shared struct {
	*bench
	root string
}

func newShared(t *testing.T) *shared {
	t.Helper()
	b := newBench(t, nil)
	root := filepath.Join(t.TempDir(), "shared")
	b.e = b.open(root)
	return &shared{b, root}
}

// document is one with so many sections, all of which hold a word.
func document(word string, sections int) string {
	var text strings.Builder
	for i := range sections {
		fmt.Fprintf(&text, "# %s %d\n\nThis is about the %s.\n\n", word, i, word)
	}
	return text.String()
}

// run indexes a folder with one document as a collection of its name.
func (s *shared) run(client, name string, sections int, bound evergreen.IndexRequest) error {
	s.t.Helper()
	s.write(map[string]string{name + "/text.md": document(name, sections)})
	bound.Client, bound.Name, bound.Verify = client, name, true
	bound.Source.Location = filepath.Join(s.source, name)
	_, err := s.e.Index(s.t.Context(), bound, nil)
	return err
}

func (s *shared) holds(name string, sections int) {
	s.t.Helper()
	all, err := s.e.Collections(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(c evergreen.Collection) bool { return c.Name == name })
	if sections == 0 && i >= 0 || sections > 0 && (i < 0 || all[i].Sections != sections) {
		s.t.Errorf("%s should hold %d sections: %+v", name, sections, all)
	}
}

func (s *shared) refused(err error, key string) {
	s.t.Helper()
	hints := strings.Join(evergreen.Hints(err), "\n")
	if evergreen.KindOf(err) != evergreen.Exhausted || !strings.Contains(hints, "delete") || !strings.Contains(hints, key) {
		s.t.Errorf("refused by %v, with %q", err, hints)
	}
}

func (s *shared) passes(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Error(err)
	}
}

// TestClientsHaveTheirOwnRoom: what the collections of a client hold together is
// bounded, whatever others hold; a refused run leaves what was there, deleting
// makes room, and a restart forgets nothing.
func TestClientsHaveTheirOwnRoom(t *testing.T) {
	s := newShared(t)
	most := evergreen.IndexRequest{MaxClientSections: 10}
	s.passes(s.run("", "operator", 50, evergreen.IndexRequest{}))
	s.passes(s.run("ada", "walrus", 6, most))
	s.passes(s.run("ada", "narwhal", 4, most))
	s.refused(s.run("ada", "beluga", 1, most), "limits.client_sections")
	s.holds("beluga", 0)
	s.passes(s.run("bob", "beluga", 10, most))

	// A refresh that grows.
	s.refused(s.run("ada", "walrus", 7, most), "limits.client_sections")
	s.holds("walrus", 6)
	s.passes(s.run("ada", "walrus", 5, most))
	s.passes(s.run("ada", "walrus", 6, most))

	// By another client, and by the operator, whom nothing bounds.
	s.refused(s.run("bob", "walrus", 7, most), "limits.client_sections")
	s.holds("walrus", 6)
	s.passes(s.run("", "walrus", 20, evergreen.IndexRequest{}))
	s.holds("walrus", 20)

	// What is over its bound may shrink, and nothing else.
	s.refused(s.run("ada", "narwhal", 5, most), "limits.client_sections")
	s.refused(s.run("ada", "orca", 1, most), "limits.client_sections")
	s.passes(s.run("ada", "walrus", 6, most))

	s.e = s.open(s.root) // after a restart
	s.refused(s.run("ada", "orca", 1, most), "limits.client_sections")
	if deleted, err := s.e.Delete(t.Context(), "narwhal"); err != nil || !deleted {
		t.Fatalf("%v, %v", deleted, err)
	}
	s.passes(s.run("ada", "orca", 4, most))
	s.holds("orca", 4)
}

// TestDiskOfClients: the same for the disk that texts and indexes take.
func TestDiskOfClients(t *testing.T) {
	s := newShared(t)
	s.passes(s.run("ada", "walrus", 100, evergreen.IndexRequest{}))
	var used int64
	for _, pattern := range []string{"*.seg", "*.text"} {
		files, err := filepath.Glob(filepath.Join(s.root, "collections", "walrus", pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%q, %v", files, err)
		}
		for _, file := range files {
			info, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			used += info.Size()
		}
	}
	most := evergreen.IndexRequest{MaxClientBytes: used}
	s.refused(s.run("ada", "narwhal", 1, most), "limits.client_mb")
	s.refused(s.run("ada", "walrus", 300, most), "limits.client_mb")
	s.holds("walrus", 100)
	s.passes(s.run("bob", "narwhal", 50, most))
	s.passes(s.run("ada", "orca", 100, evergreen.IndexRequest{MaxClientBytes: 3 * used}))
}

// TestWhatIsNotTheirs: a client cannot add to the collection of another, where
// it would not count; reading again what is there goes on.
func TestWhatIsNotTheirs(t *testing.T) {
	s := newShared(t)
	most := evergreen.IndexRequest{MaxClientSections: 10}
	s.passes(s.run("", "operator", 50, evergreen.IndexRequest{}))
	s.write(map[string]string{"more/text.md": document("more", 3)})
	add := evergreen.IndexRequest{Client: "ada", Name: "operator", MaxClientSections: 10, Source: evergreen.Source{Location: filepath.Join(s.source, "more")}}
	if _, err := s.e.Index(t.Context(), add, nil); evergreen.KindOf(err) != evergreen.Conflict || len(evergreen.Hints(err)) == 0 {
		t.Errorf("a source was added to the operator's: %v", err)
	}
	s.holds("operator", 50)
	wider := most
	wider.Source.Exclude = []string{"none.md"}
	if err := s.run("ada", "operator", 50, wider); evergreen.KindOf(err) != evergreen.Conflict {
		t.Errorf("a source was changed: %v", err)
	}
	s.passes(s.run("ada", "operator", 60, most))
	s.holds("operator", 60)
	s.passes(s.run("ada", "walrus", 10, most)) // the operator's took none of her room
	add.MaxClientSections = 0
	if _, err := s.e.Index(t.Context(), add, nil); err != nil {
		t.Errorf("without bounds: %v", err)
	}
}

// TestNoClientIsNamedInTheLibrary: what is remembered of a client names nobody,
// and the secret that it is made with is for the library's owner alone.
func TestNoClientIsNamedInTheLibrary(t *testing.T) {
	s := newShared(t)
	s.passes(s.run("", "operator", 1, evergreen.IndexRequest{}))
	if _, err := os.Stat(filepath.Join(s.root, "clients.key")); !os.IsNotExist(err) {
		t.Errorf("a secret without a client: %v", err)
	}
	s.passes(s.run("198.51.100.7", "walrus", 1, evergreen.IndexRequest{MaxClientSections: 1}))
	info, err := os.Stat(filepath.Join(s.root, "clients.key"))
	if err != nil || info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/' {
		t.Errorf("%v, %v", info, err)
	}
	err = filepath.WalkDir(s.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if strings.Contains(string(b), "198.51") {
			t.Errorf("%s names the client", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestClientsOutliveDamage: a collection whose manifest is damaged counts on, and
// a secret that is damaged is made anew without harm to what answers.
func TestClientsOutliveDamage(t *testing.T) {
	s := newShared(t)
	most := evergreen.IndexRequest{MaxClientSections: 10}
	s.passes(s.run("ada", "walrus", 10, most))
	manifest := filepath.Join(s.root, "collections", "walrus", "manifest.json")
	b, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(manifest, b[:len(b)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.e.Repair(context.Background(), evergreen.RepairRequest{Name: "walrus"}, nil); err != nil {
		t.Fatal(err)
	}
	s.holds("walrus", 10)
	s.refused(s.run("ada", "narwhal", 1, most), "limits.client_sections")

	if err := os.WriteFile(filepath.Join(s.root, "clients.key"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.e = s.open(s.root)
	s.passes(s.run("ada", "narwhal", 9, most))
	s.refused(s.run("ada", "orca", 2, most), "limits.client_sections")
	s.holds("walrus", 10)
}

// TestNothingIsFetchedForTheFull: a client whose room is used up has nobody asked
// for what could not be kept.
func TestNothingIsFetchedForTheFull(t *testing.T) {
	s, asked := newShared(t), 0
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Content-Type", "text/markdown")
		_, _ = w.Write([]byte(document("page", 2)))
	}))
	t.Cleanup(site.Close)
	crawl := evergreen.IndexRequest{Client: "ada", Name: "site", MaxClientSections: 10, AllowPrivate: true,
		Source: evergreen.Source{Kind: evergreen.SourcePage, Location: site.URL + "/page.md"}}
	index := func() error {
		_, err := s.e.Index(t.Context(), crawl, nil)
		return err
	}
	s.passes(s.run("ada", "walrus", 10, evergreen.IndexRequest{MaxClientSections: 10}))
	s.refused(index(), "limits.client_sections")
	if asked != 0 {
		t.Errorf("the site was asked %d times", asked)
	}
	s.passes(s.run("ada", "walrus", 9, evergreen.IndexRequest{MaxClientSections: 10}))
	s.refused(index(), "limits.client_sections") // two sections do not fit
	if asked == 0 {
		t.Error("with room for one more the site is worth asking")
	}
	s.holds("site", 0)
	s.passes(s.run("ada", "walrus", 8, evergreen.IndexRequest{MaxClientSections: 10}))
	s.passes(index())
	s.holds("site", 2)
}
