package canon

// Images: the address that a lazy page would load.

import (
	"strings"

	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func images(root *html.Node) {
	for _, img := range tree.Find(root, atom.Img) {
		src := strings.TrimSpace(tree.Attr(img, "src"))
		if src == "" || placeholder(src) {
			if real := lazySource(img); real != "" {
				src = real
				tree.SetAttr(img, "src", real)
			}
		}
		if src == "" || placeholder(src) {
			tree.Remove(img)
		}
	}
	for _, p := range tree.Find(root, atom.Picture) {
		if tree.First(p, atom.Img) == nil {
			continue
		}
		for _, s := range tree.Find(p, atom.Source) {
			tree.Remove(s)
		}
		tree.Unwrap(p)
	}
}

func placeholder(src string) bool {
	return strings.HasPrefix(src, "data:image/") && len(src) < placeholderLimit || src == "about:blank" || src == "#"
}

// lazySource finds the address that scripts put into src, on the image or on
// the first source beside it.
func lazySource(img *html.Node) string {
	for _, key := range [...]string{"data-src", "data-original", "data-lazy-src", "data-lazy", "data-url", "data-full-src", "data-hi-res-src"} {
		if v := strings.TrimSpace(tree.Attr(img, key)); v != "" && !placeholder(v) {
			return v
		}
	}
	for _, key := range [...]string{"data-srcset", "srcset", "data-lazy-srcset"} {
		if v := lastOfSet(tree.Attr(img, key)); v != "" {
			return v
		}
	}
	if tree.Is(img.Parent, atom.Picture) {
		for _, s := range tree.Find(img.Parent, atom.Source) {
			for _, key := range [...]string{"srcset", "data-srcset"} {
				if v := lastOfSet(tree.Attr(s, key)); v != "" {
					return v
				}
			}
		}
	}
	return ""
}

// lastOfSet returns the last address of a srcset, by custom the largest.
func lastOfSet(set string) string {
	parts := strings.Split(strings.TrimSpace(set), ", ")
	f := strings.Fields(parts[len(parts)-1])
	if len(f) == 0 || placeholder(f[0]) {
		return ""
	}
	return strings.TrimSuffix(f[0], ",")
}
