package extract

// Addresses: made absolute on the tree, against <base> before the page's own.

import (
	"net/url"
	"strings"

	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// resolveBase returns what relative addresses start from, nil when the page
// and its address do not say.
func resolveBase(doc *html.Node, pageURL string) *url.URL {
	page, err := url.Parse(pageURL)
	if err != nil || !page.IsAbs() {
		page = nil
	}
	b := tree.First(doc, atom.Base)
	if b == nil {
		return page
	}
	u, err := url.Parse(strings.TrimSpace(tree.Attr(b, "href")))
	switch {
	case err != nil || u.String() == "":
		return page
	case page != nil:
		return page.ResolveReference(u)
	case u.IsAbs():
		return u
	}
	return nil
}

// resolveLinks makes the addresses below doc absolute. Fragments of the page
// itself stay fragments, whatever <base> says.
func resolveLinks(doc *html.Node, base *url.URL) {
	if base == nil {
		return
	}
	tree.Walk(doc, func(n *html.Node) bool {
		for i := range n.Attr {
			switch a := &n.Attr[i]; a.Key {
			case "href", "src", "data-src", "poster":
				if n.DataAtom != atom.Base {
					a.Val = resolve(base, strings.TrimSpace(a.Val))
				}
			case "srcset", "data-srcset":
				a.Val = resolveSet(base, a.Val)
			}
		}
		return true
	})
}

func resolve(base *url.URL, ref string) string {
	if ref == "" || ref[0] == '#' || strings.HasPrefix(ref, "http://") || strings.HasPrefix(ref, "https://") || strings.HasPrefix(ref, "data:") {
		return ref
	}
	u, err := url.Parse(strings.ReplaceAll(ref, " ", "%20"))
	if err != nil || u.Scheme != "" && u.Opaque != "" {
		return ref
	}
	return base.ResolveReference(u).String()
}

// dropDataImages removes pictures that are written out in their address.
func dropDataImages(n *html.Node) {
	for _, img := range tree.Find(n, atom.Img) {
		if src := tree.Attr(img, "src"); strings.HasPrefix(src, "data:") && len(src) > dataImageLimit {
			tree.Remove(img)
		}
	}
}

// resolveSet resolves the addresses of a srcset.
func resolveSet(base *url.URL, set string) string {
	if strings.Contains(set, "data:") {
		return set
	}
	parts := strings.Split(set, ",")
	for i, p := range parts {
		f := strings.Fields(p)
		if len(f) == 0 {
			continue
		}
		f[0] = resolve(base, f[0])
		parts[i] = strings.Join(f, " ")
	}
	return strings.Join(parts, ", ")
}
