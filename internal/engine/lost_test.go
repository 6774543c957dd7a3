package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"evergreen"
)

// What damage has taken is said with every answer that would have been made from
// it, and with no other.
func TestAnswersSayWhichCollectionsAreMissing(t *testing.T) {
	b := newBench(t, guide)
	b.index()
	other := filepath.Join(t.TempDir(), "other.md")
	if err := os.WriteFile(other, []byte("# Other\n\nKeys of another kind.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := b.e.Index(t.Context(), evergreen.IndexRequest{Source: evergreen.Source{Location: other}, Name: "other"}, nil); err != nil {
		t.Fatal(err)
	}
	whole := b.e.Revision()
	warned := func(root, collection string) (bundle, found []evergreen.Warning, revision string) {
		t.Helper()
		e := b.open(root)
		answer, err := e.Ask(t.Context(), evergreen.Query{Topic: "keys", Collection: collection, Budget: 2000})
		if err != nil {
			t.Fatal(err)
		}
		result, err := e.Search(t.Context(), evergreen.SearchRequest{Query: "keys", Collection: collection})
		if err != nil {
			t.Fatal(err)
		}
		return answer.Warnings, result.Warnings, e.Revision()
	}
	root := b.e.Root()
	_ = b.e.Close()
	if bundle, found, _ := warned(root, ""); bundle != nil || found != nil {
		t.Errorf("a whole library: %v, %v", bundle, found)
	}
	segments, err := filepath.Glob(filepath.Join(root, "*", "other*", "*.seg"))
	if err != nil || len(segments) == 0 {
		t.Fatal("no segment of the collection", err)
	}
	for _, file := range segments {
		if err := os.Truncate(file, 100); err != nil {
			t.Fatal(err)
		}
	}
	bundle, found, revision := warned(root, "")
	for _, warnings := range [][]evergreen.Warning{bundle, found} {
		if len(warnings) != 1 || warnings[0].ID != "other" || warnings[0].Rule != evergreen.RuleDamaged {
			t.Errorf("warnings %+v", warnings)
		}
	}
	if bundle, found, _ := warned(root, "docs"); bundle != nil || found != nil {
		t.Errorf("of a collection that is whole: %v, %v", bundle, found)
	}
	if err := os.RemoveAll(filepath.Dir(segments[0])); err != nil {
		t.Fatal(err)
	}
	bundle, found, after := warned(root, "")
	if bundle != nil || found != nil || after == revision || after == whole {
		t.Errorf("without the collection: %v, %v; an answer that is kept by its revision (%s, %s, %s) would not say what is missing", bundle, found, whole, revision, after)
	}
}
