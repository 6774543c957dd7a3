package mcp

import (
	"context"
	"strconv"
	"strings"

	"evergreen"
	"evergreen/internal/pack"
)

// searchSections finds headings and passages and returns where they are.
func searchSections() tool {
	return tool{
		name: "search_sections", title: "Search sections", set: SetDocs,
		description: "Finds sections by words: ids, titles, snippets. Read them with get_section.",
		schema: `{"type":"object","properties":{"query":{"type":"string"},"repo":{"type":"string","description":"Collection; all if absent"},` +
			`"doc_path":{"type":"string","description":"Glob such as guide/**"},` +
			`"limit":{"type":"integer","default":10,"minimum":1,"maximum":50},` +
			`"mode":{"type":"string","enum":["auto","bm25","weighted"],"default":"auto"},` +
			`"budget":{"type":"integer","default":2000},"cursor":{"type":"string","description":"From the last answer"}},"required":["query"]}`,
		example: `{"query":"signing key rotation","limit":10}`,
		run:     runSearchSections,
	}
}

type searchMeta struct {
	Query       string    `json:"query"`
	Mode        string    `json:"mode,omitempty"`
	Total       int       `json:"total"`
	Matched     bool      `json:"matched"`
	Hits        []hitMeta `json:"hits"`
	Truncated   bool      `json:"truncated"`
	NextCursor  string    `json:"next_cursor,omitempty"`
	Suggestions []string  `json:"suggestions,omitempty"`

	Warnings []evergreen.Warning `json:"warnings,omitempty"`
}

type hitMeta struct {
	ID     string  `json:"id"`
	Title  string  `json:"title"`
	Score  float64 `json:"score"`
	Tokens int     `json:"tokens"`
	Marker string  `json:"marker,omitempty"`
}

func runSearchSections(ctx context.Context, s *Server, c *call) (answer, error) {
	limit := c.Limit(10, maxLimit)
	r := evergreen.SearchRequest{
		Query: c.Required("query"), Collection: strings.TrimSpace(c.Text("repo")), PathGlob: c.Text("doc_path"),
		Mode: c.Choice("mode", evergreen.ModeAuto, evergreen.ModeBM25, evergreen.ModeWeighted),
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
	r.Cursor, r.Limit = engineCursor, skip+limit
	found, err := s.engine.Search(ctx, r)
	if err != nil {
		return answer{}, err
	}
	l := c.lang(r.Query)
	if !found.Matched && len(found.Hits) == 0 {
		return s.nothingFound(ctx, c, r, found, budget)
	}
	if skip > len(found.Hits) {
		return answer{}, badCursor()
	}
	return s.hitsAnswer(l, r, found, pageOf{skipped: skip, state: state}, budget), nil
}

// nothingFound answers with the engine's general entries.
func (s *Server) nothingFound(ctx context.Context, c *call, r evergreen.SearchRequest, found evergreen.SearchResult, budget int) (answer, error) {
	b, err := s.engine.Ask(ctx, evergreen.Query{
		Topic: r.Query, Collection: r.Collection, Budget: budget, Limit: fallbackEntries, AcceptLang: c.accept,
	})
	if err != nil {
		return answer{}, err
	}
	spellings := found.Suggestions
	if len(spellings) == 0 {
		spellings = b.Suggestions
	}
	hits := make([]evergreen.Hit, 0, len(b.Entries))
	for _, e := range b.Entries {
		hits = append(hits, evergreen.Hit{ID: e.ID, Title: e.Title, Snippet: e.Summary, Score: e.Score, Tokens: e.Tokens})
	}
	found.Hits, found.Suggestions, found.NextCursor, found.Matched = hits, spellings, "", false
	return s.hitsAnswer(c.lang(r.Query), r, found, pageOf{}, budget), nil
}

func (s *Server) hitsAnswer(l lang, r evergreen.SearchRequest, found evergreen.SearchResult, page pageOf, budget int) answer {
	hits := found.Hits[page.skipped:]
	page.items, page.read, page.after = len(hits), r.Cursor, found.NextCursor
	text, shown := fitList(budget, len(hits), s.count, s.hitsHead(l, r, found),
		func(i int) string {
			return s.hitLines(i+1, hits[i], pack.Addressed(found.Warnings, hits[i].ID, "") != "")
		},
		func(n int) string { return s.moreHits(l, r, page, n) })
	m := searchMeta{
		Query: brief(r.Query), Mode: found.Mode, Total: found.Total, Matched: found.Matched, Hits: []hitMeta{},
		Truncated: page.more(shown), NextCursor: page.next(shown), Suggestions: found.Suggestions,
	}
	for _, w := range found.Warnings {
		if w.Rule == evergreen.RuleDamaged {
			m.Warnings = append(m.Warnings, w)
		}
	}
	for _, h := range hits[:shown] {
		m.Hits = append(m.Hits, hitMeta{h.ID, h.Title, h.Score, h.Tokens, bracketed(h.Marker)})
		for _, w := range found.Warnings {
			if w.ID == h.ID && w.Rule != evergreen.RuleDamaged {
				m.Warnings = append(m.Warnings, w)
			}
		}
	}
	return answer{text: text, meta: m, fault: !found.Matched}
}

func (s *Server) hitsHead(l lang, r evergreen.SearchRequest, found evergreen.SearchResult) string {
	if found.Matched {
		return l.say("# Results for %s (%d)\n", "# 检索结果：%s（%d）\n", s.echo(r.Query), found.Total) + missingNote(l, found.Warnings)
	}
	parts := []string{l.say("No section matches “%s”.", "没有章节与“%s”匹配。", s.echo(r.Query))}
	if note := pack.Missing(found.Warnings, string(l)); note != "" {
		parts = append(parts, note)
	}
	if len(found.Suggestions) > 0 {
		parts = append(parts, l.say("Did you mean: %s?", "您是不是要找：%s？", strings.Join(found.Suggestions, ", ")))
	}
	if len(found.Hits) > 0 {
		parts = append(parts, l.say("General entries instead:", "可参考的通用条目："))
	} else {
		parts = append(parts, l.say("list_repos shows what there is.", "list_repos 会列出已有的集合。"))
	}
	return s.lines(faultBudget*3/4, parts) + "\n"
}

func (s *Server) hitLines(n int, h evergreen.Hit, warned bool) string {
	out := strconv.Itoa(n) + ". " + s.echo(h.Title) + " · " + strconv.Itoa(h.Tokens) + " tokens"
	if warned {
		out += " · ⚠"
	}
	if h.Marker != "" {
		out += " · " + bracketed(h.Marker)
	}
	out += "\n   `" + h.ID + "`\n"
	if snippet := oneLine(h.Snippet); snippet != "" {
		out += "   " + clip(snippet, 2*echoTokens, s.count) + "\n"
	}
	return out
}

func (s *Server) moreHits(l lang, r evergreen.SearchRequest, page pageOf, n int) string {
	if !page.more(n) {
		return ""
	}
	if page.stuck(n) {
		return l.tooSmall()
	}
	m := map[string]string{"query": r.Query, "cursor": page.next(n)}
	if r.Collection != "" {
		m["repo"] = r.Collection
	}
	if r.PathGlob != "" {
		m["doc_path"] = r.PathGlob
	}
	if unseen := page.items - n; unseen > 0 {
		return l.say("%d of these left out. Go on: %s", "其中 %d 条未显示。继续：%s", unseen, s.goOn("search_sections", m))
	}
	return l.say("More follow. Go on: %s", "还有更多。继续：%s", s.goOn("search_sections", m))
}

// goOn writes the call that continues, without repeating what is long: the
// agent knows its own words.
func (s *Server) goOn(tool string, arguments map[string]string) string {
	if out := callText(tool, arguments); s.count(out) <= 2*echoTokens {
		return out
	}
	return tool + ` with the same arguments and "cursor":"` + arguments["cursor"] + `"`
}
