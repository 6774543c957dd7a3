package extract

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"testing"

	readability "codeberg.org/readeck/go-readability/v2"
)

// articlePages loads the pages of the article set in order of their names.
func articlePages(b *testing.B) (pages [][]byte, urls []string) {
	dir := corpus(b, "articles")
	raw, err := os.ReadFile(filepath.Join(dir, "ground-truth.json"))
	if err != nil {
		b.Fatal(err)
	}
	var truth map[string]struct{ URL string }
	if err := json.Unmarshal(raw, &truth); err != nil {
		b.Fatal(err)
	}
	var ids []string
	for id := range truth {
		ids = append(ids, id)
	}
	sort.Strings(ids)
	for _, id := range ids {
		pages = append(pages, load(b, filepath.Join(dir, "html", id+".html.gz")))
		urls = append(urls, truth[id].URL)
	}
	return pages, urls
}

// BenchmarkPage extracts the article set; BenchmarkReadability is the library
// alone on the same pages, for the ratio on a busy machine.
func BenchmarkPage(b *testing.B) {
	pages, urls := articlePages(b)
	for b.Loop() {
		for i, p := range pages {
			Page(p, urls[i])
		}
	}
	b.ReportMetric(float64(len(pages)*b.N)/b.Elapsed().Seconds(), "pages/s")
}

func BenchmarkReadability(b *testing.B) {
	pages, _ := articlePages(b)
	for b.Loop() {
		for _, p := range pages {
			parser := readability.NewParser()
			if _, err := parser.Parse(bytes.NewReader(p), nil); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(len(pages)*b.N)/b.Elapsed().Seconds(), "pages/s")
}
