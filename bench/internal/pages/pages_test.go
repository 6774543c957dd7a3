package pages

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"evergreen/bench/internal/data"
)

// corpus writes files below a folder that stands for the corpora.
func corpus(t *testing.T, files map[string]string) data.Corpora {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, "extract", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return data.Corpora(root)
}

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestArticles(t *testing.T) {
	c := corpus(t, map[string]string{
		"articles/ground-truth.json": `{"b":{"articleBody":"B","url":"u"},"a":{"articleBody":"A","url":"v"}}`,
		"articles/html/a.html.gz":    packed(t, "<p>caf\xe9"), // Latin-1, undeclared
		"articles/html/b.html.gz":    packed(t, `<meta charset=gbk><p>é`),
	})
	got, err := Articles(c)
	want := []Page{{ID: "a", URL: "v", HTML: "<p>café", Text: "A"}, {ID: "b", URL: "u", HTML: `<meta charset=gbk><p>é`, Text: "B"}}
	if err != nil || len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestSets(t *testing.T) {
	c := corpus(t, map[string]string{
		"readability/x/source.html":   "<p>source",
		"readability/x/expected.html": "<p>wanted",
		"doc-pages/list.tsv":          "id\trepo\tpath\tplatform\tlicence\tselector\np\tr\ta/b.html\tsphinx\tMIT\t.body\n",
		"doc-pages/p.html":            "<div class=body>",
		"defuddle/fixtures/f.html":    `<!-- {"url": "https://a.example/"} --><p>f`,
		"defuddle/fixtures/none.html": "<p>without an expectation",
		"defuddle/expected/f.md":      "```json\n{\"title\": \"t\"}\n```\n\ntext\n",
	})
	for _, s := range []struct {
		read func(data.Corpora) ([]Page, error)
		want Page
	}{
		{Readability, Page{ID: "x", URL: "http://fakehost/test/page.html", HTML: "<p>source", Expected: "<p>wanted"}},
		{Documentation, Page{ID: "p", URL: "https://docs.example.org/a/b.html", HTML: "<div class=body>", Selector: ".body"}},
		{Defuddle, Page{ID: "f", URL: "https://a.example/", HTML: `<!-- {"url": "https://a.example/"} --><p>f`, Expected: "\n\ntext\n"}},
	} {
		got, err := s.read(c)
		if err != nil || len(got) != 1 || got[0] != s.want {
			t.Errorf("got %+v, %v, want %+v", got, err, s.want)
		}
	}
	if _, err := Readability(data.Corpora(t.TempDir())); err == nil {
		t.Error("a set without pages passes")
	}
}
