package canon

// Footnotes: a short link to a text lower on the page that links back.

import (
	"strconv"
	"strings"

	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func footnotes(root *html.Node, mode Mode) {
	noteTables(root)
	linkedNotes(root, mode)
	if mode == Clean {
		namedNotes(root)
		listedNotes(root)
	}
}

// linkedNotes finds footnotes by the links that lead to them.
func linkedNotes(root *html.Node, mode Mode) {
	targets := map[string]*html.Node{}
	var links []*html.Node
	tree.Walk(root, func(n *html.Node) bool {
		if n.Type != html.ElementNode || n.DataAtom == atom.Pre {
			return false
		}
		for _, key := range [...]string{"id", "name"} {
			if v := tree.Attr(n, key); v != "" && targets[v] == nil {
				targets[v] = n
			}
		}
		if n.DataAtom == atom.A && strings.HasPrefix(tree.Attr(n, "href"), "#") && footnoteLabel(oneLine(n)) != "" && !wayBack(n) {
			links = append(links, n)
		}
		return true
	})
	seen := map[*html.Node]string{}
	taken := map[string]int{}
	for _, a := range links {
		if a.Parent == nil {
			continue
		}
		t := targets[tree.Attr(a, "href")[1:]]
		if t == nil || tree.Contains(t, a) {
			continue
		}
		def := noteBlock(t)
		if def == nil || tree.Contains(def, a) || !footnoteText(def, a, targets, mode) {
			continue
		}
		name := seen[def]
		if name == "" {
			name = freeName(footnoteLabel(oneLine(a)), taken)
			seen[def] = name
		}
		reference(a, name)
	}
	if len(seen) == 0 {
		return
	}
	tree.Walk(root, func(n *html.Node) bool {
		if name := seen[n]; name != "" {
			label, _, _ := strings.Cut(name, "-")
			definition(n, label)
			tree.SetAttr(n, AttrFootnoteText, name)
		}
		return true
	})
}

// freeName makes a label the name of one note only: pages that number the
// notes of every part from 1 have several of each.
func freeName(label string, taken map[string]int) string {
	if taken[label]++; taken[label] > 1 {
		return label + "-" + strconv.Itoa(taken[label])
	}
	return label
}

// footnoteLabel strips the brackets of a reference; "" when s is no label.
func footnoteLabel(s string) string {
	s = strings.Trim(strings.TrimSpace(s), "[]()^{}")
	s = strings.TrimSpace(s)
	if s == "" || len([]rune(s)) > footnoteLabelLimit {
		return ""
	}
	if number(s) >= 0 {
		return s
	}
	switch {
	case strings.Trim(s, "*†‡§¶#") == "":
		return s
	case len(s) == 1 && s[0] >= 'a' && s[0] <= 'z':
		return s
	}
	return ""
}

// noteBlock is the block that holds the text of a note whose anchor is t.
func noteBlock(t *html.Node) *html.Node {
	for p := t; p != nil && p.Type == html.ElementNode; p = p.Parent {
		switch p.DataAtom {
		case atom.Li, atom.P, atom.Dd, atom.Aside:
			return p
		case atom.Div:
			if p != t || tree.First(p, atom.P) != nil || strings.TrimSpace(oneLine(p)) != footnoteLabel(oneLine(p)) {
				return p
			}
		case atom.Body, atom.Main, atom.Article, atom.Section, atom.Table, atom.Td, atom.H1, atom.H2, atom.H3, atom.H4:
			return nil
		}
	}
	return nil
}

// noteWords are in the ids and classes of footnotes of every system seen.
var noteWords = []string{"fn", "footnote", "ftnt", "ftn", "endnote", "cite_note", "cite-note", "sdfootnote", "note-", "_note", "noteref"}

// footnoteText decides whether def is a footnote: its markup says so, or it
// links back to where the reference stands.
func footnoteText(def, ref *html.Node, targets map[string]*html.Node, mode Mode) bool {
	if tree.Heading(def) || len(tree.Find(def, atom.H1, atom.H2, atom.H3)) > 0 {
		return false
	}
	if saysFootnotes(def) {
		return true
	}
	if mode == Faithful {
		return false
	}
	id := strings.ToLower(tree.Attr(ref, "href"))
	for _, w := range noteWords {
		if strings.HasPrefix(id[1:], w) || strings.Contains(id, w+":") || len(w) > 4 && strings.Contains(id, w) {
			return true
		}
	}
	if markedReference(ref) && beginsAsNote(def, footnoteLabel(oneLine(ref))) {
		return true
	}
	for _, a := range tree.Find(def, atom.A) {
		href := tree.Attr(a, "href")
		if len(href) < 2 || href[0] != '#' {
			continue
		}
		if back := targets[href[1:]]; back != nil && (tree.Contains(back, ref) || tree.Contains(ref, back) || back.Parent == ref.Parent) {
			return true
		}
	}
	return false
}

// markedReference reports whether a link looks like a reference to a note: it
// is raised, in brackets, or its class says so.
func markedReference(a *html.Node) bool {
	if t := oneLine(a); strings.HasPrefix(t, "[") && strings.HasSuffix(t, "]") || tree.Inside(a, atom.Sup) || tree.First(a, atom.Sup) != nil {
		return true
	}
	for n := a; n != nil && n != a.Parent.Parent; n = n.Parent {
		for _, c := range [...]string{"fn", "footnote", "footnote-ref", "footnote-reference", "noteref", "reference", "citation"} {
			if tree.HasClass(n, c) {
				return true
			}
		}
	}
	return false
}

// beginsAsNote reports whether a block is numbered like a note: an item of an
// ordered list, or text that begins with the label.
func beginsAsNote(def *html.Node, label string) bool {
	if tree.Is(def, atom.Li) && tree.Is(def.Parent, atom.Ol) {
		return true
	}
	return strings.HasPrefix(strings.TrimLeft(oneLine(def), "[(^ "), label)
}

// saysFootnotes reports whether the markup around a note names it so.
func saysFootnotes(def *html.Node) bool {
	for p := def; p != nil; p = p.Parent {
		if tree.HasClass(p, "footnotes") || tree.HasClass(p, "footnote") || tree.HasClass(p, "endnotes") || strings.HasPrefix(tree.Attr(p, "role"), "doc-endnote") || tree.Attr(p, "role") == "doc-footnote" {
			return true
		}
	}
	return false
}

// reference puts the canonical mark in the place of a link.
func reference(a *html.Node, name string) {
	sup := tree.Element(atom.Sup, AttrFootnote, name)
	sup.AppendChild(tree.TextNode(name))
	n := a
	for p := n.Parent; tree.Is(p, atom.Sup, atom.Span, atom.Small) && oneLine(p) == oneLine(n); p = n.Parent {
		n = p
	}
	tree.Replace(n, sup)
}

// definition marks a note's block and takes its number and back links away.
func definition(def *html.Node, name string) {
	tree.SetAttr(def, AttrFootnoteText, name)
	waysBack(def)
	for _, a := range tree.Find(def, atom.A, atom.Sup, atom.B, atom.Strong, atom.Span) {
		if a.Parent == nil || !tree.Contains(def, a) {
			continue
		}
		text := oneLine(a)
		href := tree.Attr(a, "href")
		switch {
		case tree.Is(a, atom.A) && (strings.HasPrefix(href, "#") || href == "" && !tree.Blank(a)) && (backSign(text) || footnoteLabel(text) == name):
			tree.Remove(a)
		case !tree.Is(a, atom.A) && leads(def, a) && strings.Trim(footnoteLabel(strings.TrimRight(text, ".: ")), ".") == name:
			tree.Remove(a)
		}
	}
	trimLead(def, name)
}

// wayBack reports whether a link says that it leads from a note back to its
// reference: by its role (DPUB-ARIA) or a class of docutils, kramdown or
// CommonMark renderers.
func wayBack(a *html.Node) bool {
	if tree.Attr(a, "role") == "doc-backlink" {
		return true
	}
	for _, c := range [...]string{"fn-backref", "footnote-backref", "reversefootnote"} {
		if tree.HasClass(a, c) {
			return true
		}
	}
	return false
}

// waysBack removes the links from a note to its references, with the brackets
// and commas around several: "(1, 2)".
func waysBack(def *html.Node) {
	for _, a := range tree.Find(def, atom.A) {
		if a.Parent == nil || !wayBack(a) {
			continue
		}
		p := a.Parent
		tree.Remove(a)
		if p != def && tree.Is(p, atom.Em, atom.I, atom.Span, atom.Sup) && strings.Trim(oneLine(p), "()[], ") == "" {
			tree.Remove(p)
		}
	}
}

// backSign reports whether a link's text is the sign for the way back.
func backSign(s string) bool {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune("↩↵⏎^↑⬆️\ufe0e\ufe0f⮐ ", r) {
			return -1
		}
		return r
	}, s)
	return s == "" || strings.EqualFold(s, "back") || strings.EqualFold(s, "jump up") || strings.EqualFold(s, "return")
}

// leads reports whether nothing visible stands before n in def.
func leads(def, n *html.Node) bool {
	for ; n != def; n = n.Parent {
		for c := n.PrevSibling; c != nil; c = c.PrevSibling {
			if !tree.Blank(c) {
				return false
			}
		}
	}
	return true
}

// trimLead takes a number that is plain text from the start of a note.
func trimLead(def *html.Node, name string) {
	var first *html.Node
	tree.Walk(def, func(n *html.Node) bool {
		if first == nil && n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" {
			first = n
		}
		return first == nil
	})
	if first == nil {
		return
	}
	t := strings.TrimLeft(first.Data, " \n\t\u00a0")
	leads := []string{"[" + name + "]", name + ".", name + ":", "^", ":", "."}
	if !tree.Is(def, atom.Li) {
		leads = append(leads, name+" ") // an item has its number from its list
	}
	for _, lead := range leads {
		if rest, ok := strings.CutPrefix(t, lead); ok {
			first.Data = strings.TrimLeft(rest, " \n\t\u00a0")
			return
		}
	}
	first.Data = t
}
