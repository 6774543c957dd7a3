package canon

// Footnotes that scripts or style sheets connect to their references, without
// a link a reader could follow.

import (
	"strconv"
	"strings"

	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// namedNotes pairs references that name their note by an attribute:
// data-definition="id", or id="footnoteref-3" for id="footnote-3".
func namedNotes(root *html.Node) {
	byID := map[string]*html.Node{}
	var refs []*html.Node
	tree.Walk(root, func(n *html.Node) bool {
		if n.Type != html.ElementNode {
			return false
		}
		id := tree.Attr(n, "id")
		if id != "" && byID[id] == nil {
			byID[id] = n
		}
		if tree.HasAttr(n, "data-definition") || strings.HasPrefix(id, "footnoteref-") {
			refs = append(refs, n)
		}
		return true
	})
	for i, ref := range refs {
		target := tree.Attr(ref, "data-definition")
		if target == "" {
			target = "footnote-" + strings.TrimPrefix(tree.Attr(ref, "id"), "footnoteref-")
		}
		def := byID[target]
		if def == nil || ref.Parent == nil || tree.Contains(def, ref) || tree.Contains(ref, def) || tree.HasAttr(def, AttrFootnoteText) {
			continue
		}
		name := footnoteLabel(oneLine(ref))
		if number(name) < 0 {
			name = strconv.Itoa(i + 1)
		}
		tree.DelAttr(def, hiding...)
		definition(def, name)
		reference(ref, name)
	}
}

// listedNotes pairs raised numbers with the items of a numbered list that
// stands aside or under a heading that announces notes.
func listedNotes(root *html.Node) {
	refs := map[string][]*html.Node{}
	for _, s := range tree.Find(root, atom.Sup) {
		if name := footnoteLabel(oneLine(s)); number(name) > 0 && !tree.HasAttr(s, AttrFootnote) && tree.First(s, atom.A) == nil && !tree.Inside(s, atom.A, atom.Pre) {
			refs[name] = append(refs[name], s)
		}
	}
	if len(refs) == 0 {
		return
	}
	for _, l := range tree.Find(root, atom.Ol) {
		if !noteList(l) {
			continue
		}
		n := 1
		if v := number(tree.Attr(l, "start")); v > 0 {
			n = v
		}
		for _, li := range tree.ElementChildren(l) {
			name := strconv.Itoa(n)
			n++
			if len(refs[name]) == 0 || tree.HasAttr(li, AttrFootnoteText) {
				continue
			}
			for _, r := range refs[name] {
				if r.Parent != nil && !tree.Contains(li, r) {
					reference(r, name)
				}
			}
			delete(refs, name)
			definition(li, name)
		}
	}
}

// noteList reports whether a numbered list holds notes.
func noteList(l *html.Node) bool {
	if tree.Is(l.Parent, atom.Aside) {
		return true
	}
	for p := l; p != nil && !tree.Is(p, atom.Body, atom.Article, atom.Main); p = p.Parent {
		if strings.Contains(strings.ToLower(tree.Attr(p, "class")), "footnotes") {
			return true
		}
	}
	switch h := tree.PrevElement(l); {
	case h == nil || !tree.Heading(h):
		return false
	default:
		switch strings.ToLower(oneLine(h)) {
		case "notes", "footnotes", "endnotes", "references and notes":
			return true
		}
	}
	return false
}
