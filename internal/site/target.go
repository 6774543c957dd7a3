package site

// This file decides where the links of a document lead.

import (
	"html"
	"net/url"
	"path"
	"strings"
)

// linkForm is what links to pages of the site become.
type linkForm int

const (
	toMirrors linkForm = iota
	toPages
)

// linker returns the relink of a page's text.
func (s *Site) linker(p *Page, form linkForm) relink {
	return func(destination string, image bool) string {
		return s.target(p, form, strings.TrimSpace(html.UnescapeString(destination)), image)
	}
}

// target is where a destination written in page p leads, "" for nowhere.
func (s *Site) target(p *Page, form linkForm, destination string, image bool) string {
	if destination == "" || strings.HasPrefix(destination, "#") {
		return destination
	}
	u, err := url.Parse(destination)
	if err != nil {
		return ""
	}
	switch u.Scheme {
	case "http", "https":
		if image && s.o.Origin == "" {
			return destination
		}
		if image {
			return s.atBase(u)
		}
		return s.webTarget(form, u)
	case "":
	case "mailto", "tel", "ftp":
		return destination
	case "data":
		if image {
			return destination
		}
		return ""
	default:
		return ""
	}
	if origin, err := url.Parse(p.Meta.URL); err == nil && origin.IsAbs() && origin.Host != "" {
		full := origin.ResolveReference(u)
		if image {
			return s.atBase(full)
		}
		return s.webTarget(form, full)
	}
	if u.Host != "" {
		u.Scheme = "https"
		return s.webTarget(form, u)
	}
	return s.localTarget(p, form, u, image)
}

// webTarget leads to our own page of an address on the web where we hold one.
func (s *Site) webTarget(form linkForm, u *url.URL) string {
	if i, ok := s.pages.byURL[plainURL(u.String())]; ok && u.RawQuery == "" {
		return s.pageTarget(i, form, u.EscapedFragment())
	}
	if s.o.Origin != "" && u.RawQuery == "" { // the origin's pages may link to each other by the public address
		if public := Below(s.base, u.String()); public != nil {
			if i, ok := s.pages.byPath[public.Path]; ok {
				return s.pageTarget(i, form, u.EscapedFragment())
			}
		}
	}
	return s.atBase(u)
}

// atBase is an address on the web; the origin's own are told by the public one.
func (s *Site) atBase(u *url.URL) string {
	if s.o.Origin == "" {
		return u.String()
	}
	rel := Below(s.o.Origin, u.String())
	if rel == nil {
		return u.String()
	}
	rel.Fragment, rel.RawFragment = u.Fragment, u.RawFragment
	return s.base + rel.String()
}

// localTarget follows a path within the documents of p's collection.
func (s *Site) localTarget(p *Page, form linkForm, u *url.URL, image bool) string {
	if image {
		return "" // files beside the documents are not served
	}
	for _, name := range localNames(p.DocPath, u.Path) {
		keys := []string{name}
		if isDocumentName(name) {
			keys = append(keys, withoutExt(name))
		}
		for _, key := range keys {
			if i, ok := s.pages.doc(p.Collection, key); ok {
				return s.pageTarget(i, form, u.EscapedFragment())
			}
		}
	}
	if !strings.HasPrefix(u.Path, "/") {
		return ""
	}
	if i, ok := s.pages.byPath[u.Path]; ok {
		return s.pageTarget(i, form, u.EscapedFragment())
	}
	_, fixed := s.fixed[u.Path]
	if fixed || s.pages.mirrorOf(u.Path) != nil || s.serves(u.Path) {
		return s.base + u.String()
	}
	return ""
}

// isDocumentName reports whether a name ends as those of documents and of their
// pages do; keys.zip is not the page of keys.md.
func isDocumentName(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx", ".html", ".htm", ".txt":
		return true
	}
	return false
}

// localNames are the documents that a path may mean. A relative one starts from
// the document's folder, or from its own address as a folder, which is how
// generators with "pretty" URLs resolve it. One with a slash in front starts from
// the top of a site, which may be the collection's or any folder above the
// document.
func localNames(docPath, target string) []string {
	if !strings.HasPrefix(target, "/") {
		return []string{cleanName(path.Dir(docPath), target), cleanName(withoutExt(docPath), target)}
	}
	name := strings.Trim(path.Clean(target), "/")
	names := []string{name}
	for i, c := range docPath {
		if c == '/' {
			names = append(names, path.Join(docPath[:i], name))
		}
	}
	return names
}

// cleanName joins below the collection's top; what climbs out of it is no name.
func cleanName(folder, target string) string {
	name := path.Join(folder, target)
	if name == "." {
		return ""
	}
	if strings.HasPrefix(name, "../") || name == ".." {
		return "\x00"
	}
	return name
}

// pageTarget is the address of a page or its mirror.
func (s *Site) pageTarget(i int, form linkForm, fragment string) string {
	p := &s.pages.list[i]
	target := s.url(p.Path)
	if form == toMirrors {
		target = s.url(p.mirror())
	}
	if fragment != "" {
		target += "#" + fragment
	}
	return target
}

// serves reports whether a path is one of the protocols or of the API.
func (s *Site) serves(path string) bool {
	switch path {
	case mcpPath:
		return s.o.MCP != nil
	case a2aPath:
		return s.o.A2A
	}
	for _, o := range s.o.Operations {
		if o.Path == path {
			return true
		}
	}
	return false
}
