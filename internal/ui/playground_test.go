package ui_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"evergreen"
	"evergreen/docs"
	"evergreen/internal/engine"
	"evergreen/internal/pack"
	"evergreen/internal/site"
	"evergreen/internal/text"
	"evergreen/internal/ui"
)

// asked is a playground over files, and what it asked.
type asked struct {
	site    *site.Site
	engine  *engine.Engine
	queries []evergreen.Query
}

func newAsked(t *testing.T, files fstest.MapFS) *asked {
	t.Helper()
	e, err := engine.OpenEmbedded(t.Context(), engine.Options{}, files, "guide")
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := e.Publish()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		snapshot.Close()
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	made, err := site.New(site.Input{Snapshot: snapshot, Options: site.Options{Name: "Example Docs"}})
	if err != nil {
		t.Fatal(err)
	}
	return &asked{site: made, engine: e}
}

func (a *asked) ask(q evergreen.Query) (evergreen.Bundle, error) {
	a.queries = append(a.queries, q)
	return a.engine.Ask(context.Background(), q)
}

func (a *asked) page(t *testing.T, o ui.Options, lang string, q evergreen.Query) string {
	t.Helper()
	b, err := newUI(t, o).Playground(a.site, a.site.Pages()[0], lang, q, a.ask)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// bilingual has questions in both languages and more text than a small budget.
func bilingual() fstest.MapFS {
	files := exampleFiles()
	for _, name := range []string{"One key", "Another key"} {
		files[name+".md"] = &fstest.MapFile{Data: []byte("# " + name + "\n\n" + strings.Repeat("A key is rotated before it is old. ", 15) + "\n")}
	}
	files["context.json"] = &fstest.MapFile{Data: []byte(`{"version":"1.0","revision":"2026-11-30","entries":[
		{"id":"EX-1","category":"fact","title":"Which key is valid? · 哪个密钥有效？","body":"The newest key is valid.","tags":[],"confidence":0.9}]}`)}
	return files
}

// What is suggested is what somebody might ask, not what lies beside the
// documentation or only names something.
func TestSuggestedQuestionsAreAboutTheSubject(t *testing.T) {
	files := fstest.MapFS{}
	for name, title := range map[string]string{"LICENSE": "The MIT License", "a/CODE-OF-CONDUCT": "How we treat each other", "api": "fetchData",
		"guide": "Rotate the keys safely", "other": "When a key is lost", "more": "Keys for two readers"} {
		files[name+".md"] = &fstest.MapFile{Data: []byte("# " + title + "\n\nText of it.\n")}
	}
	a := newAsked(t, files)
	page := a.page(t, ui.Options{}, "en", evergreen.Query{})
	if len(a.queries) != 1 || a.queries[0].Topic != "Rotate the keys safely" {
		t.Errorf("asked %+v", a.queries)
	}
	for text, want := range map[string]bool{"topic=When&#43;a&#43;key&#43;is&#43;lost": true, "topic=Rotate": true, "topic=The&#43;MIT": false, "topic=How": false} {
		if strings.Contains(page, text) != want {
			t.Errorf("%s: suggested %v", text, !want)
		}
	}
}

func TestFirstVisitIsAnswered(t *testing.T) {
	a := newAsked(t, bilingual())
	page := a.page(t, ui.Options{}, "en", evergreen.Query{})
	if len(a.queries) != 1 || a.queries[0].Topic != "Which key is valid?" || a.queries[0].Budget != evergreen.DefaultBudget || a.queries[0].AcceptLang != "en" {
		t.Errorf("asked %+v", a.queries)
	}
	for _, want := range []string{
		`<input id="_topic" name="topic" type="search" value="Which key is valid?"`,
		`<a href="?topic=Which&#43;key&#43;is&#43;valid%3F">Which key is valid?</a>`,
		`<a href="/docs/kb#EX-1" data-f="title">Which key is valid? · 哪个密钥有效？</a>`,
		`<code data-f="marker">[EX-1]</code>`, `confidence 0.90`,
		`The newest <mark>key</mark> is <mark>valid</mark>.`,
		`<li><code>[EX-1]</code> Source: Which key is valid?`,
		`<a href="/" aria-current="page">Playground</a>`,
		`evergreen context &#39;Which key is valid?&#39;</pre>`,
		`"given":false`,
		`<h2 id="collections">`, // what the site says of itself stays
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	chinese := a.page(t, ui.Options{}, "zh", evergreen.Query{})
	for _, want := range []string{`value="哪个密钥有效？"`, "<h1>提问 Example Docs</h1>", `<main id="_main" class="wide" lang="zh-CN">`, "置信度 0.90"} {
		if !strings.Contains(chinese, want) {
			t.Errorf("the Chinese page lacks %s", want)
		}
	}
}

func TestPlaygroundShowsWhatIsLeftOut(t *testing.T) {
	a := newAsked(t, bilingual())
	page := a.page(t, ui.Options{}, "en", evergreen.Query{Topic: "rotate the key's", Budget: 200, Collection: "guide"})
	for _, want := range []string{
		`<option selected>guide</option>`, `value="200">`,
		`rect class="out"`, ` left out</strong>`, `>Raise the budget to `, `&amp;collection=guide"`,
		`?topic=rotate&#43;the&#43;key%27s&amp;budget=200&amp;collection=guide&#39;</pre>`,
		`evergreen context &#39;rotate the key&#39;\&#39;&#39;s&#39; --budget 200 -c &#39;guide&#39;</pre>`,
		`{&#34;query&#34;:&#34;rotate the key&#39;\&#39;&#39;s&#34;,&#34;budget&#34;:200,&#34;collection&#34;:&#34;guide&#34;}`,
		`href="?topic=rotate&#43;the&#43;key%27s&amp;budget=200&amp;collection=guide&amp;lang=zh"`,
		`"given":true`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func TestPlaygroundSaysWhatIsWrong(t *testing.T) {
	a := newAsked(t, bilingual())
	if page := a.page(t, ui.Options{}, "en", evergreen.Query{Topic: "keys", Collection: "nowhere"}); !strings.Contains(page, `role="alert">no collection is named`) &&
		!strings.Contains(page, `role="alert">No collection is named`) {
		t.Errorf("nothing is said of the wrong collection:\n%s", page[strings.Index(page, `id="_fault"`):][:200])
	}
	page := a.page(t, ui.Options{}, "en", evergreen.Query{Topic: "xylophone"})
	if !strings.Contains(page, "Nothing matches this question") || !strings.Contains(page, "Try other words") {
		t.Error("nothing is said of a question without hits")
	}
	if page := a.page(t, ui.Options{}, "en", evergreen.Query{Topic: "rotat3d"}); !strings.Contains(page, `Did you mean: <a href="?topic=rotated">rotated</a>`) {
		t.Error("no spelling is suggested")
	}
}

func TestPlaygroundOfAnExportKnowsNoServer(t *testing.T) {
	a := newAsked(t, bilingual())
	page := a.page(t, ui.Options{Static: true}, "en", evergreen.Query{})
	for _, bad := range []string{"/api/context?", "/mcp", "?lang=", "_curl"} {
		if strings.Contains(page, bad) {
			t.Errorf("a page of an export holds %s", bad)
		}
	}
	if !strings.Contains(page, `"static":true`) || !strings.Contains(page, `id="_cli"`) {
		t.Error("the script is not told, or the command line is missing")
	}
}

// The script writes what the server writes: Markdown, marks, commands.
func TestBrowserShowsWhatTheServerShows(t *testing.T) {
	n := startNode(t)
	own, err := docs.Files.ReadFile(docs.KnowledgeFile)
	if err != nil {
		t.Fatal(err)
	}
	g := newGenerator(11)
	b := newBase(t, map[string][]byte{"kb": own, "gen": g.knowledge(40, "GEN")})
	for range 400 {
		params := g.question(b.categories, b.collections)
		bundle, written := b.ask(t, params)
		want := pack.Markdown(bundle, 0, text.Tokens)
		var got string
		if err := json.Unmarshal([]byte(n.call(map[string]any{"op": "markdown", "bundle": json.RawMessage(written), "lang": bundle.Lang})), &got); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Fatalf("%v: %s", params, cmp.Diff(want, got))
		}
		for _, e := range bundle.Entries[:min(len(bundle.Entries), 3)] {
			got := n.call(map[string]any{"op": "snippet", "body": e.Body, "title": e.Title, "query": bundle.Query.Topic})
			if want := ui.SnippetJSON(e.Body, e.Title, bundle.Query.Topic); got != want {
				t.Fatalf("%q of %s:\n got %s\nwant %s", bundle.Query.Topic, e.ID, got, want)
			}
		}
		q := evergreen.Query{Topic: bundle.Query.Topic, Budget: bundle.Budget, Collection: bundle.Query.Collection}
		if bundle.Query.Category != nil {
			q.Category = *bundle.Query.Category
		}
		gotLines := n.call(map[string]any{"op": "lines", "query": map[string]any{"topic": q.Topic, "budget": q.Budget, "collection": q.Collection, "category": q.Category}})
		if want := ui.LinesJSON(t, q); gotLines != want {
			t.Fatalf("%+v:\n got %s\nwant %s", q, gotLines, want)
		}
	}
}
