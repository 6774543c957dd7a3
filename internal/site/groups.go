package site

// This file puts the pages of a collection together into the sections of an
// index.

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// group is one section of an index: pages that belong together.
type group struct {
	title string
	dir   string // folder of its own file, when it gets one
	top   bool   // dir is its collection's, whose llms.txt is the collection's own
	pages []int
}

// groups are the pages of a collection by folder, in navigation order. Pages
// outside any folder come first. A folder that holds all the others is passed
// over, since it tells nothing apart.
func (s *Site) groups(c *Page) []group {
	var pages []*Page
	for i := range s.pages.list {
		if p := &s.pages.list[i]; p.Collection == c.Collection && s.pages.shown(i) {
			pages = append(pages, p)
		}
	}
	root := commonFolder(pages)
	var groups []group
	at := map[string]int{}
	for _, p := range pages {
		folder := ""
		if rest, below := strings.CutPrefix(p.place(), root); below {
			folder, _ = firstFolder(rest)
		}
		n, ok := at[folder]
		if !ok {
			n = len(groups)
			at[folder] = n
			groups = append(groups, s.newGroup(p, root, folder))
		}
		groups[n].pages = append(groups[n].pages, p.number)
	}
	if n, ok := at[""]; ok && n > 0 {
		top := groups[n]
		copy(groups[1:n+1], groups[:n])
		groups[0] = top
	}
	return distinct(groups)
}

// place is the page's path within its collection, or within the site where its
// layout knows no collections.
func (p *Page) place() string {
	if p.Path == docsPrefix+p.Collection {
		return ""
	}
	if rest, below := strings.CutPrefix(p.Path, docsPrefix+p.Collection+"/"); below {
		return rest
	}
	return strings.TrimPrefix(p.Path, "/")
}

// firstFolder is the top folder of a path, and what is below it.
func firstFolder(place string) (folder, rest string) {
	folder, rest, inside := strings.Cut(place, "/")
	if !inside {
		return "", place
	}
	return folder, rest
}

// commonFolder is the deepest folder, with its final slash, that all pages lie
// in which lie in any; "" for none. One folder beside pages in it is no reason
// to go deeper when it is the only one that would be left.
func commonFolder(pages []*Page) string {
	root := ""
	for {
		next, several := "", false
		for _, p := range pages {
			rest, below := strings.CutPrefix(p.place(), root)
			if !below {
				continue
			}
			folder, inside := firstFolder(rest)
			if folder == "" {
				continue
			}
			if deeper, _ := firstFolder(inside); deeper != "" {
				several = true
			}
			if next == "" {
				next = folder
			}
			if next != folder {
				return root
			}
		}
		if next == "" || !several {
			return root
		}
		root += next + "/"
	}
}

func (s *Site) newGroup(p *Page, root, folder string) group {
	g := group{dir: "/" + root + folder, title: humanize(folder), top: folder == "" && root == ""}
	if strings.HasPrefix(p.Path, docsPrefix+p.Collection) {
		g.dir = path.Join(docsPrefix+p.Collection, root, folder)
	}
	if folder == "" {
		g.title = s.collectionHead(p).Title
		g.dir = path.Join(docsPrefix+p.Collection, root)
		return g
	}
	if i, ok := s.pages.doc(p.Collection, root+folder); ok {
		if t := s.pages.list[i].Title; t != "" {
			g.title = t
		}
	}
	return g
}

// distinct gives groups of equal title a title of their own.
func distinct(groups []group) []group {
	seen := map[string]bool{}
	for i := range groups {
		if seen[groups[i].title] {
			groups[i].title += " (" + path.Base(groups[i].dir) + ")"
		}
		seen[groups[i].title] = true
	}
	return groups
}

// humanize writes a folder's name as words: getting-started is Getting started.
func humanize(name string) string {
	words := strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' || r == ' ' }), " ")
	for i, r := range words {
		return string(unicode.ToUpper(r)) + words[i+utf8.RuneLen(r):]
	}
	return name
}
