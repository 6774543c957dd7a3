// Package pages reads the public sets of web pages that extraction and
// conversion are measured on. It decodes bytes to text, and judges nothing.
package pages

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"evergreen/bench/internal/data"

	"golang.org/x/net/html/charset"
)

// Page is a page with what a set says about it. Fields that a set does not
// have are empty.
type Page struct {
	ID       string
	URL      string
	HTML     string // UTF-8
	Text     string // articles: the article's text
	Expected string // readability: the wanted HTML; defuddle: the wanted Markdown
	Selector string // documentation: the page's own content container
}

// Articles are news pages with their article's text (article extraction
// benchmark), by id.
func Articles(c data.Corpora) ([]Page, error) {
	raw, err := os.ReadFile(c.Path("extract", "articles", "ground-truth.json"))
	if err != nil {
		return nil, err
	}
	var truth map[string]struct{ ArticleBody, URL string }
	if err := json.Unmarshal(raw, &truth); err != nil {
		return nil, err
	}
	var all []Page
	for id, t := range truth {
		text, err := read(c.Path("extract", "articles", "html", id+".html.gz"))
		if err != nil {
			return nil, err
		}
		all = append(all, Page{ID: id, URL: t.URL, HTML: text, Text: t.ArticleBody})
	}
	slices.SortFunc(all, func(a, b Page) int { return strings.Compare(a.ID, b.ID) })
	return all, nil
}

// Readability are the test pages of Mozilla's Readability with the HTML that
// it wants.
func Readability(c data.Corpora) ([]Page, error) {
	files, err := found(c.Path("extract", "readability", "*", "source.html"))
	if err != nil {
		return nil, err
	}
	var all []Page
	for _, f := range files {
		folder := filepath.Dir(f)
		p := Page{ID: filepath.Base(folder), URL: "http://fakehost/test/page.html"}
		if p.HTML, err = read(f); err != nil {
			return nil, err
		}
		if p.Expected, err = read(filepath.Join(folder, "expected.html")); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// Documentation are pages of documentation generators, in the order of their
// list.
func Documentation(c data.Corpora) ([]Page, error) {
	list, err := os.ReadFile(c.Path("extract", "doc-pages", "list.tsv"))
	if err != nil {
		return nil, err
	}
	var all []Page
	for i, line := range strings.Split(strings.TrimSpace(string(list)), "\n") {
		f := strings.Split(line, "\t")
		if i == 0 {
			continue
		}
		if len(f) < 6 {
			return nil, fmt.Errorf("list.tsv, line %d: %d fields", i+1, len(f))
		}
		text, err := read(c.Path("extract", "doc-pages", f[0]+".html"))
		if err != nil {
			return nil, err
		}
		all = append(all, Page{ID: f[0], URL: "https://docs.example.org/" + f[2], HTML: text, Selector: f[5]})
	}
	return all, nil
}

// Defuddle are the fixtures of defuddle with the Markdown that it writes.
// Fixtures without one are left out.
func Defuddle(c data.Corpora) ([]Page, error) {
	files, err := found(c.Path("extract", "defuddle", "fixtures", "*.html"))
	if err != nil {
		return nil, err
	}
	var all []Page
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".html")
		want, err := read(c.Path("extract", "defuddle", "expected", name+".md"))
		if os.IsNotExist(err) {
			continue
		} else if err != nil {
			return nil, err
		}
		text, err := read(f)
		if err != nil {
			return nil, err
		}
		all = append(all, Page{ID: name, URL: fixtureURL(name, text), HTML: text, Expected: withoutMetadata(want)})
	}
	return all, nil
}

// fixtureURL is the address that a fixture's first comment names.
func fixtureURL(name, text string) string {
	var named struct{ URL string }
	if rest, ok := strings.CutPrefix(text, "<!--"); ok {
		comment, _, _ := strings.Cut(rest, "-->")
		if json.Unmarshal([]byte(comment), &named) == nil && named.URL != "" {
			return named.URL
		}
	}
	return "https://example.com/" + name
}

// withoutMetadata drops the fenced JSON that an expected file begins with.
func withoutMetadata(markdown string) string {
	if rest, ok := strings.CutPrefix(markdown, "```json\n"); ok {
		if _, text, ok := strings.Cut(rest, "\n```"); ok {
			return text
		}
	}
	return markdown
}

func found(pattern string) ([]string, error) {
	files, err := filepath.Glob(pattern)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no pages: %s", pattern)
	}
	return files, err
}

// read reads a file, through gzip when it is packed, as UTF-8.
func read(path string) (string, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if strings.HasSuffix(path, ".gz") {
		unpacked, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			return "", fmt.Errorf("%s: %w", path, err)
		}
		if raw, err = io.ReadAll(unpacked); err != nil {
			return "", fmt.Errorf("%s: %w", path, err)
		}
	}
	return decode(raw), nil
}

// decode follows a page's declaration only when the page is not UTF-8 anyway.
func decode(raw []byte) string {
	if !utf8.Valid(raw) {
		if encoding, name, _ := charset.DetermineEncoding(raw, "text/html"); name != "utf-8" {
			if text, err := encoding.NewDecoder().Bytes(raw); err == nil {
				raw = text
			}
		}
	}
	return strings.ToValidUTF8(string(raw), "\ufffd")
}
