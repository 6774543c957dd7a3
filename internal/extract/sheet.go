package extract

// Style sheets inside a page: which class names and ids they hide.

import (
	"strings"

	"evergreen/internal/platform/canon"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// names are simple selectors, ".class" or "#id", that a page's own style
// sheet hides without taking it back.
type names map[string]bool

// hiddenNames reads the style elements of a page. Only rules for one class or
// one id count: longer selectors depend on states that a script sets.
func hiddenNames(doc *html.Node) names {
	hides, shows := names{}, names{}
	for _, s := range tree.Find(doc, atom.Style) {
		if css := tree.ScriptText(s); len(css) <= styleLimit && strings.Contains(css, ":") {
			readSheet(css, true, hides, shows)
		}
	}
	for name := range shows {
		delete(hides, name)
	}
	return hides
}

// readSheet notes what rules hide and show. Rules inside conditions such as
// @media can show again, but what they hide is visible elsewhere.
func readSheet(css string, always bool, hides, shows names) {
	for {
		open := strings.IndexByte(css, '{')
		if open < 0 {
			return
		}
		end := closing(css, open)
		prelude, body := css[:open], css[open+1:end]
		if i := strings.LastIndexByte(prelude, ';'); i >= 0 {
			prelude = prelude[i+1:]
		}
		if i := strings.LastIndex(prelude, "*/"); i >= 0 {
			prelude = prelude[i+2:]
		}
		prelude = strings.TrimSpace(prelude)
		if strings.HasPrefix(prelude, "@") {
			readSheet(body, false, hides, shows)
		} else if hiding := hiddenRule(body); hiding && always || !hiding && strings.Contains(body, "display") {
			for _, sel := range strings.Split(prelude, ",") {
				switch sel = strings.TrimSpace(sel); {
				case !hiding:
					shown(sel, shows)
				case simple(sel):
					hides[sel] = true
				}
			}
		}
		if end+1 >= len(css) {
			return
		}
		css = css[end+1:]
	}
}

// closing is the place of the brace that closes the one at open.
func closing(css string, open int) int {
	depth := 0
	for i := open; i < len(css); i++ {
		switch css[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(css)
}

// simple reports a selector of one class or one id.
func simple(sel string) bool {
	return len(sel) > 1 && (sel[0] == '.' || sel[0] == '#') && !strings.ContainsAny(sel[1:], ".#:[> +~*\t\n")
}

// shown notes every class and id of a selector that shows something.
func shown(sel string, shows names) {
	for i := 0; i < len(sel); i++ {
		if sel[i] != '.' && sel[i] != '#' {
			continue
		}
		j := i + 1
		for j < len(sel) && (wordByte(sel[j]) || sel[j] == '-' || sel[j] == '_') {
			j++
		}
		shows[sel[i:j]] = true
		i = j - 1
	}
}

// hides reports whether the sheet hides n. Panels of tabs and accordions are
// shown on demand and stay, also those that only look like panels: several of
// a kind side by side, or with code, tables and headings of their own.
func (s names) hides(n *html.Node) bool {
	if len(s) == 0 || tree.HasAttr(n, canon.AttrTab) || tree.Is(n, atom.Details, atom.Blockquote) || tree.Is(n.Parent, atom.Details) {
		return false
	}
	if id := tree.Attr(n, "id"); id != "" && s["#"+id] {
		return true
	}
	for _, c := range strings.Fields(tree.Attr(n, "class")) {
		if s["."+c] {
			return !repeated(n, c) && tree.First(n, atom.Pre, atom.Table, atom.H1, atom.H2, atom.H3, atom.H4) == nil
		}
	}
	return false
}

// repeated reports whether a sibling of n has the same class.
func repeated(n *html.Node, class string) bool {
	for c, k := n.PrevSibling, 0; c != nil && k < neighbours; c, k = c.PrevSibling, k+1 {
		if c.Type == html.ElementNode && tree.HasClass(c, class) {
			return true
		}
	}
	for c, k := n.NextSibling, 0; c != nil && k < neighbours; c, k = c.NextSibling, k+1 {
		if c.Type == html.ElementNode && tree.HasClass(c, class) {
			return true
		}
	}
	return false
}
