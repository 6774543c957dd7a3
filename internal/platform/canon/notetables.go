package canon

// Footnotes laid out as tables or lists of terms: a label and a text for each
// note, as docutils wrote them up to 0.18.

import (
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// notePair is the label and the text of one note; row holds both, or is the
// label.
type notePair struct{ row, label, text *html.Node }

// noteTables turns tables and lists of terms that call themselves footnotes
// into blocks that begin with their label.
func noteTables(root *html.Node) {
	for _, t := range tree.Find(root, atom.Table, atom.Dl) {
		if t.Parent == nil || !tree.HasClass(t, "footnote") && !tree.HasClass(t, "footnotes") {
			continue
		}
		pairs := notePairs(t)
		for _, p := range pairs {
			id := p.id()
			if id == "" && len(pairs) == 1 {
				id = tree.Attr(t, "id")
			}
			note := p.note()
			tree.SetAttr(note, "class", "footnote")
			if id != "" {
				tree.SetAttr(note, "id", id)
			}
			t.Parent.InsertBefore(note, t)
		}
		if len(pairs) > 0 {
			tree.Remove(t)
		}
	}
}

// notePairs returns the notes of a table or list; none when anything else is
// in it.
func notePairs(t *html.Node) []notePair {
	if len(tree.Find(t, atom.Table, atom.Dl)) > 1 || tree.First(t, atom.Th, atom.Caption) != nil {
		return nil
	}
	var pairs []notePair
	if tree.Is(t, atom.Dl) {
		parts := tree.ElementChildren(t)
		for i := 0; i+1 < len(parts); i += 2 {
			if !tree.Is(parts[i], atom.Dt) || !tree.Is(parts[i+1], atom.Dd) {
				return nil
			}
			pairs = append(pairs, notePair{parts[i], parts[i], parts[i+1]})
		}
		if len(parts)%2 != 0 {
			return nil
		}
	} else {
		for _, r := range tree.Find(t, atom.Tr) {
			cells := tree.ElementChildren(r)
			if len(cells) != 2 {
				return nil
			}
			pairs = append(pairs, notePair{r, cells[0], cells[1]})
		}
	}
	for _, p := range pairs {
		if footnoteLabel(p.name()) == "" || tree.Blank(p.text) {
			return nil
		}
	}
	return pairs
}

// name is the label as it is shown, without the links back that docutils puts
// beside it when there are several.
func (p notePair) name() string {
	label := tree.Clone(p.label)
	for _, n := range tree.Find(label, atom.Span) {
		if n.Parent != nil && tree.HasClass(n, "fn-backref") {
			tree.Remove(n)
		}
	}
	return oneLine(label)
}

// id is that of the row, or the first one in the label.
func (p notePair) id() string {
	id := tree.Attr(p.row, "id")
	tree.Walk(p.label, func(n *html.Node) bool {
		for _, key := range [...]string{"id", "name"} {
			if id == "" {
				id = tree.Attr(n, key)
			}
		}
		return true
	})
	return id
}

// note makes the block of a note: a paragraph when the text is no more than
// one, so that no extractor sees a wrapper it could take away.
func (p notePair) note() *html.Node {
	label := tree.TextNode("[" + footnoteLabel(p.name()) + "] ")
	waysBack(p.text)
	blocks, lead := 0, (*html.Node)(nil)
	inline := false
	for c := p.text.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.ElementNode && tree.Block(c.DataAtom):
			if blocks++; lead == nil && !inline && tree.Is(c, atom.P) {
				lead = c
			}
		case !tree.Blank(c):
			inline = true
		}
	}
	note := tree.Element(atom.Div)
	switch {
	case blocks == 0:
		note = tree.Element(atom.P)
		fallthrough
	case lead == nil:
		tree.MoveChildren(note, p.text)
		lead = note
	case blocks == 1 && !inline:
		note = lead
		tree.Remove(lead)
	default:
		tree.MoveChildren(note, p.text)
	}
	tree.Prepend(lead, label)
	return note
}
