package sitemap

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const base = "https://docs.example.com/sitemap.xml"

func TestParse(t *testing.T) {
	const ns = ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`
	tests := []struct {
		name, data string
		index      bool
		want       []Page
	}{
		{"urlset", `<?xml version="1.0" encoding="UTF-8"?><urlset` + ns + `><url><loc>https://a/b</loc><lastmod>2026-11-30</lastmod></url><url><loc> https://a/c </loc></url></urlset>`, false,
			[]Page{{"https://a/b", "2026-11-30"}, {Loc: "https://a/c"}}},
		{"index", `<sitemapindex` + ns + `><sitemap><loc>https://a/s.xml?part=1&amp;x=2</loc></sitemap></sitemapindex>`, true,
			[]Page{{Loc: "https://a/s.xml?part=1&x=2"}}},
		{"CDATA", `<urlset><url><loc><![CDATA[https://a/b?c=1&d=2]]></loc></url></urlset>`, false, []Page{{Loc: "https://a/b?c=1&d=2"}}},
		{"bare ampersand", `<urlset><url><loc>https://a/b?c=1&d=2</loc></url></urlset>`, false, []Page{{Loc: "https://a/b?c=1&d=2"}}},
		{"relative locations", `<urlset><url><loc>/b</loc></url><url><loc>c</loc></url></urlset>`, false,
			[]Page{{Loc: "https://docs.example.com/b"}, {Loc: "https://docs.example.com/c"}}},
		{"prefixed names", `<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:url><s:loc>https://a/b</s:loc></s:url></s:urlset>`, false, []Page{{Loc: "https://a/b"}}},
		{"image locations are no pages", `<urlset xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><image:image><image:loc>https://a/i.png</image:loc></image:image><loc>https://a/b</loc></url></urlset>`, false, []Page{{Loc: "https://a/b"}}},
		{"other schemes are left out", `<urlset><url><loc>file:///etc/passwd</loc></url><url><loc>https://a/b</loc></url></urlset>`, false, []Page{{Loc: "https://a/b"}}},
		{"broken in the middle", `<urlset><url><loc>https://a/b</loc></url><url><loc>https://a/c</lo`, false, []Page{{Loc: "https://a/b"}}},
		{"byte order mark and blank lines", "\ufeff\n\n<urlset><url><loc>https://a/b</loc></url></urlset>", false, []Page{{Loc: "https://a/b"}}},
		{"declared encoding", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><urlset><url><loc>https://a/caf\xe9</loc></url></urlset>", false, []Page{{Loc: "https://a/caf%C3%A9"}}},
		{"text", "https://a/b\r\nhttps://a/c\n\nnot a url\n", false, []Page{{Loc: "https://a/b"}, {Loc: "https://a/c"}}},
		{"empty set", `<urlset/>`, false, nil},
	}
	for _, tt := range tests {
		for coding, data := range map[string][]byte{"plain": []byte(tt.data), "gzip": zip(t, tt.data), "gzip twice": zip(t, string(zip(t, tt.data)))} {
			t.Run(tt.name+"/"+coding, func(t *testing.T) {
				got, err := Parse(data, base)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, got.Pages); diff != "" || got.Index != tt.index {
					t.Errorf("index %v\n%s", got.Index, diff)
				}
			})
		}
	}
}

func TestParseUTF16(t *testing.T) {
	text := []byte{0xff, 0xfe}
	for _, c := range []byte(`<?xml version="1.0" encoding="UTF-16"?><urlset><url><loc>https://a/b</loc></url></urlset>`) {
		text = append(text, c, 0)
	}
	got, err := Parse(text, base)
	if err != nil || len(got.Pages) != 1 || got.Pages[0].Loc != "https://a/b" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestParseRefuses(t *testing.T) {
	for name, data := range map[string]string{
		"nothing":     "",
		"a page":      "<!DOCTYPE html><html><body>Not found</body></html>",
		"a feed":      `<rss version="2.0"></rss>`,
		"prose":       "Not found",
		"broken gzip": "\x1f\x8b\x00",
		"a comment":   "<!-- x -->",
	} {
		if got, err := Parse([]byte(data), base); err == nil {
			t.Errorf("%s: got %+v, want an error", name, got)
		}
	}
}

func TestParseBoundsLocations(t *testing.T) {
	if testing.Short() {
		t.Skip("files of the largest size")
	}
	line := "<url><loc>https://a/b</loc></url>"
	for _, n := range []int{MaxURLs - 1, MaxURLs + 1} {
		got, err := Parse([]byte("<urlset>"+strings.Repeat(line, n)+"</urlset>"), base)
		if err != nil {
			t.Fatal(err)
		}
		if want := min(n, MaxURLs); len(got.Pages) != want || (len(got.Diagnostics) > 0) != (n > MaxURLs) {
			t.Errorf("%d locations: read %d, diagnostics %q", n, len(got.Pages), got.Diagnostics)
		}
	}
}

func TestParseBoundsUnpackedBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("files of the largest size")
	}
	bomb := zip(t, "<urlset><url><loc>https://a/b</loc></url>"+strings.Repeat(" ", MaxBytes))
	got, err := Parse(bomb, base)
	if err != nil || len(got.Pages) != 1 || len(got.Diagnostics) == 0 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestCollect(t *testing.T) {
	index := func(locs ...string) string {
		return "<sitemapindex><sitemap><loc>" + strings.Join(locs, "</loc></sitemap><sitemap><loc>") + "</loc></sitemap></sitemapindex>"
	}
	files := map[string]string{
		"https://a/sitemap.xml":        index("https://a/sitemap.xml", "/more.xml", "https://a/part.xml.gz?page=1", "https://a/gone.xml", "https://other/x.xml"),
		"https://a/more.xml":           index("/sitemap.xml", "/more.xml", "/pages.txt"),
		"https://a/part.xml.gz?page=1": string(zip(t, "<urlset><url><loc>/one</loc><lastmod>2026-01-02</lastmod></url></urlset>")),
		"https://a/pages.txt":          "https://a/two\nhttps://a/one\n",
	}
	var asked []string
	get := func(_ context.Context, url string) ([]byte, error) {
		asked = append(asked, url)
		if text, ok := files[url]; ok {
			return []byte(text), nil
		}
		return nil, errors.New("status 404")
	}
	allow := func(url string) bool { return strings.HasPrefix(url, "https://a/") }
	pages, diagnostics, err := Collect(t.Context(), []string{"https://a/sitemap.xml", "https://a/sitemap.xml"}, get, allow)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Page{{"https://a/one", "2026-01-02"}, {Loc: "https://a/two"}}, pages); diff != "" {
		t.Error(diff)
	}
	if len(asked) != 5 {
		t.Errorf("asked for %q, want each file once", asked)
	}
	want := []string{"https://a/gone.xml: status 404", "https://other/x.xml: outside of what may be read"}
	if diff := cmp.Diff(want, diagnostics); diff != "" {
		t.Error(diff)
	}
}

func TestCollectEnds(t *testing.T) {
	calls := 0
	endless := func(_ context.Context, url string) ([]byte, error) {
		calls++
		return fmt.Appendf(nil, "<sitemapindex><sitemap><loc>%sx</loc></sitemap></sitemapindex>", url), nil
	}
	if _, diagnostics, err := Collect(t.Context(), []string{"https://a/"}, endless, nil); err != nil || calls != maxDepth+1 || len(diagnostics) != 1 {
		t.Errorf("a chain of indexes: %d calls, diagnostics %q, %v", calls, diagnostics, err)
	}
	calls = 0
	wide := func(_ context.Context, url string) ([]byte, error) {
		calls++
		var b strings.Builder
		for i := range 20 {
			fmt.Fprintf(&b, "<sitemap><loc>%s%d/</loc></sitemap>", url, i)
		}
		return []byte("<sitemapindex>" + b.String() + "</sitemapindex>"), nil
	}
	if _, _, err := Collect(t.Context(), []string{"https://a/"}, wide, nil); err != nil || calls != MaxFiles {
		t.Errorf("a tree of indexes: %d calls, want %d, %v", calls, MaxFiles, err)
	}
}

func TestCollectBoundsPages(t *testing.T) {
	c := collector{seenPage: map[string]bool{}, pages: make([]Page, MaxPages-1)}
	c.read(file{url: base}, []byte("https://a/1\nhttps://a/1\nhttps://a/2\nhttps://a/3"))
	if len(c.pages) != MaxPages || len(c.diagnostics) != 1 {
		t.Errorf("%d pages, want %d; diagnostics %q", len(c.pages), MaxPages, c.diagnostics)
	}
}

func TestFormat(t *testing.T) {
	got := Format("https://docs.example.com/", []Page{
		{"https://docs.example.com/guide/keys.html", "2026-10-02"},
		{Loc: "https://docs.example.com/search.html?a=1&b=2"},
		{"https://docs.example.com/", "2026-11-30"},
		{"https://docs.example.com/", "2026-11-29"},
	})
	want, err := os.ReadFile(filepath.Join("testdata", "sitemap.xml"))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Name != "sitemap.xml" {
		t.Fatalf("got %d files", len(got))
	}
	if diff := cmp.Diff(string(want), string(got[0].Data)); diff != "" {
		t.Error(diff)
	}
}

func TestFormatSplits(t *testing.T) {
	if testing.Short() {
		t.Skip("files of the largest size")
	}
	var pages []Page
	for i := range MaxURLs + 1 {
		pages = append(pages, Page{Loc: fmt.Sprintf("https://a/%06d", i), LastMod: "2026-01-02"})
	}
	if files := Format("https://a/", pages[:MaxURLs]); len(files) != 1 {
		t.Errorf("%d pages make %d files", MaxURLs, len(files))
	}
	files := Format("https://a/", pages)
	if len(files) != 3 || files[0].Name != "sitemap.xml" {
		t.Fatalf("%d pages make %d files", len(pages), len(files))
	}
	byURL := map[string][]byte{}
	for _, f := range files {
		byURL["https://a/"+f.Name] = f.Data
	}
	got, diagnostics, err := Collect(t.Context(), []string{"https://a/sitemap.xml"}, func(_ context.Context, url string) ([]byte, error) {
		return byURL[url], nil
	}, nil)
	if err != nil || len(diagnostics) > 0 {
		t.Fatal(diagnostics, err)
	}
	if diff := cmp.Diff(pages, got); diff != "" {
		t.Error(diff)
	}
}

func TestSplitByBytes(t *testing.T) {
	pages := []Page{{Loc: "https://a/1"}, {Loc: "https://a/2"}, {Loc: "https://a/3"}}
	whole, _ := split(pages, 10, 1<<20)
	if exact, _ := split(pages, 10, len(whole[0].Data)); len(exact) != 1 {
		t.Errorf("a file of exactly the limit is split into %d", len(exact))
	}
	if over, _ := split(pages, 10, len(whole[0].Data)-1); len(over) != 2 {
		t.Errorf("a file over the limit makes %d files, want 2", len(over))
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("<urlset><url><loc>https://a/b</loc><lastmod>2026</lastmod></url></urlset>"))
	f.Add([]byte("<sitemapindex><sitemap><loc><![CDATA[/x?a&b]]></loc></sitemap>"))
	f.Add([]byte("https://a/b\n/c\n"))
	f.Add([]byte("\x1f\x8b\x08\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(data, base)
		if err != nil || s.Index {
			return
		}
		written := Format("https://a/", s.Pages)
		again, err := Parse(written[0].Data, base)
		if err != nil {
			t.Fatalf("cannot read what was written: %v\n%s", err, written[0].Data)
		}
		for _, p := range again.Pages {
			if !strings.HasPrefix(p.Loc, "http") {
				t.Errorf("location %q", p.Loc)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	var pages []Page
	for i := range 10_000 {
		pages = append(pages, Page{Loc: fmt.Sprintf("https://docs.example.com/guide/page-%d.html", i), LastMod: "2026-01-02"})
	}
	data := Format("https://a/", pages)[0].Data
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Parse(data, base); err != nil {
			b.Fatal(err)
		}
	}
}

func zip(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
