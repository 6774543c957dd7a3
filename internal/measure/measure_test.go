package measure

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"evergreen"

	"github.com/google/go-cmp/cmp"
)

// subjects are the pages of the fake site. "deep" hangs behind "storage" only.
func subjects() []string { return []string{"install", "keys", "storage", "安装", "deep"} }

func pageText(subject string) string {
	return "All about " + subject + " in Example, told in one paragraph of some length, so that it is content and not decoration."
}

// fake is a small site with every layer that is measured.
func fake(w http.ResponseWriter, r *http.Request) {
	base := "http://" + r.Host
	send := func(kind, body string) {
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, body)
	}
	subject := strings.TrimPrefix(r.URL.Path, "/docs/")
	switch {
	case r.URL.Path == "/":
		var links strings.Builder
		for _, s := range subjects()[:4] {
			fmt.Fprintf(&links, `<a href="/docs/%s">%s</a> `, s, s)
		}
		send("text/html; charset=utf-8", `<!doctype html><title>Example</title><script type="application/ld+json">{"@type":"WebSite"}</script><body><main><h1>Example</h1><p>`+
			pageText("everything")+`</p>`+links.String()+`<a href="/llms.txt">index</a><a href="https://other.example/">away</a></main>`)
	case r.URL.Path == "/llms.txt":
		body := "# Example\n\n> A job server.\n\n## Docs\n\n"
		for _, s := range subjects() {
			body += "- [" + s + "](" + base + "/docs/" + s + ".html.md): about " + s + "\n"
		}
		send("text/markdown", body)
	case r.URL.Path == "/sitemap.xml":
		body := "<urlset><url><loc>" + base + "/</loc></url>"
		for _, s := range subjects() {
			body += "<url><loc>" + base + "/docs/" + s + "</loc></url>"
		}
		send("application/xml", body+"</urlset>")
	case r.URL.Path == "/api/context":
		topic := r.URL.Query().Get("topic")
		entries := []any{}
		citations := []any{}
		for _, s := range subjects() {
			if strings.Contains(topic, s) && s != "keys" { // keys is not found: the index must do
				entries = append(entries, map[string]any{"id": "docs::" + s, "title": s, "collection": "docs", "doc_path": s + ".md", "url": base + "/docs/" + s})
				citations = append(citations, map[string]any{"url": "/docs/" + s + "#top"})
			}
		}
		b, _ := json.Marshal(map[string]any{"revision": "r1", "usedTokens": 40 * len(entries), "truncated": r.URL.Query().Get("budget") == "500", "entries": entries, "citations": citations})
		send("application/json", string(b))
	case r.URL.Path == "/mcp":
		var m struct {
			Method string `json:"method"`
			Params struct {
				Name      string         `json:"name"`
				Arguments map[string]any `json:"arguments"`
			} `json:"params"`
		}
		if json.NewDecoder(r.Body).Decode(&m) != nil {
			w.WriteHeader(400)
			return
		}
		switch {
		case m.Method == "tools/list":
			send("text/event-stream", "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[{\"name\":\"search_context\"}, {\"name\":\"get_entry\"},{\"name\":\"get_metrics\"},{\"name\":\"index_url\"}]}}\n\n")
		case m.Params.Name == "get_metrics":
			send("application/json", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"none"}],"isError":true}}`)
		default:
			send("application/json", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"%s"},{"type":"text","text":"%v"}]}}`, m.Params.Name, m.Params.Arguments["id"]))
		}
	case strings.HasPrefix(r.URL.Path, "/docs/"):
		subject = strings.TrimSuffix(subject, ".html.md")
		if strings.HasSuffix(r.URL.Path, ".html.md") || r.Header.Get("Accept") == "text/markdown" {
			send("text/markdown; charset=utf-8", "# "+subject+"\n\n"+pageText(subject)+"\n")
			return
		}
		more := ""
		if subject == "storage" {
			more = `<p><a href="/docs/deep">further down</a></p>`
		}
		send("text/html; charset=utf-8", "<!doctype html><title>"+subject+" - Example</title><nav>"+strings.Repeat("menu ", 50)+"</nav><main><h1>"+subject+"</h1><p>"+pageText(subject)+"</p>"+more+"</main>")
	default:
		http.NotFound(w, r)
	}
}

func measured(t *testing.T, h http.HandlerFunc, change ...func(*Options)) Metrics {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	o := Options{BaseURL: server.URL + "/", Now: func() time.Time { return time.Date(2026, 11, 30, 1, 2, 3, 0, time.UTC) }}
	for _, c := range change {
		c(&o)
	}
	m, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestFigures(t *testing.T) {
	m := measured(t, fake)
	if m.Date != "2026-11-30T01:02:03Z" || m.Estimator != DefaultEstimator || m.Revision != "r1" || m.Quality != nil {
		t.Errorf("%+v", m)
	}
	var layers []string
	for _, l := range m.Layers {
		layers = append(layers, l.Layer+" "+l.Path)
		if l.Tokens <= 0 || l.Bytes < l.Tokens {
			t.Errorf("%+v", l)
		}
	}
	if diff := cmp.Diff([]string{"L1 /llms.txt", "L7 /sitemap.xml", "L6 / (JSON-LD)"}, layers); diff != "" {
		t.Error(diff)
	}
	if m.Mirrors.Of != 6 || m.Mirrors.Pages != 5 || len(m.Pages) != 6 || m.Mirrors.Share <= 0 || m.Mirrors.Share >= 1 {
		t.Errorf("%+v, %d pages", m.Mirrors, len(m.Pages))
	}
	for _, p := range m.Pages {
		if p.Path != "/" && (p.HTMLDensity <= 0 || p.MirrorDensity <= p.HTMLDensity || p.MirrorDensity > 1) {
			t.Errorf("%+v", p)
		}
	}
	var budgets []int
	for _, b := range m.Bundles {
		budgets = append(budgets, b.Budget)
		if (b.Truncated == 5) != (b.Budget == 500) || b.Questions != 5 || b.Entries != 0.8 || b.Used != 32 || b.Payload == 0 || b.Found != 4 {
			t.Errorf("%+v", b)
		}
	}
	if diff := cmp.Diff([]int{500, 1000, 2000, 4000, 8000}, budgets); diff != "" {
		t.Error(diff)
	}
}

func TestTools(t *testing.T) {
	got := measured(t, fake).Tools
	if got.ListTokens != 29 {
		t.Errorf("tools/list costs %d", got.ListTokens)
	}
	var names []string
	for _, a := range got.Answers {
		names = append(names, fmt.Sprintf("%s %s %d %v", a.Tool, a.Arguments, a.Tokens, a.Failed))
	}
	want := []string{`get_entry {"id":"docs::安装"} 7 false`, `get_metrics {} 2 true`, `search_context {"query":"安装"} 6 false`}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

func TestWalks(t *testing.T) {
	w := measured(t, fake).Walk
	// With the index: two requests where the API knows the page, three where
	// the index must do. Without: one more for each page on the way.
	if w.Questions != 5 || w.With.Found != 5 || w.With.Requests != 2.2 {
		t.Errorf("%+v", w)
	}
	if w.Without.Found != 5 || w.Without.Requests <= w.With.Requests || w.Without.Tokens <= 0 {
		t.Errorf("%+v", w)
	}
	shut := measured(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/llms.txt" || r.URL.Path == "/docs/storage" {
			http.NotFound(w, r)
			return
		}
		fake(w, r)
	}).Walk
	if shut.With.Found != 0 || shut.Without.Found != 3 {
		t.Errorf("without index and way: %+v", shut)
	}
}

func TestASecondRunDiffersInDatesOnly(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(fake))
	defer server.Close()
	var first Metrics
	for i := range 2 {
		at := time.Date(2026, 11, 30+i, 0, 0, 0, 0, time.UTC)
		m, err := Run(t.Context(), Options{BaseURL: server.URL, Now: func() time.Time { return at }, Golden: golden()})
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = m
			continue
		}
		if m.Date == first.Date {
			t.Error("the date did not change")
		}
		m.Date = first.Date
		if diff := cmp.Diff(first, m); diff != "" {
			t.Error(diff)
		}
	}
}

func golden() []Query {
	return []Query{
		{ID: "1", Text: "install", Relevant: map[string]int{"docs::install": 2}},
		{ID: "2", Text: "安装", Relevant: map[string]int{"安装.md": 1}},
		{ID: "3", Text: "keys", Relevant: map[string]int{"/docs/keys": 1}},
		{ID: "4", Text: "storage", Relevant: map[string]int{"/docs/storage": 1, "docs::install": 0}},
	}
}

func TestQuality(t *testing.T) {
	q := measured(t, fake, func(o *Options) { o.Golden = golden() }).Quality
	if diff := cmp.Diff(&Quality{Queries: 4, NDCG10: 0.75, Hit5: 0.75, MRR10: 0.75}, q); diff != "" {
		t.Error(diff)
	}
	for _, tt := range []struct {
		marks          []bool
		relevant       int
		ndcg, hit, mrr float64
	}{
		{[]bool{true}, 1, 1, 1, 1},
		{[]bool{false, true}, 1, 0.631, 1, 0.5},
		{[]bool{false, false, false, false, false, true}, 1, 0.356, 0, 0.167},
		{[]bool{true, false, true}, 2, 0.92, 1, 1},
		{append(make([]bool, 10), true), 1, 0, 0, 0},
		{nil, 0, 0, 0, 0},
	} {
		n, h, m := judge(tt.marks, tt.relevant)
		if round3(n) != tt.ndcg || h != tt.hit || round3(m) != tt.mrr {
			t.Errorf("%v of %d: %v %v %v", tt.marks, tt.relevant, n, h, m)
		}
	}
}

func TestABareSite(t *testing.T) {
	m := measured(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Bare</title><p>One page.")
	})
	if len(m.Layers) != 0 || m.Mirrors.Pages != 0 || len(m.Pages) != 1 || len(m.Bundles) != 0 || m.Tools.ListTokens != 0 || m.Walk.Questions != 0 {
		t.Errorf("%+v", m)
	}
	b, err := json.Marshal(m)
	if err != nil || strings.Contains(string(b), "null") {
		t.Errorf("%s %v", b, err)
	}
}

func TestErrors(t *testing.T) {
	if _, err := Run(t.Context(), Options{BaseURL: "docs"}); evergreen.KindOf(err) != evergreen.Invalid {
		t.Error(err)
	}
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	if _, err := Run(t.Context(), Options{BaseURL: server.URL}); evergreen.KindOf(err) != evergreen.Upstream {
		t.Error(err)
	}
}

func TestSpread(t *testing.T) {
	all := make([]int, 101)
	for i := range all {
		all[i] = i
	}
	if got := spread(all, 50); len(got) != 50 || got[0] != 0 || got[49] != 98 {
		t.Errorf("%v", got)
	}
	if got := spread(all[:50], 50); len(got) != 50 {
		t.Errorf("%d", len(got))
	}
}
