// Package audittest serves a small complete site with all seven layers, to
// judge and to break: what the checks of audit and verify are tested on. Its
// documents are those of package site; pages, API and protocols are the
// smallest that keep the contract. It is for tests only.
package audittest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"strings"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/kb"
	"evergreen/internal/pack"
	"evergreen/internal/site"
)

// Server answers as a complete site. It is safe for concurrent use.
type Server struct {
	site *site.Site // without base URL; each request brings its own
	snap *snapshot
}

// New makes the site of ten documents and two curated entries.
func New(t testing.TB) *Server {
	t.Helper()
	snap := newSnapshot()
	s, err := site.New(site.Input{Snapshot: snap,
		Policy: evergreen.Policy{Licence: "CC-BY-4.0", Rate: evergreen.RateLimit{PerMinute: 120, Burst: 300}},
		Tools:  tools(),
		Options: site.Options{Name: "Example Docs", Summary: "Documentation of Example, a job server.", Languages: []string{"en", "zh"}, Home: home,
			MCP: &site.MCP{Protocols: []string{"2025-11-25"}, Capabilities: json.RawMessage(`{"tools":{}}`)},
			A2A: true, Metrics: true, Operations: site.Operations()}})
	if err != nil {
		t.Fatal(err)
	}
	return &Server{site: s, snap: snap}
}

// home is long enough that what stands around it is a small part of the page.
const home = `Example runs jobs: it takes them from a queue, hands them to workers, tries again what failed and keeps what came out of it.

## First steps

Install the server, start one worker beside it and put a first job into the queue. The page on installing says how, for every system on which Example runs.

## Where to go on

- [Guide](/docs/guide): every subject has a page of its own, with an overview, the settings and the usual faults
- [Knowledge base](/docs/kb): short entries with an id to cite, in Chinese

## What it is not

Example is no scheduler and no message bus: it does not decide when a job is due, and it does not carry what jobs say to each other. Both are the work of other programs, which it leaves alone.

## Help

Whoever finds a fault tells of it with the version, the system, and the lines of the log that stand around it; all three are printed by one command.`

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Access-Control-Allow-Origin", "*")
	here := s.site.At("http://" + r.Host)
	if strings.Contains(strings.ToLower(r.URL.EscapedPath()), "%2f") {
		s.missing(w, r, here)
		return
	}
	switch r.URL.Path {
	case "/mcp", "/a2a":
		if r.Method != http.MethodPost {
			wrongMethod(w, "POST, OPTIONS", r.URL.Path+" answers POST only. Use POST.")
			return
		}
		h.Set("Cache-Control", "no-store")
		if r.URL.Path == "/a2a" {
			s.a2a(w, r)
		} else {
			s.mcp(w, r)
		}
		return
	}
	a, ok := s.answer(r, here)
	switch {
	case !ok:
		s.missing(w, r, here)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		wrongMethod(w, "GET, HEAD, OPTIONS", r.URL.Path+" answers GET and HEAD. Use GET.")
	default:
		a.send(w, r)
	}
}

// answer is one found resource.
type answer struct {
	status int // 0 is 200
	kind   string
	body   []byte
	header map[string]string
}

func (a answer) send(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	sum := sha256.Sum256(a.body)
	tag := `"` + hex.EncodeToString(sum[:8]) + `"`
	h.Set("Content-Type", a.kind)
	h.Set("Cache-Control", "public, max-age=900")
	h.Set("Last-Modified", time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC).Format(http.TimeFormat))
	h.Set("ETag", tag)
	h.Set("Vary", "Accept-Encoding")
	for name, value := range a.header {
		h.Set(name, value)
	}
	if a.status == 0 && r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if a.status != 0 {
		w.WriteHeader(a.status)
	}
	if r.Method != http.MethodHead {
		_, _ = w.Write(a.body) // a client that is gone fails its own test
	}
}

func (s *Server) answer(r *http.Request, here *site.Site) (answer, bool) {
	const jsonType, textType = "application/json; charset=utf-8", "text/plain; charset=utf-8"
	switch r.URL.Path {
	case "/api/context":
		return s.context(r), true
	case "/api/prompt-pack":
		text, err := kb.Pack(r.URL.Query().Get("scenario"), "en")
		if err != nil {
			return answer{status: 400, kind: "application/problem+json",
				body: []byte(`{"status":400,"detail":"scenario must be chat, coding, research or support."}` + "\n")}, true
		}
		return answer{kind: textType, body: []byte(text)}, true
	case "/api/metrics", "/metrics.json":
		return answer{kind: jsonType, body: []byte("{\"entries\":12}\n")}, true
	case "/healthz":
		return answer{kind: jsonType, body: []byte("{\"ok\":true,\"version\":\"1.0.0\"}\n")}, true
	}
	if found, ok := here.Lookup(r.URL.Path); ok {
		body, err := found.Bytes()
		if err != nil {
			return answer{}, false
		}
		return answer{kind: found.Type, body: body, header: map[string]string{"Link": site.LinkHeader(here.SiteLinks())}}, true
	}
	if p, _, ok := here.PageAt(r.URL.Path); ok {
		return s.page(r, here, p), true
	}
	return answer{}, false
}

// page answers with HTML, or with the mirror where Accept asks for it.
func (s *Server) page(r *http.Request, here *site.Site, p site.Page) answer {
	header := map[string]string{"Vary": "Accept, Accept-Encoding", "Link": site.LinkHeader(here.Links(p))}
	if accept := r.Header.Get("Accept"); strings.HasPrefix(accept, "text/markdown") && !strings.HasPrefix(accept, "text/markdown;q=") {
		mirror, _ := here.Lookup(p.Mirrors()[0])
		body, err := mirror.Bytes()
		if err != nil {
			return answer{status: 500, kind: "text/plain", body: []byte(err.Error())}
		}
		return answer{kind: "text/markdown; charset=utf-8", body: body, header: header}
	}
	text, err := here.Markdown(p)
	if err != nil {
		return answer{status: 500, kind: "text/plain", body: []byte(err.Error())}
	}
	graph, err := here.JSONLD(p)
	if err != nil {
		return answer{status: 500, kind: "text/plain", body: []byte(err.Error())}
	}
	return answer{kind: "text/html; charset=utf-8", body: []byte(pageHTML(here, p, text, string(graph))), header: header}
}

func pageHTML(here *site.Site, p site.Page, text, graph string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>%s</title>\n"+
		"<meta name=\"description\" content=\"%s\">\n", html.EscapeString(p.Title), html.EscapeString(here.Description(p)))
	for _, l := range here.HeadLinks(p) {
		fmt.Fprintf(&b, "<link rel=\"%s\" type=\"%s\" href=\"%s\">\n", l.Rel, l.Type, html.EscapeString(l.URL))
	}
	fmt.Fprintf(&b, "<script type=\"application/ld+json\">%s</script>\n</head>\n<body>\n"+
		"<p><a href=\"%s/llms.txt\">/llms.txt</a> is the index of this site for agents.</p>\n<main>\n", graph, here.Base())
	for block := range strings.SplitSeq(text, "\n\n") {
		b.WriteString(blockHTML(strings.TrimSpace(block)))
	}
	b.WriteString("</main>\n</body>\n</html>\n")
	return b.String()
}

// blockHTML renders the few forms that the documents use.
func blockHTML(block string) string {
	switch {
	case block == "":
		return ""
	case strings.HasPrefix(block, "## "):
		return "<h2>" + html.EscapeString(block[3:]) + "</h2>\n"
	case strings.HasPrefix(block, "# "):
		return "<h1>" + html.EscapeString(block[2:]) + "</h1>\n"
	case strings.HasPrefix(block, "- "):
		var items strings.Builder
		for item := range strings.SplitSeq(block, "\n") {
			item = strings.TrimPrefix(item, "- ")
			if name, rest, ok := strings.Cut(strings.TrimPrefix(item, "["), "]("); ok {
				target, after, _ := strings.Cut(rest, ")")
				item = "<a href=\"" + html.EscapeString(target) + "\">" + html.EscapeString(name) + "</a>" + html.EscapeString(after)
			} else {
				item = html.EscapeString(strings.ReplaceAll(item, "`", ""))
			}
			items.WriteString("<li>" + item + "</li>\n")
		}
		return "<ul>\n" + items.String() + "</ul>\n"
	}
	return "<p>" + html.EscapeString(block) + "</p>\n"
}

// context answers /api/context from the curated entries.
func (s *Server) context(r *http.Request) answer {
	q := r.URL.Query()
	query := evergreen.Query{Topic: q.Get("topic"), Budget: evergreen.DefaultBudget}
	if given := q.Get("budget"); given != "" {
		if _, err := fmt.Sscanf(given, "%d", &query.Budget); err != nil {
			return answer{status: 400, kind: "application/problem+json",
				body: []byte(`{"status":400,"detail":"budget must be a whole number"}`)}
		}
	}
	bundle, err := s.bundle(query)
	if err != nil {
		return answer{status: 500, kind: "text/plain", body: []byte(err.Error())}
	}
	return answer{kind: "application/json; charset=utf-8", body: encode(bundle)}
}

func (s *Server) bundle(q evergreen.Query) (evergreen.Bundle, error) {
	ranked, matched := kb.Rank(s.snap.Entries(), q.Topic)
	lang, err := kb.Lang("", q.Topic, "")
	if err != nil {
		return evergreen.Bundle{}, err
	}
	return pack.Bundle(pack.Request{Query: q, Lang: lang, Ranked: ranked, Matched: matched, Rules: kb.Rules(lang),
		Revision: "r1", KnowledgeVersion: "1.0.0", GeneratedAt: s.snap.Time()})
}

func (s *Server) missing(w http.ResponseWriter, r *http.Request, here *site.Site) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=60")
	w.Header().Set("Vary", "Accept, Accept-Encoding, Accept-Language")
	w.WriteHeader(http.StatusNotFound)
	if r.Method != http.MethodHead {
		_, _ = w.Write([]byte(here.NotFound(r.URL.Path, "en").Text()))
	}
}

func wrongMethod(w http.ResponseWriter, allow, sentence string) {
	w.Header().Set("Allow", allow)
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, sentence, http.StatusMethodNotAllowed)
}

func encode(v any) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return []byte("null") // shown by the check that reads it
	}
	return []byte(b.String())
}
