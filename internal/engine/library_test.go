package engine_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"evergreen"
	"evergreen/internal/site"
)

const smallKnowledge = `{"version":"2","revision":"r7","site":{"name":"Walruses"},
"categories":[{"id":"care","label":"Care","description":"How to keep one"}],
"entries":[{"id":"W-2","category":"care","title":"Feeding","body":"A walrus eats clams."},{"id":"W-1","category":"care","title":"Resting","body":"A walrus rests on ice."}]}`

// TestDelete removes a collection, tells those who listen, and takes an absent
// one for no error.
func TestDelete(t *testing.T) {
	b := newBench(t, guide)
	b.index()
	told, before := 0, b.e.Revision()
	b.e.OnChange(func() { told++ })
	if ok, err := b.e.Delete(context.Background(), "docs"); !ok || err != nil || told != 1 {
		t.Errorf("removed %v, %v; told %d times", ok, err, told)
	}
	if got := b.search("narwhal"); len(got) != 0 || b.e.Revision() == before {
		t.Errorf("after the removal: %v, revision %s as before", got, b.e.Revision())
	}
	if ok, err := b.e.Delete(context.Background(), "docs"); ok || err != nil || told != 1 {
		t.Errorf("again: removed %v, %v; told %d times", ok, err, told)
	}
	if r := b.index(); r.Documents.Indexed != 4 || told != 2 {
		t.Errorf("indexed again: %+v, told %d times", r.Documents, told)
	}
}

// TestMetricsCount compares what metrics.json says with what is there.
func TestMetricsCount(t *testing.T) {
	b := newBench(t, guide)
	b.write(map[string]string{"context.json": smallKnowledge})
	b.index()
	raw, err := b.e.Metrics(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Revision, GeneratedAt string
		Totals                struct{ Collections, Documents, Sections, Entries, Tokens int }
		Collections           []struct {
			Collection                  string
			Documents, Sections, Tokens int
		}
		Budgets map[string]int
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	if m.Totals.Collections != 1 || m.Totals.Entries != 2 || len(m.Collections) != 1 || m.Revision != b.e.Revision() {
		t.Errorf("%s", raw)
	}
	if c := m.Collections[0]; c.Collection != "docs" || c.Documents != m.Totals.Documents || c.Sections != m.Totals.Sections || c.Tokens != m.Totals.Tokens || c.Tokens == 0 {
		t.Errorf("one collection is not the total: %s", raw)
	}
	if diff := cmp.Diff(map[string]int{"min": evergreen.MinBudget, "default": evergreen.DefaultBudget, "max": evergreen.MaxBudget}, m.Budgets); diff != "" {
		t.Errorf("budgets (-want +got):\n%s", diff)
	}
}

func TestPromptPacks(t *testing.T) {
	b := newBench(t, nil)
	chat, err := b.e.PromptPack(context.Background(), "", "")
	if named, err := b.e.PromptPack(context.Background(), "chat", "en"); err != nil || named != chat || chat == "" {
		t.Errorf("the scenario of last resort: %v", err)
	}
	if err != nil {
		t.Error(err)
	}
	if chinese, err := b.e.PromptPack(context.Background(), "chat", "zh"); err != nil || chinese == chat {
		t.Errorf("in Chinese: %v", err)
	}
	for _, wrong := range [][2]string{{"chatt", "en"}, {"chat", "xx"}} {
		if text, err := b.e.PromptPack(context.Background(), wrong[0], wrong[1]); err == nil || text != "" {
			t.Errorf("%v gives %q, %v", wrong, text, err)
		}
	}
}

// TestRankIDs wants the ids of a search, in its order.
func TestRankIDs(t *testing.T) {
	b := newBench(t, guide)
	b.index()
	got, err := b.e.RankIDs(context.Background(), "docs", "rotating keys", 2)
	if err != nil || len(got) != 2 {
		t.Fatalf("%v, %v", got, err)
	}
	if diff := cmp.Diff(b.search("rotating keys")[:2], got); diff != "" {
		t.Errorf("a search finds others (-search +ranked):\n%s", diff)
	}
	if _, err := b.e.RankIDs(context.Background(), "dox", "keys", 2); evergreen.KindOf(err) != evergreen.NotFound {
		t.Errorf("an unknown collection: %v", err)
	}
}

// TestWeightedSearch ranks curated entries by their weights, any other section by
// the integer form, and nothing by a mode that does not exist.
func TestWeightedSearch(t *testing.T) {
	b := newBench(t, guide)
	kb := filepath.Join(t.TempDir(), "context.json")
	if err := os.WriteFile(kb, []byte(smallKnowledge), 0o644); err != nil {
		t.Fatal(err)
	}
	b.index()
	if _, err := b.e.Index(context.Background(), evergreen.IndexRequest{Source: evergreen.Source{Location: kb}, Name: "kb"}, nil); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		collection, query string
		want              []string
	}{
		{"kb", "walrus clams", []string{"W-2", "W-1"}},
		{"kb", "zeppelin", nil},
		{"docs", "old keys", []string{"docs::keys.md::rotating-keys/old-keys#2", "docs::keys.md::keys#0", "docs::keys.md::rotating-keys#1"}},
	} {
		r, err := b.e.Search(context.Background(), evergreen.SearchRequest{Query: tc.query, Collection: tc.collection, Mode: evergreen.ModeWeighted})
		var got []string
		for _, h := range r.Hits {
			got = append(got, h.ID)
		}
		if diff := cmp.Diff(tc.want, got); err != nil || diff != "" {
			t.Errorf("%q in %s: %v (-want +got):\n%s", tc.query, tc.collection, err, diff)
		}
	}
	_, err := b.e.Search(context.Background(), evergreen.SearchRequest{Query: "keys", Mode: "wieghted"})
	if evergreen.KindOf(err) != evergreen.Invalid || !strings.Contains(strings.Join(evergreen.Hints(err), " "), "weighted") {
		t.Errorf("an unknown mode: %v, hints %q", err, evergreen.Hints(err))
	}
}

func published(collection, path string) site.Document {
	return site.Document{Document: evergreen.Document{Collection: collection, Path: path}}
}

// TestPublished reads what a site is made of from one snapshot, which a later run
// does not change.
func TestPublished(t *testing.T) {
	b := newBench(t, guide)
	b.write(map[string]string{"context.json": smallKnowledge, "draft.md": "---\ndraft: true\n---\n# Draft\n"})
	b.index()
	p, err := b.e.Publish()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	revision, at := p.Revision(), p.Time()
	b.write(map[string]string{"index.md": "# Other\n"})
	b.index()
	if p.Revision() != revision || p.Revision() == b.e.Revision() || !p.Time().Equal(at) || at.IsZero() {
		t.Errorf("revision %s was %s, now %s; time %s was %s", p.Revision(), revision, b.e.Revision(), p.Time(), at)
	}
	var paths []string
	for d := range p.Documents("docs") {
		paths = append(paths, d.Path)
	}
	if diff := cmp.Diff([]string{"index.md", "keys.md", "secret.md", "zh/install.md"}, paths); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	var ids []string
	for _, e := range p.Entries() {
		ids = append(ids, e.ID)
	}
	if diff := cmp.Diff([]string{"W-1", "W-2"}, ids); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	want := site.Knowledge{Version: "2", Revision: "r7", Categories: []site.Category{{ID: "care", Label: "Care", Description: "How to keep one"}}}
	if diff := cmp.Diff(want, p.Knowledge()); diff != "" {
		t.Errorf("knowledge (-want +got):\n%s", diff)
	}
	if text, err := p.Text(published("docs", "index.md")); err != nil || string(text) != guide["index.md"] {
		t.Errorf("the text of the snapshot is %q, %v", text, err)
	}
	for _, gone := range []site.Document{published("dox", "index.md"), published("docs", "gone.md"), published("docs", "draft.md")} {
		_, textErr := p.Text(gone)
		_, sectionsErr := p.Sections(gone)
		if evergreen.KindOf(textErr) != evergreen.NotFound || evergreen.KindOf(sectionsErr) != evergreen.NotFound {
			t.Errorf("%+v: %v, %v", gone, textErr, sectionsErr)
		}
	}
	for range p.Documents("dox") {
		t.Error("an unknown collection has documents")
	}
}

// TestOutlineOfOneDocument lists one document's sections, and says what is near
// when there is none of that name.
func TestOutlineOfOneDocument(t *testing.T) {
	b := newBench(t, guide)
	b.index()
	o, err := b.e.Outline(context.Background(), evergreen.OutlineRequest{Collection: "docs", DocPath: "keys.md", Limit: -1})
	if err != nil || len(o.Documents) != 1 || o.Documents[0].Path != "keys.md" || len(o.Documents[0].Sections) != 3 {
		t.Errorf("%+v, %v", o, err)
	}
	_, err = b.e.Outline(context.Background(), evergreen.OutlineRequest{Collection: "docs", DocPath: "keyz.md"})
	if evergreen.KindOf(err) != evergreen.NotFound || !strings.Contains(strings.Join(evergreen.Hints(err), " "), "keys.md") {
		t.Errorf("%v, hints %q", err, evergreen.Hints(err))
	}
}

// TestWebSources names collections after hosts, and refuses addresses that are
// none or carry a password, before anything is fetched.
func TestWebSources(t *testing.T) {
	b := newBench(t, nil)
	for location, kind := range map[string]evergreen.Kind{
		"ftp://example.com/":    evergreen.Invalid,
		"https://":              evergreen.Invalid,
		"http://u:p@127.0.0.1/": evergreen.Blocked,
	} {
		_, err := b.e.Index(context.Background(), evergreen.IndexRequest{Source: evergreen.Source{Location: location}}, nil)
		if evergreen.KindOf(err) != kind || len(evergreen.Hints(err)) == 0 {
			t.Errorf("%s: %s error %v, hints %q", location, evergreen.KindOf(err), err, evergreen.Hints(err))
		}
	}
}
