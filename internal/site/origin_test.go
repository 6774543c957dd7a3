package site

import (
	"strings"
	"testing"

	"evergreen"

	"github.com/google/go-cmp/cmp"
)

// overlaid is the site of pages fetched from an origin that the public does not
// know by its address.
func overlaid() Input {
	f := &fake{revision: "r"}
	f.document("o", "index.html.md", "# Start\n\nSee [keys](keys), [the guide](https://docs.example.com/guide/), [a file](/f.zip) and [elsewhere](https://x.example/).\n\n![](/p.png)\n",
		evergreen.Meta{URL: "http://10.0.0.1:8080/"})
	f.document("o", "keys.md", "# Keys\n\nText.\n", evergreen.Meta{URL: "http://10.0.0.1:8080/keys"})
	f.document("o", "guide.md", "# Guide\n\nText.\n", evergreen.Meta{URL: "https://10.0.0.1:8080/guide/"})
	f.document("o", "raw.html.md", "# Raw\n\nText.\n", evergreen.Meta{URL: "http://10.0.0.1:8080/raw.html.md"})
	f.document("o", "list.md", "# List, page 2\n\nText.\n", evergreen.Meta{URL: "http://10.0.0.1:8080/list?page=2"})
	f.document("o", "far.md", "# Far\n\nText.\n", evergreen.Meta{URL: "http://elsewhere.example/far"})
	f.entry("kb", evergreen.Entry{ID: "EX-1", Title: "One", Body: "Body."})
	return Input{Snapshot: f, Options: Options{BaseURL: "https://docs.example.com", Layout: LayoutOrigin, Origin: "http://10.0.0.1:8080/"}}
}

func TestPagesOfAnOrigin(t *testing.T) {
	s := must(t, overlaid())
	var got []string
	for _, p := range s.Pages() {
		got = append(got, s.URL(p)+" "+s.MirrorURL(p))
	}
	want := []string{
		"https://docs.example.com/ https://docs.example.com/index.html.md",
		"https://docs.example.com/keys https://docs.example.com/keys.html.md",
		"https://docs.example.com/guide/ https://docs.example.com/guide/index.html.md",
		"https://docs.example.com/raw.html.md https://docs.example.com/raw.html.md",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	const text = "See [keys](https://docs.example.com/keys.html.md), [the guide](https://docs.example.com/guide/index.html.md), " +
		"[a file](https://docs.example.com/f.zip) and [elsewhere](https://x.example/).\n\n![](https://docs.example.com/p.png)\n"
	if full := read(t, s, "/llms-full.txt"); !strings.Contains(full, text) {
		t.Errorf("links:\n%s", full)
	}
	if index := read(t, s, "/llms.txt"); !strings.HasPrefix(index, "# Start\n") {
		t.Errorf("the site is not called as its first page:\n%s", index)
	}
	for r := range s.Resources() {
		if b, err := r.Bytes(); err != nil || strings.Contains(string(b), "10.0.0.1") {
			t.Errorf("%s tells where the origin stands (%v)", r.Path, err)
		}
	}
}

// TestReservedPaths: everything that is written, pages and mirrors aside, is
// known by its path alone, and no page is.
func TestReservedPaths(t *testing.T) {
	large := overlaid()
	f := large.Snapshot.(*fake)
	for _, dir := range []string{"a", "b"} {
		for i := range 300 {
			name := dir + "/" + strings.Repeat("page-", 20) + string(rune('a'+i%26)) + strings.Repeat("x", i)
			f.document("o", name+".md", "# "+name+"\n", evergreen.Meta{URL: "http://10.0.0.1:8080/" + name})
		}
	}
	full := exampleInput()
	for what, in := range map[string]Input{"small": overlaid(), "large": large, "every service": full} {
		s := must(t, in)
		files := 0
		for r := range s.Resources() {
			for _, path := range append([]string{r.Path}, r.Aliases...) {
				if Reserved(path) == (r.Page != nil) {
					t.Errorf("%s: %s is reserved: %v", what, path, Reserved(path))
				}
			}
			files++
		}
		if what == "large" && len(s.partPaths()) == 0 || files == 0 {
			t.Errorf("%s: %d files, none of them a part", what, files)
		}
		for _, p := range s.Pages() {
			if Reserved(p.Path) {
				t.Errorf("%s: the page %s is reserved", what, p.Path)
			}
		}
	}
}

func TestBelow(t *testing.T) {
	for _, tt := range []struct{ base, address, want string }{
		{"http://h.example", "http://h.example", "/"},
		{"http://h.example/", "https://H.example/a%20b?x=1#f", "/a%20b?x=1"},
		{"http://h.example/docs/", "http://h.example/docs", "/"},
		{"http://h.example/docs", "http://h.example/docs/a/", "/a/"},
		{"http://h.example/docs", "http://h.example/docsets/", "none"},
		{"http://h.example", "http://h.example:8080/", "none"},
		{"http://h.example", "/a", "none"},
		{"", "/a", "none"},
		{"", "http://h.example/", "none"},
	} {
		got := "none"
		if u := Below(tt.base, tt.address); u != nil {
			got = u.String()
		}
		if got != tt.want {
			t.Errorf("Below(%q, %q) = %s, want %s", tt.base, tt.address, got, tt.want)
		}
	}
}

func TestTheNameInTitlesIsTheSites(t *testing.T) {
	for _, tt := range []struct {
		name   string
		titles []string
		site   string
		first  string // title of the first page
	}{
		{"most", []string{"Start | Example Docs", "Keys | Example Docs", "A - B | Example Docs", "Legal"}, "Example Docs", "Start"},
		{"half", []string{"Start | X", "Keys | X", "A", "B"}, "Start | X", "Start | X"},
		{"too few to tell", []string{"Start | X", "Keys | X"}, "Start | X", "Start | X"},
		{"a page called as the site", []string{"Example Docs", "Keys | Example Docs", "Locks | Example Docs", "Doors | Example Docs"}, "Example Docs", "Example Docs"},
		{"Chinese", []string{"首页 - 示例", "密钥 - 示例", "安装 - 示例"}, "示例", "首页"},
	} {
		f := &fake{revision: "r"}
		for i, title := range tt.titles {
			path := []string{"/", "/a", "/b", "/c"}[i]
			f.document("o", string(rune('a'+i))+".md", "Text.\n", evergreen.Meta{Title: title, URL: "http://h.example" + path})
		}
		s := must(t, Input{Snapshot: f, Options: Options{Layout: LayoutOrigin, Origin: "http://h.example"}})
		if home, _, _ := s.PageAt("/"); s.o.Name != tt.site || home.Title != tt.first {
			t.Errorf("%s: the site is %q, its first page %q", tt.name, s.o.Name, home.Title)
		}
	}
}
