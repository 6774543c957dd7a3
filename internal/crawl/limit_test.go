package crawl

import (
	"fmt"
	"strings"
	"testing"

	"evergreen/internal/testkit"
)

// TestRequestsAreBounded: a site of errors ends a crawl, too.
func TestRequestsAreBounded(t *testing.T) {
	const pages = 2
	var links strings.Builder
	for i := range 3 * fetchesPerPage * pages {
		fmt.Fprintf(&links, "<a href=p%d>x</a>", i)
	}
	site := testkit.NewSite(t, "-- / --\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n<p>Start"+links.String()+"\n")
	report, err := Walk(t.Context(), "https://docs.example.com/", &fake{site: site}, Options{MaxPages: pages}, func(Page) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, r := range site.Requests() {
		if r == "/" || strings.HasPrefix(r, "/p") {
			asked++
		}
	}
	if asked != fetchesPerPage*pages || !report.Truncated {
		t.Errorf("%d pages asked for, want %d; truncated %v", asked, fetchesPerPage*pages, report.Truncated)
	}
}

// TestKnownIsBounded: what is found beyond the bound is counted, not kept.
func TestKnownIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred thousand addresses")
	}
	w := newWalker(t.Context(), &fake{}, Options{MaxPages: 1}, nil)
	w.seed, _ = Normalize("https://docs.example.com/", nil)
	w.scope = newScope(w.seed, nil)
	for i := range maxKnown + 2 {
		u, _ := Normalize(fmt.Sprintf("https://docs.example.com/%d", i), nil)
		if it := w.add(u, 1); (it != nil) != (i < maxKnown) {
			t.Fatalf("address %d: %+v", i, it)
		}
	}
	report := w.finish()
	if len(report.Entries) != maxKnown || !report.Truncated || len(report.Warnings) != 1 || !strings.HasPrefix(report.Warnings[0], "2 links") {
		t.Errorf("%d entries, truncated %v, warnings %q", len(report.Entries), report.Truncated, report.Warnings)
	}
}

// TestTwinsAreBounded: a page cannot send the crawl after any number of twins.
func TestTwinsAreBounded(t *testing.T) {
	var alternates strings.Builder
	for i := range maxTwins + 2 {
		fmt.Fprintf(&alternates, "<link rel=alternate type=text/markdown href=%d.md>", i)
	}
	site := testkit.NewSite(t, "-- / --\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n"+alternates.String()+"<p>Start.\n")
	if _, err := Walk(t.Context(), "https://docs.example.com/", &fake{site: site}, Options{}, func(Page) error { return nil }); err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, r := range site.Requests() {
		if strings.HasSuffix(r, ".md") {
			asked++
		}
	}
	if asked != maxTwins {
		t.Errorf("%d twins asked for, want %d", asked, maxTwins)
	}
}
