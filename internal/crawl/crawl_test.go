package crawl

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/testkit"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the wanted reports in testdata")

// fake is a Fetcher over a site without sockets: what fetch does, in short.
type fake struct {
	site  *testkit.Site
	fails map[string]error // by URL
}

func (f *fake) Fetch(ctx context.Context, req Request) (*Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	at, err := url.Parse(req.URL)
	if err != nil {
		return nil, err
	}
	for range 6 {
		if err := f.fails[at.String()]; err != nil {
			return nil, err
		}
		answer, err := f.site.RoundTrip(&http.Request{Method: "GET", URL: at, Header: http.Header{}})
		if err != nil {
			return nil, err
		}
		location := answer.Header.Get("Location")
		if location == "" || answer.StatusCode < 300 || answer.StatusCode > 399 {
			return f.final(answer, at, req)
		}
		to, err := at.Parse(location)
		if err != nil {
			return nil, err
		}
		if req.Hop != nil && !req.Hop(to) {
			return &Response{FinalURL: at.String(), Status: answer.StatusCode, Location: to.String()}, nil
		}
		at = to
	}
	return nil, evergreen.Errorf(evergreen.Upstream, "redirects in a circle")
}

func (f *fake) final(answer *http.Response, at *url.URL, req Request) (*Response, error) {
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	media := answer.Header.Get("Content-Type")
	if strings.HasPrefix(media, "image/") && !req.Raw {
		return nil, evergreen.Errorf(evergreen.Blocked, "%s is not read", media)
	}
	return &Response{
		FinalURL: at.String(), Status: answer.StatusCode, ContentType: media, Body: body,
		Links: answer.Header.Values("Link"), RobotsTag: answer.Header.Values("X-Robots-Tag"),
	}, nil
}

// TestSites crawls the fake sites of testdata. Each archive holds the site, a
// file "seed", perhaps "options" (one key=value a line), and the wanted report
// in "want": one line for each entry, in order, then the warnings.
func TestSites(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatal("no sites", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			site, seed, opts, want := parts(t, archive)
			got := crawled(t, site, seed, opts)
			if again := crawled(t, testkit.NewSite(t, string(txtar.Format(siteOf(archive)))), seed, opts); again != got {
				t.Errorf("a second crawl differs:\n%s", cmp.Diff(got, again))
			}
			if *update {
				set(archive, "want", got)
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			never(t, archive, site)
		})
	}
}

// never checks that the requests listed in the file "never" were not sent.
func never(t *testing.T, archive *txtar.Archive, site *testkit.Site) {
	for _, f := range archive.Files {
		if f.Name != "never" {
			continue
		}
		for _, r := range strings.Fields(string(f.Data)) {
			if slices.Contains(site.Requests(), r) {
				t.Errorf("the request for %s was sent", r)
			}
		}
	}
}

func siteOf(archive *txtar.Archive) *txtar.Archive {
	only := &txtar.Archive{}
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, "/") {
			only.Files = append(only.Files, f)
		}
	}
	return only
}

func parts(t *testing.T, archive *txtar.Archive) (site *testkit.Site, seed string, opts Options, want string) {
	t.Helper()
	for _, f := range archive.Files {
		switch f.Name {
		case "seed":
			seed = strings.TrimSpace(string(f.Data))
		case "want":
			want = string(f.Data)
		case "options":
			for line := range strings.Lines(string(f.Data)) {
				key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
				n, _ := strconv.Atoi(value)
				switch key {
				case "pages":
					opts.MaxPages = n
				case "depth":
					opts.MaxDepth = n
				case "single":
					opts.Single = value == "true"
				case "include":
					opts.Include = append(opts.Include, value)
				case "exclude":
					opts.Exclude = append(opts.Exclude, value)
				default:
					t.Fatalf("unknown option %q", key)
				}
			}
		}
	}
	return testkit.NewSite(t, string(txtar.Format(siteOf(archive)))), seed, opts, want
}

func set(archive *txtar.Archive, name, data string) {
	for i := range archive.Files {
		if archive.Files[i].Name == name {
			archive.Files[i].Data = []byte(data)
			return
		}
	}
	archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(data)})
}

// crawled crawls and writes the report down.
func crawled(t *testing.T, site *testkit.Site, seed string, opts Options) string {
	t.Helper()
	opts.Sleep = func(context.Context, time.Duration) error { return nil }
	var pages []Page
	report, err := Walk(t.Context(), seed, &fake{site: site}, opts, func(p Page) error {
		pages = append(pages, p)
		return nil
	})
	return told(report, err, pages)
}

func told(report Report, err error, pages []Page) string {
	byPath := map[string]Page{}
	for _, p := range pages {
		byPath[p.DocPath] = p
	}
	var b strings.Builder
	fmt.Fprintf(&b, "scope %s\n", report.Scope)
	for _, e := range report.Entries {
		fmt.Fprintf(&b, "%s %s", e.Outcome, e.URL)
		switch {
		case e.Outcome == Skipped:
			fmt.Fprintf(&b, " %s", e.Reason)
			if e.Detail != "" {
				fmt.Fprintf(&b, ": %s", e.Detail)
			}
			if e.Temporary {
				b.WriteString(" (temporary)")
			}
		default:
			fmt.Fprintf(&b, " as %s", e.DocPath)
			if p := byPath[e.DocPath]; p.TwinURL != "" {
				fmt.Fprintf(&b, " from %s", p.TwinURL)
			} else if p.Markdown {
				b.WriteString(" as Markdown")
			}
		}
		b.WriteByte('\n')
	}
	for _, w := range report.Warnings {
		fmt.Fprintf(&b, "warning %s\n", w)
	}
	if report.Truncated {
		b.WriteString("truncated\n")
	}
	if err != nil {
		fmt.Fprintf(&b, "error %v\n", err)
	}
	return b.String()
}

const smallSite = `
-- /docs/ --
HTTP/1.1 200 OK
Content-Type: text/html

<title>Docs</title><p>Start here. <a href=a>A</a> <a href=b>B</a> <a href=c>C</a>
-- /docs/a --
HTTP/1.1 200 OK
Content-Type: text/html

<title>A</title><p>About a.
-- /docs/b --
HTTP/1.1 429 Too Many Requests

-- /docs/b#2 --
HTTP/1.1 200 OK
Content-Type: text/html

<title>B</title><p>About b.
-- /docs/c --
HTTP/1.1 200 OK
Content-Type: text/html

<title>C</title><p>About c.
-- /docs/c#2 --
HTTP/1.1 200 OK
Content-Type: text/html

<title>C</title><p>About c, changed.
`

// TestRefresh holds what a second crawl does: holes are filled, what did not
// change is told and not visited.
func TestRefresh(t *testing.T) {
	site := testkit.NewSite(t, smallSite)
	hashes := map[string]string{}
	opts := Options{Known: func(docPath string) (string, bool) { h, ok := hashes[docPath]; return h, ok }}
	var visited []string
	visit := func(p Page) error {
		visited = append(visited, p.DocPath)
		hashes[p.DocPath] = p.Hash
		return nil
	}
	first, err := Walk(t.Context(), "https://docs.example.com/docs/", &fake{site: site}, opts, visit)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(evergreen.Counts{Discovered: 4, Indexed: 3, Skipped: 1}, first.Counts()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]evergreen.Skip{{Path: "https://docs.example.com/docs/b", Reason: "http_429"}}, first.Skips()); diff != "" {
		t.Error(diff)
	}
	visited = nil
	second, err := Walk(t.Context(), "https://docs.example.com/docs/", &fake{site: site}, opts, visit)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(evergreen.Counts{Discovered: 4, Indexed: 2, Unchanged: 2}, second.Counts()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"docs/b.md", "docs/c.md"}, visited); diff != "" {
		t.Error(diff)
	}
}

func TestOneDeadPageNeverAborts(t *testing.T) {
	site := testkit.NewSite(t, smallSite)
	f := &fake{site: site, fails: map[string]error{
		"https://docs.example.com/docs/a": evergreen.Errorf(evergreen.Timeout, "too slow"),
		"https://docs.example.com/docs/c": evergreen.Errorf(evergreen.TooLarge, "too large"),
	}}
	report, err := Walk(t.Context(), "https://docs.example.com/docs/", f, Options{}, func(Page) error { return nil })
	want := `scope https://docs.example.com/docs/
indexed https://docs.example.com/docs/ as docs.md
skipped https://docs.example.com/docs/a timeout: too slow (temporary)
skipped https://docs.example.com/docs/b http_429 (temporary)
skipped https://docs.example.com/docs/c too_large: too large
`
	if diff := cmp.Diff(want, told(report, err, nil)); diff != "" {
		t.Error(diff)
	}
}

func TestWhatEndsACrawl(t *testing.T) {
	nothing := func(Page) error { return nil }
	if _, err := Walk(t.Context(), "ftp://docs.example.com/", &fake{}, Options{}, nothing); evergreen.KindOf(err) != evergreen.Invalid {
		t.Errorf("no web address: %v", err)
	}
	private := evergreen.Errorf(evergreen.Blocked, "private")
	blocked := &fake{fails: map[string]error{"http://10.0.0.1/robots.txt": private, "http://10.0.0.1/": private}}
	if _, err := Walk(t.Context(), "http://10.0.0.1/", blocked, Options{}, nothing); evergreen.KindOf(err) != evergreen.Blocked {
		t.Errorf("blocked host: %v", err)
	}
	down := &fake{fails: map[string]error{"https://x.example/robots.txt": evergreen.Errorf(evergreen.Upstream, "no such host")}}
	if _, err := Walk(t.Context(), "https://x.example/", down, Options{}, nothing); evergreen.KindOf(err) != evergreen.Upstream {
		t.Errorf("dead host: %v", err)
	}
	dead := &fake{site: testkit.NewSite(t, ""), fails: map[string]error{"https://x.example/": evergreen.Errorf(evergreen.Upstream, "reset")}}
	if _, err := Walk(t.Context(), "https://x.example/", dead, Options{}, nothing); evergreen.KindOf(err) != evergreen.Upstream {
		t.Errorf("dead seed: %v", err)
	}
	full := errors.New("disk full")
	calls := 0
	report, err := Walk(t.Context(), "https://docs.example.com/docs/", &fake{site: testkit.NewSite(t, smallSite)}, Options{},
		func(Page) error { calls++; return full })
	if !errors.Is(err, full) || calls != 1 {
		t.Errorf("visit failed: %v after %d calls", err, calls)
	}
	if c := report.Counts(); c.Discovered != c.Indexed+c.Unchanged+c.Skipped || !report.Truncated {
		t.Errorf("report after a failed visit: %+v", report)
	}
}

// late answers after a while that differs from request to request.
type late struct{ fake }

func (l *late) Fetch(ctx context.Context, req Request) (*Response, error) {
	time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
	return l.fake.Fetch(ctx, req)
}

// TestOrderDependsOnTheSiteAlone: answers that come in another order change
// neither the report nor the order of visits.
func TestOrderDependsOnTheSiteAlone(t *testing.T) {
	var site strings.Builder
	for i := range 90 {
		fmt.Fprintf(&site, "-- /%d --\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n<title>%d</title><p>Page %d.", i, i, i)
		for _, next := range []int{2*i + 1, 2*i + 2, i * 7 % 90, i / 2} {
			fmt.Fprintf(&site, " <a href=%d>x</a> <a href=%d.md>x</a> <a href='%d?q=%d'>x</a>", next, next, next%5, next%3)
		}
		site.WriteString("\n")
	}
	crawlOnce := func() string {
		var pages []Page
		var visits strings.Builder
		f := &late{fake{site: testkit.NewSite(t, site.String())}}
		report, err := Walk(t.Context(), "https://docs.example.com/0", f, Options{MaxPages: 60}, func(p Page) error {
			pages = append(pages, p)
			visits.WriteString(p.DocPath + "\n")
			return nil
		})
		return told(report, err, pages) + visits.String()
	}
	first := crawlOnce()
	if !strings.Contains(first, "truncated") || strings.Count(first, "indexed") != 60 {
		t.Fatalf("the site is no test:\n%s", first)
	}
	for range 3 {
		if diff := cmp.Diff(first, crawlOnce()); diff != "" {
			t.Fatal(diff)
		}
	}
}

// TestPage holds what a visitor is given.
func TestPage(t *testing.T) {
	site := testkit.NewSite(t, `
-- /docs/old --
HTTP/1.1 301 Moved Permanently
Location: /docs/page

-- /docs/page --
HTTP/1.1 200 OK
Content-Type: text/html; charset=utf-8
Link: </docs/page.md>; rel="alternate"; type="text/markdown"

<title>Page</title><link rel=canonical href="https://docs.example.com/docs/page"><h1>Page</h1><p>Text.
-- /docs/page.md --
HTTP/1.1 200 OK
Content-Type: text/markdown

> Index: [llms.txt](/llms.txt)

# Page

Text.
`)
	var pages []Page
	_, err := Walk(t.Context(), "https://docs.example.com/docs/old", &fake{site: site}, Options{Single: true}, func(p Page) error {
		pages = append(pages, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []Page{{
		URL: "https://docs.example.com/docs/page", FinalURL: "https://docs.example.com/docs/page", DocPath: "docs/page.md",
		Canonical: "https://docs.example.com/docs/page", Body: []byte("# Page\n\nText.\n"), ContentType: "text/markdown", Status: 200,
		Markdown: true, TwinURL: "https://docs.example.com/docs/page.md",
		Hash: fmt.Sprintf("%x", sha256.Sum256([]byte("# Page\n\nText.\n"))),
	}}
	if diff := cmp.Diff(want, pages); diff != "" {
		t.Error(diff)
	}
}

func TestSilentRobots(t *testing.T) {
	f := &fake{site: testkit.NewSite(t, smallSite), fails: map[string]error{
		"https://docs.example.com/robots.txt": evergreen.Errorf(evergreen.Timeout, "too slow"),
	}}
	report, err := Walk(t.Context(), "https://docs.example.com/docs/", f, Options{}, func(Page) error { return nil })
	if err != nil || len(report.Entries) != 1 || report.Entries[0].Reason != ReasonRobots || !report.Entries[0].Temporary {
		t.Errorf("got %+v, %v", report, err)
	}
	if n := len(f.site.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

func TestCanceledCrawlNamesTheRest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	report, err := Walk(ctx, "https://docs.example.com/docs/", &fake{site: testkit.NewSite(t, smallSite)}, Options{},
		func(Page) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if c := report.Counts(); c.Discovered != 4 {
		t.Errorf("report %+v", report)
	}
	for _, e := range report.Entries[1:] {
		if e.Outcome == Skipped && !e.Temporary {
			t.Errorf("%+v is not temporary", e)
		}
	}
}

func TestCrawlDelay(t *testing.T) {
	site := testkit.NewSite(t, smallSite+"-- /robots.txt --\nHTTP/1.1 200 OK\n\nUser-agent: *\nCrawl-delay: 2\n")
	pauses := 0
	opts := Options{Sleep: func(_ context.Context, d time.Duration) error {
		if d != 2*time.Second {
			t.Errorf("paused for %v", d)
		}
		pauses++
		return nil
	}}
	if _, err := Walk(t.Context(), "https://docs.example.com/docs/", &fake{site: site}, opts, func(Page) error { return nil }); err != nil {
		t.Fatal(err)
	}
	// No pause before the first request after robots.txt.
	if want := len(site.Requests()) - 2; pauses != want {
		t.Errorf("%d pauses for %q, want %d", pauses, site.Requests(), want)
	}
}

func TestRefusalsEndACrawl(t *testing.T) {
	var links, pages strings.Builder
	for i := range maxRefusals + 30 {
		fmt.Fprintf(&links, "<a href=p%d>x</a>", i)
		fmt.Fprintf(&pages, "-- /p%d --\nHTTP/1.1 429 Too Many Requests\n\n", i)
	}
	site := testkit.NewSite(t, "-- / --\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n<p>Start"+links.String()+"\n"+pages.String())
	report, err := Walk(t.Context(), "https://docs.example.com/", &fake{site: site}, Options{}, func(Page) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]int{}
	for _, e := range report.Entries {
		reasons[e.Reason]++
		if e.Outcome == Skipped && !e.Temporary {
			t.Errorf("%+v is not temporary", e)
		}
	}
	if reasons["http_429"] < maxRefusals || reasons[ReasonRefusals] == 0 || len(report.Entries) != maxRefusals+31 {
		t.Errorf("reasons %v", reasons)
	}
}

func TestProgress(t *testing.T) {
	var last [2]int
	opts := Options{Progress: func(stage string, done, total int) {
		if stage != "crawl" || done < last[0] || total < last[1] || done > total {
			t.Errorf("%s %d of %d after %v", stage, done, total, last)
		}
		last = [2]int{done, total}
	}}
	if _, err := Walk(t.Context(), "https://docs.example.com/docs/", &fake{site: testkit.NewSite(t, smallSite)}, opts, func(Page) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if last != [2]int{4, 4} {
		t.Errorf("ended with %v", last)
	}
}
