package site

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"evergreen"
)

type contextFile struct {
	Version, Revision, License string
	Parts                      []struct {
		URL             string
		Entries, Tokens int
	}
	Entries []evergreen.Entry
}

func readContext(t *testing.T, s *Site, path string) (contextFile, int) {
	t.Helper()
	body := read(t, s, path)
	var c contextFile
	if err := json.Unmarshal([]byte(body), &c); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return c, len(body)
}

func TestContextInOneFile(t *testing.T) {
	in := exampleInput()
	s := must(t, in)
	c, _ := readContext(t, s, "/context.json")
	if c.Version != "1.2.0" || c.Revision != "r1" || c.License != "CC-BY-4.0" || len(c.Parts) != 0 {
		t.Errorf("head: %+v", c)
	}
	var ids []string
	for _, e := range c.Entries {
		ids = append(ids, e.ID+" "+e.URL)
	}
	want := "EX-001 https://docs.example.com/context.json#EX-001\n" +
		"docs::guide/install.md::install#1 https://docs.example.com/guide/install.html#install\n" +
		"docs::guide/keys.md::rotating-keys#1 https://docs.example.com/guide/keys.html#rotating-keys"
	if got := strings.Join(ids, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, ok := s.Lookup("/context/1.json"); ok {
		t.Error("a part of a file that is whole")
	}
	if strings.Contains(read(t, s, "/context.json"), `\u`) {
		t.Error("escapes in JSON")
	}
}

// TestContextInParts: every entry of a large library stands in exactly one part,
// no part is larger than the limit, and documents stand in the first.
func TestContextInParts(t *testing.T) {
	f := &fake{revision: "r"}
	f.entry("kb", evergreen.Entry{ID: "K-1", Title: "Curated", Body: "中文 <b> & more"})
	for i := range 30 {
		body := fmt.Sprintf("# Doc %d\n", i)
		for j := range 10 {
			body += fmt.Sprintf("## S %d %d\n\n%s\n", i, j, strings.Repeat("word ", 6000))
		}
		f.document("big", fmt.Sprintf("d%02d.md", i), body, evergreen.Meta{Description: "About."})
	}
	s := must(t, Input{Snapshot: f, Options: Options{BaseURL: "https://h.example"}})
	index, size := readContext(t, s, "/context.json")
	if size > maxContextBytes || len(index.Parts) < 3 || len(index.Entries) != 1 || index.Entries[0].ID != "K-1" {
		t.Fatalf("index of %d bytes with %d parts and %d entries", size, len(index.Parts), len(index.Entries))
	}
	seen := map[string]int{}
	for i, part := range index.Parts {
		path := strings.TrimPrefix(part.URL, "https://h.example")
		c, size := readContext(t, s, path)
		if size > maxContextBytes || len(c.Entries) != part.Entries || c.Revision != index.Revision {
			t.Errorf("%s: %d bytes, %d entries, revision %s; the index says %d entries", path, size, len(c.Entries), c.Revision, part.Entries)
		}
		tokens := 0
		for _, e := range c.Entries {
			seen[e.ID]++
			tokens += e.Tokens
			if documents := !strings.Contains(e.ID, "#") && e.ID != "K-1"; documents != (i == 0) || documents && (e.Body != "" || e.Summary != "About.") {
				t.Errorf("%s holds %s", path, e.ID)
			}
		}
		if tokens != part.Tokens {
			t.Errorf("%s: %d tokens, the index says %d", path, tokens, part.Tokens)
		}
	}
	if want := 1 + 30 + 30*11; len(seen) != want {
		t.Errorf("%d ids, want %d", len(seen), want)
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("%s stands %d times", id, n)
		}
	}
	if _, ok := s.Lookup(fmt.Sprintf("/context/%d.json", len(index.Parts)+1)); ok {
		t.Error("a part beyond the last")
	}
}

func TestContextEmpty(t *testing.T) {
	s := must(t, Input{Snapshot: &fake{revision: "r"}})
	if got := read(t, s, "/context.json"); !strings.HasSuffix(got, "\"entries\": []\n}\n") || !json.Valid([]byte(got)) {
		t.Errorf("got %s", got)
	}
}
