package testkit_test

import (
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

	"evergreen/internal/crawl"
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
