package sitemap

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
)

const (
	header       = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	namespace    = ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n"
	urlsetStart  = header + "<urlset" + namespace
	urlsetEnd    = "</urlset>\n"
	indexStart   = header + "<sitemapindex" + namespace
	indexEnd     = "</sitemapindex>\n"
	mainFileName = "sitemap.xml"
)

// File is a written sitemap.
type File struct {
	Name string // "sitemap.xml", "sitemap-1.xml", ...
	Data []byte
}

// Format writes pages, sorted by location and each once, as sitemap.xml. When
// they pass MaxURLs or MaxBytes, sitemap.xml is an index of sitemap-1.xml and
// so on. base is the URL of the folder that the files are published in, with
// its final slash; only an index needs it. Same pages, same bytes.
func Format(base string, pages []Page) []File {
	pages = slices.Clone(pages)
	slices.SortFunc(pages, func(a, b Page) int {
		if c := strings.Compare(a.Loc, b.Loc); c != 0 {
			return c
		}
		return strings.Compare(b.LastMod, a.LastMod)
	})
	pages = slices.CompactFunc(pages, func(a, b Page) bool { return a.Loc == b.Loc })
	files, newest := split(pages, MaxURLs, MaxBytes)
	if len(files) == 1 {
		files[0].Name = mainFileName
		return files
	}
	var index bytes.Buffer
	index.WriteString(indexStart)
	for i, f := range files {
		index.Write(element("sitemap", Page{Loc: base + f.Name, LastMod: newest[i]}))
	}
	index.WriteString(indexEnd)
	return append([]File{{Name: mainFileName, Data: index.Bytes()}}, files...)
}

// split fills files up to the limits and tells the newest change of each.
func split(pages []Page, maxURLs, maxBytes int) (files []File, newest []string) {
	var b bytes.Buffer
	count, last := 0, ""
	flush := func() {
		b.WriteString(urlsetEnd)
		name := fmt.Sprintf("sitemap-%d.xml", len(files)+1)
		files = append(files, File{Name: name, Data: bytes.Clone(b.Bytes())})
		newest = append(newest, last)
		b.Reset()
		count, last = 0, ""
	}
	b.WriteString(urlsetStart)
	for _, p := range pages {
		e := element("url", p)
		if count == maxURLs || count > 0 && b.Len()+len(e)+len(urlsetEnd) > maxBytes {
			flush()
			b.WriteString(urlsetStart)
		}
		b.Write(e)
		count++
		last = max(last, p.LastMod) // ISO dates sort as text
	}
	flush()
	return files, newest
}

func element(name string, p Page) []byte {
	var b bytes.Buffer
	b.WriteString("  <" + name + "><loc>")
	xml.EscapeText(&b, []byte(p.Loc)) // a bytes.Buffer does not fail
	b.WriteString("</loc>")
	if p.LastMod != "" {
		b.WriteString("<lastmod>")
		xml.EscapeText(&b, []byte(p.LastMod))
		b.WriteString("</lastmod>")
	}
	b.WriteString("</" + name + ">\n")
	return b.Bytes()
}
