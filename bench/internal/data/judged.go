package data

// This file reads judged sets: what is searched, and the queries with their
// right answers.

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Unit is one piece of text that can be found.
type Unit struct {
	ID    string `json:"id"`
	Page  string `json:"page,omitempty"`
	Title string `json:"title"` // chain of headings
	Body  string `json:"body"`
}

// Judged is a query with the ids, or pages, of its right answers.
type Judged struct {
	ID, Text string
	Relevant map[string]int // a grade above 0 is right
}

// Units reads the texts of a judged set.
func (c Corpora) Units(set string) ([]Unit, error) {
	return lines[Unit](c.Path("retrieval", set, "corpus.jsonl.gz"))
}

// Queries reads the queries of a judged set.
func (c Corpora) Queries(set string) ([]Judged, error) {
	return lines[Judged](c.Path("retrieval", set, "queries.jsonl.gz"))
}

func lines[T any](name string) (all []T, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	zipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	scanner := bufio.NewScanner(zipped)
	scanner.Buffer(nil, 16<<20)
	for scanner.Scan() {
		var v T
		if err := json.Unmarshal(scanner.Bytes(), &v); err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, scanner.Err()
}

// WriteLines writes values as JSON lines.
func WriteLines[T any](name string, all []T) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	w := bufio.NewWriter(file)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, v := range all {
		if err := encoder.Encode(v); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return file.Close()
}

// ReadLines reads what WriteLines wrote, one value at a time.
func ReadLines[T any](name string, each func(T) error) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	for d := json.NewDecoder(bufio.NewReader(file)); d.More(); {
		var v T
		if err := d.Decode(&v); err != nil {
			return err
		}
		if err := each(v); err != nil {
			return err
		}
	}
	return nil
}

// Page is a document put together from units again.
type Page struct{ Name, Markdown string }

// Pages puts the units of each page together as Markdown: a heading for each
// unit, as deep as its chain of headings is long.
func Pages(units []Unit) []Page {
	texts := map[string]*strings.Builder{}
	var names []string
	for _, u := range units {
		b := texts[u.Page]
		if b == nil {
			b = &strings.Builder{}
			texts[u.Page], names = b, append(names, u.Page)
		}
		chain := strings.Split(u.Title, " / ")
		b.WriteString(strings.Repeat("#", min(len(chain), 6)) + " " + chain[len(chain)-1] + "\n\n" + u.Body + "\n\n")
	}
	slices.Sort(names)
	pages := make([]Page, len(names))
	for i, name := range names {
		pages[i] = Page{name, texts[name].String()}
	}
	return pages
}

// FileName is the name of a page's file within a folder of pages.
func (p Page) FileName() string {
	return regexp.MustCompile(`[^\pL\pN._-]+`).ReplaceAllString(strings.TrimSuffix(p.Name, ".md"), "~") + ".md"
}

// WritePages writes pages as files of a folder.
func WritePages(folder string, pages []Page) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, p := range pages {
		if err := os.WriteFile(filepath.Join(folder, p.FileName()), []byte(p.Markdown), 0o644); err != nil {
			return err
		}
	}
	return nil
}
