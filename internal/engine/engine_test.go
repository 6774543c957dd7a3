package engine_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"evergreen"
	"evergreen/internal/engine"
)

// bench is an engine on a library and a source folder of the test's own.
type bench struct {
	t      *testing.T
	e      *engine.Engine
	source string
	clock  time.Time
}

func newBench(t *testing.T, files map[string]string) *bench {
	t.Helper()
	b := &bench{t: t, source: filepath.Join(t.TempDir(), "docs"), clock: time.Now().Add(time.Hour)}
	b.write(files)
	b.e = b.open(filepath.Join(t.TempDir(), "library"))
	return b
}

func (b *bench) open(root string) *engine.Engine {
	b.t.Helper()
	e, err := engine.Open(engine.Options{Root: root, Now: func() time.Time { return b.clock }})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = e.Close() })
	return e
}

func (b *bench) write(files map[string]string) {
	b.t.Helper()
	for name, text := range files {
		file := filepath.Join(b.source, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			b.t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			b.t.Fatal(err)
		}
	}
}

func (b *bench) index() evergreen.IndexReport {
	b.t.Helper()
	b.clock = b.clock.Add(time.Minute)
	r, err := b.e.Index(context.Background(), evergreen.IndexRequest{Source: evergreen.Source{Location: b.source}}, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func (b *bench) search(q string) []string {
	b.t.Helper()
	r, err := b.e.Search(context.Background(), evergreen.SearchRequest{Query: q})
	if err != nil {
		b.t.Fatal(err)
	}
	ids := []string{}
	for _, h := range r.Hits {
		ids = append(ids, h.ID)
	}
	return ids
}

func (b *bench) get(id string) evergreen.SectionText {
	b.t.Helper()
	s, err := b.e.Section(context.Background(), evergreen.SectionRequest{ID: id, Verify: true, Context: true})
	if err != nil {
		b.t.Fatalf("get %s: %v", id, err)
	}
	return s
}

var guide = map[string]string{
	"index.md":      "# Guide\n\nWelcome to the walrus guide.\n",
	"keys.md":       "---\ntitle: Keys\ntags: [security]\n---\n\nIntro to keys.\n\n# Rotating keys\n\nRun `rotateKey` daily.\n\n## Old keys\n\nThey stay valid for a day.\n",
	"zh/install.md": "# 安装 指南\n\n运行安装程序，然后重跑gen-itgc后检查。\n\n## 引用\n\n防止幻觉的引用。\n",
	"secret.md":     "# Secret\n\nNothing hidden about the narwhal.\n",
}

func TestIndexAndFind(t *testing.T) {
	b := newBench(t, guide)
	r := b.index()
	want := evergreen.Counts{Discovered: 4, Indexed: 4}
	if diff := cmp.Diff(want, r.Documents); diff != "" {
		t.Fatalf("counts (-want +got):\n%s", diff)
	}
	for _, tc := range []struct{ query, first string }{
		{"narwhal", "docs::secret.md::secret#1"},
		{"rotate keys daily", "docs::keys.md::rotating-keys#1"},
		{"rotateKey", "docs::keys.md::rotating-keys#1"},
		{"幻觉", "docs::zh/install.md::安装-指南/引用#2"},
		{"装", "docs::zh/install.md::安装-指南#1"},
		{"gen-itgc", "docs::zh/install.md::安装-指南#1"},
		{`"valid for a day"`, "docs::keys.md::rotating-keys/old-keys#2"},
	} {
		got := b.search(tc.query)
		if len(got) == 0 || got[0] != tc.first {
			t.Errorf("search %q = %v, want %s first", tc.query, got, tc.first)
		}
	}
	if got := b.search(`"valid a for day"`); len(got) != 0 {
		t.Errorf("a phrase in another order matched %v", got)
	}
}

func TestSectionText(t *testing.T) {
	b := newBench(t, guide)
	b.index()
	s := b.get("docs::keys.md::rotating-keys/old-keys#2")
	if s.Markdown != "## Old keys\n\nThey stay valid for a day.\n" || !*s.Verified || s.ParentID != "docs::keys.md::rotating-keys#1" {
		t.Errorf("section = %+v", s)
	}
	if len(s.Context.Ancestors) != 1 || s.Context.Previous == nil || s.Context.Next != nil {
		t.Errorf("context = %+v", s.Context)
	}
	for _, alias := range []string{
		s.Marker, "[" + s.Marker + "]", "keys.md#old-keys", "docs::keys.md#old-keys", "docs/keys.md#old-keys",
		"docs::keys.md::rotating-keys/old-keys", "docs::keys.md::old-keys#2",
	} {
		got := b.get(alias)
		if got.ID != s.ID {
			t.Errorf("get %s = %s, want %s", alias, got.ID, s.ID)
		}
		if got.Hint == "" && !strings.Contains(alias, s.Marker) {
			t.Errorf("get %s: no hint", alias)
		}
	}
	zh := b.get("zh/install.md#引用")
	if zh.ID != "docs::zh/install.md::安装-指南/引用#2" {
		t.Errorf("Chinese anchor = %s", zh.ID)
	}
	pre := b.get("docs::keys.md::keys#0")
	if pre.Title != "Keys" || strings.TrimSpace(pre.Markdown) != "Intro to keys." {
		t.Errorf("preamble = %+v", pre)
	}
}

func TestUnknownNamesTheNearest(t *testing.T) {
	b := newBench(t, guide)
	b.index()
	_, err := b.e.Section(context.Background(), evergreen.SectionRequest{ID: "docs::keys.md::rotating-keys/old-key#2"})
	e, ok := err.(*evergreen.Error)
	if !ok || e.Kind != evergreen.NotFound || len(e.Nearest) != 3 || e.Nearest[0] != "docs::keys.md::rotating-keys/old-keys#2" {
		t.Errorf("error = %+v", err)
	}
	_, err = b.e.Search(context.Background(), evergreen.SearchRequest{Query: "x", Collection: "dosc"})
	if e, ok := err.(*evergreen.Error); !ok || len(e.Nearest) == 0 || e.Nearest[0] != "docs" {
		t.Errorf("error = %+v", err)
	}
	res, err := b.e.Search(context.Background(), evergreen.SearchRequest{Query: "narwhalle"})
	if err != nil || res.Matched || len(res.Suggestions) == 0 || res.Suggestions[0] != "narwhal" {
		t.Errorf("suggestions = %+v, %v", res, err)
	}
}

func TestIncremental(t *testing.T) {
	b := newBench(t, guide)
	b.index()
	if r := b.index(); r.Documents.Unchanged != 4 || r.Documents.Indexed != 0 {
		t.Fatalf("no-change run = %+v", r.Documents)
	}
	b.write(map[string]string{
		"keys.md": "# Rotating keys\n\n## Before\n\nNew text about the otter.\n\n## Old keys\n\nThey stay valid for a day.\n",
		"new.md":  "# New\n\nAbout the ibex.\n",
	})
	if err := os.Remove(filepath.Join(b.source, "secret.md")); err != nil {
		t.Fatal(err)
	}
	want := evergreen.Counts{Discovered: 4, Indexed: 2, Unchanged: 2, Removed: 1}
	if diff := cmp.Diff(want, b.index().Documents); diff != "" {
		t.Fatalf("counts (-want +got):\n%s", diff)
	}
	for query, hits := range map[string]int{"narwhal": 0, "otter": 1, "ibex": 1, "walrus": 1, "daily": 0} {
		if got := b.search(query); len(got) != hits {
			t.Errorf("search %q = %v, want %d hits", query, got, hits)
		}
	}
	b.clock = b.clock.Add(time.Hour)
	before := b.e.Revision()
	touched := filepath.Join(b.source, "new.md")
	if err := os.Chtimes(touched, b.clock, b.clock); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if r := b.index(); r.Documents.Unchanged != 4 {
			t.Errorf("touched but equal file = %+v", r.Documents)
		}
		if b.e.Revision() != before {
			t.Error("a run that found nothing new changed the revision")
		}
	}
	b.clock = b.clock.Add(time.Minute)
	r, err := b.e.Index(context.Background(), evergreen.IndexRequest{Source: evergreen.Source{Location: b.source}, Refresh: true}, nil)
	if err != nil || r.Documents.Indexed != 4 {
		t.Errorf("a refresh reads everything again: %+v, %v", r.Documents, err)
	}
	if got := b.search("ibex"); len(got) != 1 {
		t.Errorf("after a refresh: %v", got)
	}
}

func TestMovedSectionIsFollowed(t *testing.T) {
	b := newBench(t, map[string]string{"a.md": "# A\n\n## Same\n\nfirst\n\n## Same\n\nsecond\n"})
	b.index()
	old := b.get("docs::a.md::a/same-2#2")
	b.write(map[string]string{"a.md": "# A\n\n## Same\n\nsecond\n"})
	b.index()
	got := b.get(old.ID)
	if got.ID != "docs::a.md::a/same#2" || !strings.Contains(got.Hint, "moved") {
		t.Errorf("moved section = %s, hint %q", got.ID, got.Hint)
	}
}

// TestRankingDoesNotDependOnSegments indexes the same documents at once and one
// by one, with detours, and wants equal answers.
func TestRankingDoesNotDependOnSegments(t *testing.T) {
	b := newBench(t, nil)
	words := strings.Fields("otter ibex walrus lynx heron crane finch robin eagle raven")
	file := func(i int) (string, string) {
		text := "# " + words[i%10] + "\n\n"
		for j := range 30 {
			text += words[(i*j+i)%10] + " " + words[(i+j)%7] + " "
		}
		return "d" + string(rune('a'+i/10)) + string(rune('a'+i%10)) + ".md", text + "\n"
	}
	if err := os.MkdirAll(b.source, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		name, text := file(i)
		b.write(map[string]string{name: text + "draft of it with heron heron\n"})
		b.index()
		b.write(map[string]string{name: text})
		b.index()
	}
	whole := b.open(filepath.Join(t.TempDir(), "other"))
	if _, err := whole.Index(context.Background(), evergreen.IndexRequest{Source: evergreen.Source{Location: b.source}}, nil); err != nil {
		t.Fatal(err)
	}
	for _, q := range append(words, "otter heron", "eagle raven finch", `"otter ibex"`) {
		req := evergreen.SearchRequest{Query: q, Limit: 40}
		left, err1 := b.e.Search(context.Background(), req)
		right, err2 := whole.Search(context.Background(), req)
		if err1 != nil || err2 != nil || left.Total == 0 && q != `"otter ibex"` {
			t.Fatal(q, err1, err2, left.Total)
		}
		if diff := cmp.Diff(left.Hits, right.Hits); diff != "" {
			t.Errorf("search %q differs:\n%s", q, diff)
		}
	}
}

func TestAskIsDeterministicAndWithinBudget(t *testing.T) {
	b := newBench(t, guide)
	b.index()
	var first []byte
	for range 5 {
		e := b.open(b.e.Root())
		for _, budget := range []int{200, 600, 2000} {
			bundle, err := e.Ask(context.Background(), evergreen.Query{Topic: "how long are old keys valid", Budget: budget})
			if err != nil {
				t.Fatal(err)
			}
			if bundle.UsedTokens > budget || !bundle.Matched || bundle.EntryCount == 0 {
				t.Errorf("bundle at %d = %+v", budget, bundle)
			}
			if bundle.Entries[0].ID != "docs::keys.md::rotating-keys/old-keys#2" || bundle.Entries[0].Relevance != 1 {
				t.Errorf("first entry = %+v", bundle.Entries[0])
			}
			if budget != 2000 {
				continue
			}
			got, err := json.Marshal(bundle)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = got
			}
			if string(first) != string(got) {
				t.Errorf("two starts answer differently:\n%s\n%s", first, got)
			}
		}
	}
	bundle, err := b.e.Ask(context.Background(), evergreen.Query{Topic: "zzzz"})
	if err != nil || bundle.Matched || bundle.EntryCount == 0 || bundle.Entries[0].Relevance != 0.17 {
		t.Errorf("no hit = %+v, %v", bundle, err)
	}
}

// TestHeadingsAloneAreNoAnswer wants no entry without a body in a bundle.
func TestHeadingsAloneAreNoAnswer(t *testing.T) {
	b := newBench(t, map[string]string{"a.md": "# Walrus care\n\n\n\n\n\n\n\n## Feeding\n\nFish for the walrus.\n\n## Walrus\n"})
	b.index()
	bundle, err := b.e.Ask(context.Background(), evergreen.Query{Topic: "walrus care"})
	if err != nil || bundle.EntryCount != 1 || bundle.Entries[0].Title != "Feeding" {
		t.Errorf("bundle = %+v, %v", bundle.Entries, err)
	}
}

func TestCitationsUseTheBaseURL(t *testing.T) {
	b := newBench(t, guide)
	b.index()
	e, err := engine.Open(engine.Options{Root: b.e.Root(), BaseURL: "https://docs.example.com/"})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	bundle, err := e.Ask(context.Background(), evergreen.Query{Topic: "how long are old keys valid"})
	want := "https://docs.example.com/docs/docs/keys#old-keys"
	if err != nil || bundle.Citations[0].URL != want {
		t.Errorf("citation = %+v, want %s, %v", bundle.Citations, want, err)
	}
}

// TestNothingIsDroppedSilently accounts for files of every kind.
func TestNothingIsDroppedSilently(t *testing.T) {
	b := newBench(t, map[string]string{
		"README": "Plain words about the walrus.\n", "a.md": "# A\n\ntext\n", "b.rst": "B\n=\n", "c.rst": "C\n=\n", "x.png": "\x89PNG", "bin.md": "a\x00b",
	})
	r := b.index()
	if r.Documents != (evergreen.Counts{Discovered: 3, Indexed: 2, Skipped: 1}) {
		t.Errorf("counts = %+v", r.Documents)
	}
	var lines []string
	for _, s := range r.Skipped {
		lines = append(lines, s.Path+": "+s.Reason)
	}
	want := []string{"*.png: 1 file of a kind that is not read", "*.rst: 2 files of a kind that is not read", "bin.md: binary"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
	remembered, err := b.e.Skips(context.Background(), r.Collection)
	if diff := cmp.Diff(r.Skipped, remembered); diff != "" || err != nil {
		t.Errorf("remembered, %v (-want +got):\n%s", err, diff)
	}
	if unknown, err := b.e.Skips(context.Background(), "nowhere"); unknown != nil || err != nil {
		t.Errorf("of an unknown collection: %v, %v", unknown, err)
	}
}

func TestNoDocumentNoCollection(t *testing.T) {
	b := newBench(t, map[string]string{"x.png": "\x89PNG"})
	b.index()
	if c, err := b.e.Collections(context.Background()); err != nil || len(c) != 0 {
		t.Errorf("collections = %+v, %v", c, err)
	}
	if _, err := b.e.Index(context.Background(), evergreen.IndexRequest{
		Source: evergreen.Source{Location: b.source}, Name: "a::b",
	}, nil); evergreen.KindOf(err) != evergreen.Invalid {
		t.Errorf("a name with :: gives %v", err)
	}
}

func TestKnowledgeBase(t *testing.T) {
	b := newBench(t, map[string]string{"context.json": `{"version":"1.2.0","revision":"2026-09-02","entries":[
		{"id":"X-1","category":"rule","title":"引用防幻觉","summary":"s","body":"每个断言都要引用。","tags":["引用"],"confidence":0.97},
		{"id":"X-2","category":"fact","title":"Budgets","summary":"tokens","body":"A budget bounds an answer.","confidence":0.9}]}`})
	b.source = filepath.Join(b.source, "context.json")
	r := b.index()
	if r.Collection != "kb" || r.Documents.Indexed != 1 || r.Sections != 2 {
		t.Fatalf("report = %+v", r)
	}
	bundle, err := b.e.Ask(context.Background(), evergreen.Query{Topic: "幻觉 引用"})
	if err != nil {
		t.Fatal(err)
	}
	if bundle.Entries[0].ID != "X-1" || bundle.KnowledgeVersion != "1.2.0" || bundle.Revision != "2026-09-02" {
		t.Errorf("bundle = %+v", bundle)
	}
	if c := bundle.Citations[0]; c.Marker != "[X-1]" || c.URL != "/context.json#X-1" {
		t.Errorf("citation = %+v", c)
	}
	entry, hint, err := b.e.Entry(context.Background(), "x-2")
	if err != nil || entry.ID != "X-2" || entry.Body != "A budget bounds an answer." || hint == "" {
		t.Errorf("entry = %+v, hint %q, %v", entry, hint, err)
	}
	_, err = b.e.Ask(context.Background(), evergreen.Query{Category: "rules"})
	if err == nil || !strings.Contains(strings.Join(evergreen.Hints(err), " "), "fact, rule") {
		t.Errorf("unknown category = %v %v", err, evergreen.Hints(err))
	}
}

// TestSearchWhileIndexing asks during rebuilds: every answer is the old state
// or the new one, never a mixture and never an error.
func TestSearchWhileIndexing(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		files["d"+string(rune('a'+i%26))+string(rune('a'+i/26))+".md"] = "# Doc\n\nalpha alpha text\n"
	}
	b := newBench(t, files)
	b.index()
	stop := make(chan struct{})
	done := make(chan string, 1)
	go func() {
		for {
			select {
			case <-stop:
				done <- ""
				return
			default:
			}
			totals := map[string]int{}
			res, err := b.e.Search(context.Background(), evergreen.SearchRequest{Query: "alpha bravo", Limit: 100})
			if err != nil {
				done <- err.Error()
				return
			}
			for _, h := range res.Hits {
				totals[strings.Fields(h.Snippet)[0]]++
			}
			if len(totals) != 1 || res.Total != 40 {
				done <- "a mixture: " + strings.Join(strings.Fields(strings.TrimSpace(string(mustJSON(totals)))), "")
				return
			}
		}
	}()
	for i := range 6 {
		word := []string{"bravo", "alpha"}[i%2]
		for name := range files {
			b.write(map[string]string{name: "# Doc\n\n" + word + " " + word + " text\n"})
		}
		b.index()
	}
	close(stop)
	if fault := <-done; fault != "" {
		t.Error(fault)
	}
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func TestCheckLinks(t *testing.T) {
	b := newBench(t, map[string]string{
		"a.md":         "# A\n\n[ok](guide/b.md) [dead](gone.md) [typo](htps://x.example) [page](guide/b.html) [dir](guide/) ![i](x.png)\n",
		"guide/b.md":   "# B\n\n[up](../a.md#a) [self](#b) [bad](../c.html)\n",
		"guide/c.html": "<h1>C</h1><p>text</p>",
	})
	b.index()
	checked, faults, err := b.e.CheckLinks(context.Background(), "docs")
	if err != nil || checked != 9 {
		t.Fatalf("%d links checked, %v", checked, err)
	}
	var got []string
	for _, f := range faults {
		got = append(got, f.DocPath+" "+f.Target)
	}
	if diff := cmp.Diff([]string{"a.md gone.md", "a.md htps://x.example", "guide/b.md ../c.html"}, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}
