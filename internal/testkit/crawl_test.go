package testkit_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/crawl"
	"evergreen/internal/crawl/crawltest"
	"evergreen/internal/fetch"
	"evergreen/internal/testkit"
)

// fetcher lets crawl use the real client, as the engine does.
type fetcher struct{ client *fetch.Client }

func (f fetcher) Fetch(ctx context.Context, req crawl.Request) (*crawl.Response, error) {
	r, err := f.client.Get(ctx, fetch.Request{URL: req.URL, Accept: req.Accept, AnyType: req.Raw, Revalidate: req.Revalidate, Hop: req.Hop})
	if err != nil {
		return nil, err
	}
	return &crawl.Response{
		FinalURL: r.FinalURL, Status: r.Status, ContentType: r.ContentType, Body: r.Body, ETag: r.ETag, LastModified: r.LastModified,
		Links: r.Links, RobotsTag: r.RobotsTag, Location: r.Location, FetchedAt: r.FetchedAt, FromCache: r.FromCache,
	}, nil
}

func client(t testing.TB, change func(*fetch.Options)) fetcher {
	opts := fetch.Defaults()
	opts.AllowPrivate = true
	opts.Dial = testkit.Dial
	if change != nil {
		change(&opts)
	}
	c := fetch.New(opts)
	t.Cleanup(c.CloseIdle)
	return fetcher{c}
}

func TestFetchConforms(t *testing.T) {
	for name, cached := range map[string]bool{"with a cache": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			crawltest.Conform(t, func(t *testing.T, site http.Handler) (string, crawl.Fetcher) {
				server := httptest.NewServer(site)
				t.Cleanup(server.Close)
				return server.URL, client(t, func(o *fetch.Options) {
					if cached {
						o.CacheDir = t.TempDir()
					}
				})
			})
		})
	}
}

const small = `
-- /docs/ --
HTTP/1.1 200 OK
Content-Type: text/html
ETag: "1"

<title>Docs</title><p>Start here. <a href=a>A</a> <a href=b.md>B</a> <a href=pdf>P</a> <a href=gone>G</a> <a href=busy>L</a> <a href=inside>I</a> <a href=gbk>C</a>
-- /docs/a --
HTTP/1.1 200 OK
Content-Type: text/html
ETag: "2"

<title>A</title><p>About a.
-- /docs/b.md --
HTTP/1.1 200 OK
Content-Type: application/octet-stream
ETag: "3"

# B
-- /docs/pdf --
HTTP/1.1 200 OK
Content-Type: text/html
ETag: "4"

%PDF-1.4
-- /docs/busy --
HTTP/1.1 403 Forbidden

-- /docs/busy#2 --
HTTP/1.1 200 OK
Content-Type: text/html

<title>Busy</title><p>Now it answers.
-- /docs/inside --
HTTP/1.1 302 Found
Location: http://169.254.169.254/docs/inside

-- /docs/gbk --
HTTP/1.1 200 OK
Content-Type: text/html; charset=gb2312
ETag: "5"

<title>GBK</title><p>` + "\xd6\xd0\xce\xc4" + `
`

// TestCrawlOverHTTP holds what crawl and fetch do together: types are sniffed,
// charsets decoded, a stopped crawl goes on where it was, a refresh asks with
// validators and fills the holes.
func TestCrawlOverHTTP(t *testing.T) {
	site := testkit.NewSite(t, small)
	server := httptest.NewServer(site)
	defer server.Close()
	f := client(t, func(o *fetch.Options) { o.CacheDir = t.TempDir() })
	pages := map[string]crawl.Page{}
	walk := func(ctx context.Context, opts crawl.Options, after func()) crawl.Report {
		opts.Known = func(docPath string) (string, bool) { p, ok := pages[docPath]; return p.Hash, ok }
		report, err := crawl.Walk(ctx, server.URL+"/docs/", f, opts, func(p crawl.Page) error {
			pages[p.DocPath] = p
			after()
			return nil
		})
		if err != nil && ctx.Err() == nil {
			t.Fatal(err)
		}
		return report
	}

	ctx, cancel := context.WithCancel(t.Context())
	walk(ctx, crawl.Options{MaxPages: 2}, func() {
		if len(pages) == 2 {
			cancel()
		}
	})
	if len(pages) != 2 {
		t.Fatalf("%d pages before the stop", len(pages))
	}
	site.Forget()
	report := walk(t.Context(), crawl.Options{}, func() {})
	for _, r := range site.Requests() {
		if r == "/docs/" || r == "/docs/a" {
			t.Errorf("%s was asked for again", r)
		}
	}
	if c := report.Counts(); c.Indexed != 3 || c.Unchanged != 2 || c.Skipped != 3 {
		t.Errorf("after the stop: %+v %+v", c, report.Entries)
	}
	if p := pages["docs/b.md"]; !p.Markdown || p.ContentType != "text/markdown" {
		t.Errorf("Markdown sent as octets: %+v", p)
	}
	if p := pages["docs/pdf.md"]; p.ContentType != "application/pdf" {
		t.Errorf("PDF sent as HTML: %+v", p)
	}
	if p := pages["docs/gbk.md"]; !strings.Contains(string(p.Body), "中文") {
		t.Errorf("GBK: %q", p.Body)
	}
	for _, e := range report.Entries {
		if e.DocPath == "docs/inside.md" && e.Reason != crawl.ReasonOutOfScope {
			t.Errorf("redirect to a private address: %+v", e)
		}
	}

	site.Forget()
	report = walk(t.Context(), crawl.Options{Revalidate: true}, func() {})
	if c := report.Counts(); c.Indexed != 1 || c.Unchanged != 5 {
		t.Errorf("refresh: %+v %+v", c, report.Entries)
	}
	asked := strings.Join(site.Requests(), "\n")
	for _, path := range []string{"/docs/", "/docs/a", "/docs/b.md", "/docs/pdf", "/docs/gbk"} {
		if !strings.Contains(asked, path+" if-none-match") {
			t.Errorf("%s was asked for without its ETag:\n%s", path, asked)
		}
	}
}

// TestPackedSitemap: a .xml.gz is read as it lies on the server, and packed
// once more on the way.
func TestPackedSitemap(t *testing.T) {
	pack := func(data []byte) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write(data)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		list := func(page string) []byte { return pack([]byte("<urlset><url><loc>/" + page + "</loc></url></urlset>")) }
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprint(w, "Sitemap: /plain.xml.gz\nSitemap: /coded.xml.gz\nSitemap: /both.xml.gz\n")
		case "/plain.xml.gz":
			w.Header().Set("Content-Type", "application/gzip")
			w.Write(list("a"))
		case "/coded.xml.gz":
			w.Header().Set("Content-Type", "application/xml")
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(list("b"))
		case "/both.xml.gz":
			w.Header().Set("Content-Type", "application/x-gzip")
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(pack(list("c")))
		case "/", "/a", "/b", "/c":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<title>%s</title><p>Page %[1]s.", r.URL.Path)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	report, err := crawl.Walk(t.Context(), server.URL, client(t, nil), crawl.Options{}, func(crawl.Page) error { return nil })
	if err != nil || report.Counts().Indexed != 4 || len(report.Warnings) > 0 {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestCrawlOfAPrivateHost is refused before anything is asked.
func TestCrawlOfAPrivateHost(t *testing.T) {
	site := testkit.NewSite(t, small)
	server := httptest.NewServer(site)
	defer server.Close()
	f := client(t, func(o *fetch.Options) { o.AllowPrivate = false })
	_, err := crawl.Walk(t.Context(), server.URL+"/docs/", f, crawl.Options{}, func(crawl.Page) error { return nil })
	if evergreen.KindOf(err) != evergreen.Blocked || len(site.Requests()) > 0 {
		t.Errorf("%v after %q", err, site.Requests())
	}
}

// TestCrawlOfAFolder crawls a folder of HTML pages served over loopback, twice,
// and names every page that the crawl did not account for. The folder is given
// by EVERGREEN_SITE.
func TestCrawlOfAFolder(t *testing.T) {
	root := os.Getenv("EVERGREEN_SITE")
	if root == "" {
		t.Skip("EVERGREEN_SITE is not set: no real site is crawled")
	}
	server := httptest.NewServer(http.FileServer(http.Dir(root)))
	defer server.Close()
	f := client(t, func(o *fetch.Options) { o.CacheDir = t.TempDir() })
	known := map[string]string{}
	for _, run := range []string{"first", "again"} {
		start := time.Now()
		report, err := crawl.Walk(t.Context(), server.URL+"/", f, crawl.Options{
			MaxPages: 5000, Revalidate: true,
			Known: func(docPath string) (string, bool) { h, ok := known[docPath]; return h, ok },
		}, func(p crawl.Page) error { known[p.DocPath] = p.Hash; return nil })
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %+v in %.2f s, warnings %q", run, report.Counts(), time.Since(start).Seconds(), report.Warnings)
		if run == "first" {
			account(t, root, server.URL, report)
		}
	}
}

func account(t *testing.T, root, base string, report crawl.Report) {
	told := map[string]bool{}
	reasons := map[string][]string{}
	for _, e := range report.Entries {
		told[strings.TrimPrefix(e.URL, base+"/")] = true
		if e.Outcome == crawl.Skipped {
			reasons[e.Reason] = append(reasons[e.Reason], fmt.Sprint(strings.TrimPrefix(e.URL, base), " ", e.Detail))
		}
	}
	for reason, list := range reasons {
		slices.Sort(list)
		t.Logf("skipped %s: %d, such as %q", reason, len(list), list[:min(8, len(list))])
	}
	var missing []string
	total := 0
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".html") {
			return err
		}
		total++
		rel, err := filepath.Rel(root, name)
		if rel = filepath.ToSlash(rel); !told[rel] && !told[strings.TrimSuffix(rel, "index.html")] {
			missing = append(missing, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d HTML files, %d not linked from anywhere: %q", total, len(missing), missing[:min(20, len(missing))])
}
