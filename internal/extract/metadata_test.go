package extract

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
)

func markdownStub(*html.Node, string) string { return "md" }

func writePages(t *testing.T, dir string) {
	t.Helper()
	page := article(prose + prose)
	if err := os.WriteFile(filepath.Join(dir, "p.html"), []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, "p.html.gz"))
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	if _, err := z.Write([]byte(page)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestCleanTitle(t *testing.T) { // D23
	for _, tt := range []struct{ title, site, h1, want string }{
		{"[2401.00001] A paper", "", "", "A paper"},
		{"[only]", "", "", "[only]"},
		{"Guide | Example Docs", "", "", "Guide"},
		{"Guide · Example", "", "", "Guide"},
		{"Guide — Example", "", "", "Guide"},
		{"Guide – Example", "", "", "Guide"},
		{"Guide - Example", "", "", "Guide - Example"},
		{"A | B | C", "", "", "A | B"},
		{"Guide | " + strings.Repeat("x", titleSuffixLimit), "", "", "Guide"},
		{"Guide | " + strings.Repeat("x", titleSuffixLimit+1), "", "", "Guide | " + strings.Repeat("x", titleSuffixLimit+1)},
		{"Site - Guide", "Site", "", "Guide"},
		{"Site - Guide", "Site", "Site - Guide", "Site - Guide"},
		{"Site - Guide", "Other", "", "Site - Guide"},
		{"pytest — pytest documentation", "", "", "pytest"},
		{"Set\u200b up\u00b6", "", "", "Set up"},
		{"| Site", "", "", "Site"},
		{"| Site", "", "Guide", "Guide"},
		{"", "", "", ""},
	} {
		if got := cleanTitle(tt.title, tt.site, tt.h1); got != tt.want {
			t.Errorf("cleanTitle(%q, %q, %q) = %q, want %q", tt.title, tt.site, tt.h1, got, tt.want)
		}
	}
}

func TestMetadata(t *testing.T) {
	for _, tt := range []struct {
		name, page string
		want       metadata
	}{
		{"json-ld", `<html lang="de"><title>T | S</title><script type="application/ld+json">{"@graph":[{"@type":"WebSite","name":"S"},{"@type":["NewsArticle"],"headline":"H","author":[{"name":"A B"},{"name":"C"}],"datePublished":"2024-05-06T07:08:09+0200","dateModified":"2024-05-07"}]}</script>`,
			metadata{title: "T", site: "S", byline: "A B, C", language: "de", published: "2024-05-06T07:08:09+02:00", updated: "2024-05-07", article: true}},
		{"open graph", `<title>T</title><meta property="og:site_name" content="S"><meta name="author" content="By A"><meta property="article:published_time" content="2024-05-06T07:08:09Z"><meta property="og:locale" content="en_GB"><meta property="og:url" content="https://e.org/c">`,
			metadata{title: "T", site: "S", byline: "A", language: "en-GB", published: "2024-05-06T07:08:09Z", canonical: "https://e.org/c"}},
		{"shown", `<title>T</title><article><a rel="author">A</a><time datetime="2024-01-02" pubdate></time></article>`, metadata{title: "T", byline: "A", published: "2024-01-02"}},
		{"h1 for want of a title", `<h1>The  heading</h1>`, metadata{title: "The heading", h1: "The heading"}},
		{"a picture's title is none", `<svg><title>Icon</title></svg><h1>H</h1>`, metadata{title: "H", h1: "H"}},
		{"an address is no name", `<title>T</title><meta name="author" content="https://e.org/a">`, metadata{title: "T"}},
		{"broken json", `<title>T</title><script type="application/ld+json">{"@type":"Article",</script>`, metadata{title: "T"}},
		{"nothing", ``, metadata{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc, _ := tree.Parse([]byte(tt.page))
			got := readMetadata(doc)
			got.rawTitle = ""
			if got != tt.want {
				t.Errorf("\n got %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestPruneMatchesWholeWords(t *testing.T) { // D21
	for class, gone := range map[string]bool{
		"share-buttons": true, "post_share": true, "Social": true, "related-posts": true,
		"sharedmarkdowncontent__x": false, "__docusaurus_skiptocontent_fallback": false, "shareholders": false, "adapter": false,
	} {
		doc, _ := tree.Parse([]byte(`<body><div class="` + class + `">x</div>` + strings.Repeat(prose, 3)))
		prune(doc.LastChild.LastChild)
		if got := !strings.Contains(tree.Text(doc), "x\n"); got != gone {
			t.Errorf("%s removed: %v, want %v", class, got, gone)
		}
	}
}

func TestCutLinks(t *testing.T) { // D34
	link := func(chars int) string { return `<a href="/">` + strings.Repeat("l", chars) + `</a>` }
	text := func(chars int) string { return strings.Repeat("t", chars) }
	for _, tt := range []struct {
		name, block string
		gone        bool
	}{
		{"a list of links", "<ul><li>" + link(denseChars) + "</li></ul>", true},
		{"one character too short", "<ul><li>" + link(denseChars-1) + "</li></ul>", false},
		{"at the share", "<div>" + link(denseShare*2) + text((100-denseShare)*2) + "</div>", true},
		{"below the share", "<div>" + link(denseShare*2-1) + text((100-denseShare)*2+1) + "</div>", false},
		{"a heading's article stays", "<div><h1>" + link(denseChars) + "</h1></div>", false},
		{"inline elements are no blocks", "<b>" + link(denseChars) + "</b>", false},
	} {
		doc, _ := tree.Parse([]byte("<body>" + strings.Repeat(prose, 4) + tt.block))
		cutLinks(doc)
		if gone := !strings.Contains(tree.Text(doc), "lll"); gone != tt.gone {
			t.Errorf("%s: gone %v, want %v", tt.name, gone, tt.gone)
		}
	}
	doc, _ := tree.Parse([]byte("<body><p>Index</p><ul><li>" + link(500) + "</li></ul>"))
	before := tree.Text(doc)
	if cutLinks(doc); tree.Text(doc) != before {
		t.Error("a page that is an index was emptied")
	}
	doc, _ = tree.Parse([]byte("<body><div>" + prose + "<ul><li>" + link(200) + "</li></ul>" + prose + "</div>"))
	if cutLinks(doc); !strings.Contains(tree.Text(doc), "lll") {
		t.Error("a list between the paragraphs of a text was cut")
	}
}

func TestPolish(t *testing.T) {
	keep := []string{
		"<p>Subscribe to the topic with the client before sending.</p>",
		"<p>See the table below.</p>",
		"<p>Copyright law applies to code.</p>",
		"<ul><li>Source: the folder</li></ul>",
		"<blockquote><p>Follow us on the way.</p></blockquote>",
		"<figure><img src=a><figcaption>The engine and its workers, seen from above, in the order in which they start.</figcaption></figure>",
	}
	drop := []string{
		"<p>Published: 6 May 2024</p>",
		`<p>Read more: <a href="/x">Another story</a></p>`,
		"<p>ADVERTISEMENT</p>",
		"<p>© 2024 Example Media Group</p>",
		"<figure><img src=a><figcaption>The mayor opens the bridge on Tuesday morning in the rain, before the first of the cars may cross it. Photo: Example Agency</figcaption></figure>",
		"<p>https://e.org/story</p>",
	}
	doc, _ := tree.Parse([]byte("<body>" + strings.Join(keep, "") + strings.Join(drop, "")))
	polish(doc)
	got := tree.Text(doc)
	for _, k := range keep {
		d, _ := tree.Parse([]byte(k))
		if !strings.Contains(got, tree.Text(d)) {
			t.Errorf("dropped %s", k)
		}
	}
	for _, k := range drop {
		d, _ := tree.Parse([]byte(k))
		if strings.Contains(got, tree.Text(d)) {
			t.Errorf("kept %s", k)
		}
	}
}
