package ui_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"evergreen/internal/ui"
)

type dataManifest struct {
	Bytes       int
	Partial     bool
	Collections []struct {
		Name, Path string
		Texts      int
	}
}

// dataOf writes the data of a site and returns its files, in order, with the
// manifest apart.
func dataOf(t *testing.T, a *asked, most int) (files []string, m dataManifest) {
	t.Helper()
	bytes := 0
	err := newUI(t, ui.Options{}).Data(a.site, most, func(path string, body []byte) error {
		if path != ui.DataPrefix+"manifest.json" {
			files = append(files, strings.TrimPrefix(path, ui.DataPrefix))
			bytes += len(body)
			return nil
		}
		if files = append(files, "manifest.json"); len(files) == 1 {
			t.Error("the manifest comes first: what it names would not be there yet")
		}
		return json.Unmarshal(body, &m)
	})
	if err != nil {
		t.Fatal(err)
	}
	if m.Bytes != bytes {
		t.Errorf("the manifest speaks of %d bytes, %d are there", m.Bytes, bytes)
	}
	return files, m
}

func TestDataForBrowsersIsComplete(t *testing.T) {
	a := newAsked(t, bilingual())
	files, m := dataOf(t, a, 0)
	want := []string{"knowledge.json", "guide/texts-0.json", "guide/index.bin", "kb/texts-0.json", "kb/index.bin", "manifest.json"}
	if !slices.Equal(files, want) {
		t.Errorf("files %v, want %v", files, want)
	}
	if m.Partial || len(m.Collections) != 2 || m.Collections[0].Name != "guide" || m.Collections[0].Path != "guide/" || m.Collections[0].Texts != 1 {
		t.Errorf("%+v", m)
	}
}

func TestDataOfLargeLibrariesIsTheKnowledgeOnly(t *testing.T) {
	a := newAsked(t, bilingual())
	tokens := 0
	for _, c := range a.site.Snapshot().Collections() {
		tokens += c.Tokens
	}
	if files, m := dataOf(t, a, tokens); m.Partial || len(files) != 6 {
		t.Errorf("at the bound: %v %+v", files, m)
	}
	if files, m := dataOf(t, a, tokens-1); !m.Partial || len(m.Collections) != 0 || !slices.Equal(files, []string{"knowledge.json", "manifest.json"}) {
		t.Errorf("above the bound: %v %+v", files, m)
	}
}
