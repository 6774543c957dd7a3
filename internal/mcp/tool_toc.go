package mcp

import (
	"context"
	"strconv"
	"strings"

	"evergreen"
)

// getTOC outlines a collection or one document.
func getTOC() tool {
	return tool{
		name: "get_toc", title: "Get outline", set: SetDocs,
		description: "Outline of a collection or of one document: titles and section ids.",
		schema: `{"type":"object","properties":{"repo":{"type":"string","description":"Collection"},` +
			`"doc_path":{"type":"string","description":"One document"},"depth":{"type":"integer","minimum":0,"maximum":6,"description":"Deepest heading level; 0 all"},` +
			`"cursor":{"type":"string","description":"From the last answer"},"budget":{"type":"integer","default":2000}},"required":["repo"]}`,
		example: `{"repo":"react","depth":2}`,
		run:     runGetTOC,
	}
}

type tocMeta struct {
	Collection string        `json:"collection"`
	Total      int           `json:"total"` // documents in scope
	Documents  []tocDocument `json:"documents"`
	Truncated  bool          `json:"truncated"`
	NextCursor string        `json:"next_cursor,omitempty"`

	Warnings []evergreen.Warning `json:"warnings,omitempty"`
}

// tocDocument holds ids in the short form of the text: written out they would
// be several times the answer.
type tocDocument struct {
	Path     string   `json:"doc_path"`
	Sections []string `json:"sections"` // what follows collection::doc_path::
}

// tocItem is one line of an outline: a document, or a section of the document
// before it.
type tocItem struct {
	document int // index into the outline's documents
	section  int // -1: the document itself
}

func runGetTOC(ctx context.Context, s *Server, c *call) (answer, error) {
	r := evergreen.OutlineRequest{
		Collection: strings.TrimSpace(c.Required("repo")), DocPath: c.Text("doc_path"), Depth: c.Number("depth", 0, 0, 6),
	}
	budget := c.Budget(evergreen.DefaultBudget)
	state := stateOf(s.engine.Revision())
	engineCursor, skip, err := splitCursor(c.Text("cursor"), state)
	if err := c.Fault(); err != nil {
		return answer{}, err
	}
	if err != nil {
		return answer{}, err
	}
	r.Cursor, r.Limit, r.NoKeywords = engineCursor, outlinePage, true
	outline, err := s.engine.Outline(ctx, r)
	if err != nil {
		return answer{}, err
	}
	items := tocItems(outline)
	if skip > len(items) {
		return answer{}, badCursor()
	}
	items = items[skip:]
	l := c.lang("")
	page := pageOf{items: len(items), skipped: skip, read: engineCursor, after: outline.NextCursor, state: state}
	text, shown := fitList(budget, len(items), s.count, s.tocHead(l, outline),
		func(i int) string { return s.tocLine(outline, items[i], i == 0) },
		func(n int) string { return s.tocMore(l, r, page, n) })
	m := tocMetaOf(outline, items[:shown])
	m.NextCursor, m.Truncated = page.next(shown), page.more(shown)
	return answer{text: text, meta: m}, nil
}

func tocItems(o evergreen.Outline) []tocItem {
	var items []tocItem
	for d, document := range o.Documents {
		items = append(items, tocItem{d, -1})
		for i := range document.Sections {
			items = append(items, tocItem{d, i})
		}
	}
	return items
}

// tocHead explains the short ids: written out, they would be most of an
// outline's tokens.
func (s *Server) tocHead(l lang, o evergreen.Outline) string {
	name := s.echo(o.Collection)
	return l.say("# Outline of %s (documents: %d)\n", "# %s 的大纲（文档：%d 个）\n", name, o.Total) +
		missingNote(l, o.Warnings) +
		l.say("Section id: `%s::` + document path + `::` + the code on the line.\n",
			"章节 id：`%s::` + 文档路径 + `::` + 行内代码。\n", name)
}

// tocLine writes one item. The first one of an answer always names its document.
func (s *Server) tocLine(o evergreen.Outline, item tocItem, first bool) string {
	d, line := o.Documents[item.document], ""
	if item.section < 0 || first {
		line = "## " + oneLine(d.Path)
		if d.Title != "" && !strings.EqualFold(d.Title, firstTitle(d)) {
			line += " — " + s.echo(d.Title)
		}
		line += "\n"
	}
	if item.section >= 0 {
		line += s.sectionLine(d, d.Sections[item.section])
	}
	return line
}

func firstTitle(d evergreen.OutlineDocument) string {
	if len(d.Sections) == 0 {
		return ""
	}
	return d.Sections[0].Title
}

func (s *Server) sectionLine(d evergreen.OutlineDocument, section evergreen.Section) string {
	indent := strings.Repeat("  ", max(section.Level-1, 0))
	return indent + "- " + s.echo(section.Title) + " `" + shortID(d, section) + "` " + strconv.Itoa(section.Tokens) + "\n"
}

// shortID is the part of a section's id that its document does not tell.
func shortID(d evergreen.OutlineDocument, section evergreen.Section) string {
	if _, path, chain, ok := evergreen.SplitSectionID(section.ID); ok && path == d.Path {
		return chain
	}
	return section.ID
}

func (s *Server) tocMore(l lang, r evergreen.OutlineRequest, page pageOf, n int) string {
	if !page.more(n) {
		return ""
	}
	if page.stuck(n) {
		return l.tooSmall()
	}
	m := map[string]any{"repo": r.Collection, "cursor": page.next(n)}
	if r.DocPath != "" {
		m["doc_path"] = r.DocPath
	}
	if r.Depth > 0 {
		m["depth"] = r.Depth
	}
	return l.say("More follows. Go on: %s", "后续内容未显示。继续：%s", callText("get_toc", m))
}

func tocMetaOf(o evergreen.Outline, items []tocItem) tocMeta {
	m := tocMeta{Collection: o.Collection, Total: o.Total, Documents: []tocDocument{}, Warnings: o.Warnings}
	last := -1
	for _, item := range items {
		d := o.Documents[item.document]
		if item.document != last {
			m.Documents = append(m.Documents, tocDocument{Path: d.Path, Sections: []string{}})
			last = item.document
		}
		if item.section >= 0 {
			into := &m.Documents[len(m.Documents)-1].Sections
			*into = append(*into, shortID(d, d.Sections[item.section]))
		}
	}
	return m
}
