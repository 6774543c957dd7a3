package console

// This file holds what the tests stand on: a library in memory, a gateway with
// tools, and a site around the pages.

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/gateway"
	"evergreen/internal/job"
	"evergreen/internal/measure"
	"evergreen/internal/repair"
	"evergreen/internal/site"
	"evergreen/internal/ui"
	"evergreen/internal/watch"
	"evergreen/internal/web"
)

// fakeLibrary is a library in memory. Index waits for release, if there is one.
type fakeLibrary struct {
	release chan struct{}

	mu      sync.Mutex
	all     []evergreen.Collection
	skips   []evergreen.Skip
	asked   int // for skips
	indexed []evergreen.IndexRequest
	deleted []string
}

func (f *fakeLibrary) Collections(context.Context) ([]evergreen.Collection, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]evergreen.Collection{}, f.all...), nil
}
func (f *fakeLibrary) Damaged(context.Context) []evergreen.Damage {
	return []evergreen.Damage{{Name: "broken", Message: "its manifest cannot be read"}}
}
func (f *fakeLibrary) Skips(context.Context, string) ([]evergreen.Skip, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked++
	return f.skips, nil
}
func (f *fakeLibrary) Index(ctx context.Context, r evergreen.IndexRequest, progress evergreen.Progress) (evergreen.IndexReport, error) {
	f.mu.Lock()
	f.indexed = append(f.indexed, r)
	f.mu.Unlock()
	progress("read", 0, 100)
	progress("read", 20, 100)
	if f.release != nil {
		select {
		case <-f.release:
		case <-ctx.Done():
			return evergreen.IndexReport{}, ctx.Err()
		}
	}
	if strings.Contains(r.Source.Location, "unreachable") {
		return evergreen.IndexReport{}, evergreen.Errorf(evergreen.Upstream, "%s does not answer", r.Source.Location).Fix("try later")
	}
	return evergreen.IndexReport{Collection: "guide", Documents: evergreen.Counts{Discovered: 3, Indexed: 2, Skipped: 1}}, nil
}
func (f *fakeLibrary) Delete(_ context.Context, name string) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.deleted = append(f.deleted, name)
	return true, nil
}
func (f *fakeLibrary) Revision() string { return "r1" }

// The fake is the snapshot of the site, too.
type fakeSnapshot struct{}

func (fakeSnapshot) Close()           {}
func (fakeSnapshot) Revision() string { return "r1" }
func (fakeSnapshot) Time() time.Time  { return time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC) }
func (fakeSnapshot) Collections() []evergreen.Collection {
	return []evergreen.Collection{{Name: "guide", Documents: 1, Sections: 1, Tokens: 9}}
}
func (fakeSnapshot) Documents(string) iter.Seq[site.Document] {
	return func(yield func(site.Document) bool) {
		yield(site.Document{Document: evergreen.Document{Collection: "guide", Path: "index.md", Title: "Guide", Bytes: 8, Tokens: 9}})
	}
}
func (fakeSnapshot) Knowledge() site.Knowledge                         { return site.Knowledge{} }
func (fakeSnapshot) Entries() []evergreen.Entry                        { return nil }
func (fakeSnapshot) Text(site.Document) ([]byte, error)                { return []byte("# Guide\n"), nil }
func (fakeSnapshot) Sections(site.Document) ([]evergreen.Entry, error) { return nil, nil }

// bench is a console behind a server.
type bench struct {
	t       *testing.T
	lib     *fakeLibrary
	jobs    *job.Registry
	console *Console
	server  *web.Server
	now     time.Time
}

func newBench(t *testing.T, change ...func(*Options)) *bench {
	t.Helper()
	root := t.TempDir()
	b := &bench{t: t, now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), lib: &fakeLibrary{
		all: []evergreen.Collection{{Name: "guide", Documents: 3, Sections: 12, Tokens: 3456, Source: root,
			Sources:   []evergreen.Source{{Kind: evergreen.SourceFolder, Location: root}},
			IndexedAt: time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)}},
		skips: []evergreen.Skip{{Path: "a.md", Reason: "binary"}, {Path: "b.md", Reason: "too large"}, {Path: "c.md", Reason: "binary"}},
	}}
	now := func() time.Time { return b.now }
	b.jobs = job.New(nil)
	t.Cleanup(b.jobs.Close)
	g, err := gateway.New(gateway.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	face, err := g.Face(gateway.FaceOptions{Own: []repair.Tool{{Name: "search_docs", Own: true, Primary: "query",
		Schema: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer"}},"required":["query"],"additionalProperties":false}`)}}})
	if err != nil {
		t.Fatal(err)
	}
	pages, err := ui.New(ui.Options{Version: "1.2.3", Running: Running(false)})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Library: b.lib, Pages: pages, Jobs: b.jobs, Gateway: g, Readers: face, Operators: face,
		Traffic: func() ([]web.Minute, map[string]int64) { return b.server.Traffic() },
		Measure: func(context.Context) (measure.Metrics, error) { return exampleFigures(), nil },
		Served:  func() string { return "r1" },
		Watched: func() []watch.State {
			return []watch.State{{Location: "./docs", Way: watch.Polling, Why: "more than 4096 folders", Looked: b.now.Add(-time.Minute), Err: errors.New("it vanished")}}
		},
		Token: "sesame", Roots: []string{root}, Now: now}
	for _, c := range change {
		c(&o)
	}
	b.console = New(o)
	b.server = web.New(web.Options{Engine: noEngine{}, Version: "1.2.3", Site: site.Options{Name: "Example"}, Pages: pages,
		Publish: func() (web.Snapshot, error) { return fakeSnapshot{}, nil }, Extras: b.console.Extras(),
		Guard: web.Guard{AdminToken: "sesame", Hosts: []string{"docs.example.com"}}})
	return b
}

// noEngine answers nothing.
type noEngine struct{ web.Engine }

func (noEngine) Revision() string { return "r1" }

// local and remote are where requests come from.
const (
	local  = "http://localhost"
	remote = "http://docs.example.com"
)

// ask sends a request; body is a form or, beginning with "{", JSON. Headers are
// "Name: value".
func (b *bench) ask(method, base, path, body string, headers ...string) (*http.Response, string) {
	b.t.Helper()
	r := httptest.NewRequest(method, base+path, strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:4000"
	if base == remote {
		r.RemoteAddr = "203.0.113.9:4000"
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if strings.HasPrefix(body, "{") {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Accept", "text/html")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	b.server.ServeHTTP(w, r)
	text, err := io.ReadAll(w.Result().Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return w.Result(), string(text)
}

// form is a form of the page itself.
func (b *bench) form(fields ...string) string {
	v := url.Values{"token": {b.console.form}}
	for i := 0; i+1 < len(fields); i += 2 {
		v.Set(fields[i], fields[i+1])
	}
	return v.Encode()
}

// has fails for every text that a page does not show.
func has(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(page, text) {
			t.Errorf("no %q in\n%s", text, page)
		}
	}
}

// exampleFigures are figures of a small site.
func exampleFigures() measure.Metrics {
	return measure.Metrics{Revision: "r1", Estimator: measure.DefaultEstimator,
		Layers:  []measure.Layer{{Layer: "L1", Path: "/llms.txt", Bytes: 400, Tokens: 100}, {Layer: "L3", Path: "/context.json", Bytes: 9000, Tokens: 2500}},
		Mirrors: measure.Mirrors{Pages: 2, Of: 2},
		Pages: []measure.Page{{Path: "/b", HTMLTokens: 1000, MirrorTokens: 300, ContentTokens: 270, HTMLDensity: .27, MirrorDensity: .9},
			{Path: "/a", HTMLTokens: 1000, MirrorTokens: 120, ContentTokens: 100, HTMLDensity: .1, MirrorDensity: .833}},
		Walk: measure.Walk{Questions: 10, With: measure.Path{Found: 10, Requests: 2.2, Tokens: 1500}, Without: measure.Path{Found: 4, Requests: 8, Tokens: 20000}},
		Bundles: []measure.Bundle{{Budget: 500, Questions: 10, Used: 430.5, Entries: 2, Payload: 1200, Truncated: 8, Found: 7},
			{Budget: 2000, Questions: 10, Used: 1300, Entries: 6, Payload: 2500, Truncated: 3, Found: 9}}}
}
