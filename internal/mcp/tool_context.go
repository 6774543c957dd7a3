package mcp

import (
	"context"
	"strings"

	"evergreen"
	"evergreen/internal/pack"
)

// searchContext is the main tool: a question to a cited bundle.
func searchContext() tool {
	return tool{
		name: "search_context", title: "Search context", set: SetKB,
		description: "Answers a question from the documentation: ranks everything, packs the best passages into a token budget, with citation markers. Start here.",
		schema: `{"type":"object","properties":{` +
			`"query":{"type":"string","description":"The question, in the user's words"},` +
			`"limit":{"type":"integer","default":5,"minimum":1,"maximum":50},` +
			`"budget":{"type":"integer","default":2000,"description":"Tokens of the whole answer, 200 to 8000"},` +
			`"collection":{"type":"string"},"category":{"type":"string"}},"required":["query"]}`,
		example: `{"query":"How do I rotate the signing key?","budget":2000}`,
		run:     runSearchContext,
	}
}

// bundleMeta is a bundle without its bodies.
type bundleMeta struct {
	Query            evergreen.QueryEcho `json:"query"`
	KnowledgeVersion string              `json:"knowledgeVersion,omitempty"`
	Revision         string              `json:"revision,omitempty"`
	UsedTokens       int                 `json:"usedTokens"`
	Budget           int                 `json:"budget"`
	TextTokens       int                 `json:"textTokens"` // of the whole answer
	Truncated        bool                `json:"truncated"`
	Matched          bool                `json:"matched"`
	Entries          []entryMeta         `json:"entries"`
	LeftOut          []evergreen.LeftOut `json:"leftOut,omitempty"`
	Suggestions      []string            `json:"suggestions,omitempty"`
	Warnings         []evergreen.Warning `json:"warnings,omitempty"`
}

type entryMeta struct {
	ID         string             `json:"id"`
	Marker     string             `json:"marker,omitempty"`
	Title      string             `json:"title"`
	Tokens     int                `json:"tokens"`
	Score      float64            `json:"score"`
	Relevance  float64            `json:"relevance"`
	Confidence float64            `json:"confidence,omitempty"`
	Updated    string             `json:"updated,omitempty"`
	URL        string             `json:"url,omitempty"`
	Partial    *evergreen.Partial `json:"partial,omitempty"`
}

func runSearchContext(ctx context.Context, s *Server, c *call) (answer, error) {
	query := c.Required("query")
	q := evergreen.Query{
		Topic: query, Limit: c.Limit(5, maxLimit), Budget: c.Budget(evergreen.DefaultBudget),
		Collection: c.Text("collection"), Category: c.Text("category"), AcceptLang: c.accept, WholeText: true,
	}
	if err := c.Fault(); err != nil {
		return answer{}, err
	}
	b, err := s.engine.Ask(ctx, q)
	if err != nil {
		return answer{}, err
	}
	if !b.Matched {
		return s.noHit(c.lang(query), query, q.Budget, b.Suggestions, b), nil
	}
	text, b := pack.Fit(b, q.Budget, s.count)
	return answer{text: text, meta: s.bundleMeta(b, text)}, nil
}

// noHit says that nothing matched, how the words may be spelt, and gives the
// bundle's general entries instead.
func (s *Server) noHit(l lang, query string, budget int, spellings []string, fallback evergreen.Bundle) answer {
	parts := []string{l.say("No entry matches “%s”.", "没有条目与“%s”匹配。", s.echo(query))}
	if len(spellings) > 0 {
		parts = append(parts, l.say("Did you mean: %s?", "您是不是要找：%s？", strings.Join(spellings, ", ")))
	}
	if note := pack.Missing(fallback.Warnings, string(l)); note != "" && len(fallback.Entries) == 0 {
		parts = append(parts, note)
	}
	if len(fallback.Entries) == 0 {
		parts = append(parts, l.say("There is no general entry to show instead; list_repos names the collections, get_toc outlines one.",
			"也没有可参考的通用条目；list_repos 列出集合，get_toc 给出大纲。"))
		text := s.lines(budget, parts)
		return answer{text: text, meta: s.bundleMeta(fallback, text), fault: true}
	}
	parts = append(parts, l.say("These general entries may help instead:", "以下通用条目或有帮助："))
	head := s.lines(budget/2, parts) + "\n\n"
	shown := fallback
	shown.Query.Topic, shown.Matched = "", true // said above
	text, shown := pack.Fit(shown, budget-s.count(head), s.count)
	shown.Query, shown.Matched = fallback.Query, false
	text = clip(head+text, budget, s.count)
	return answer{text: text, meta: s.bundleMeta(shown, text), fault: true}
}

func (s *Server) bundleMeta(b evergreen.Bundle, text string) bundleMeta {
	m := bundleMeta{
		Query: briefQuery(b.Query), KnowledgeVersion: b.KnowledgeVersion, Revision: b.Revision, UsedTokens: b.UsedTokens,
		Budget: b.Budget, TextTokens: s.count(text), Truncated: b.Truncated, Matched: b.Matched,
		Entries: []entryMeta{}, LeftOut: b.LeftOut, Suggestions: b.Suggestions, Warnings: b.Warnings,
	}
	citations := map[string]evergreen.Citation{}
	for _, c := range b.Citations {
		citations[c.EntryID] = c
	}
	for _, e := range b.Entries {
		c := citations[e.ID]
		m.Entries = append(m.Entries, entryMeta{
			ID: e.ID, Marker: c.Marker, Title: e.Title, Tokens: e.Tokens, Score: e.Score, Relevance: e.Relevance,
			Confidence: e.Confidence, Updated: e.Updated, URL: c.URL, Partial: e.Partial,
		})
	}
	return m
}

// briefQuery cuts what the caller wrote.
func briefQuery(q evergreen.QueryEcho) evergreen.QueryEcho {
	q.Topic, q.Collection = brief(q.Topic), brief(q.Collection)
	if q.Category != nil {
		category := brief(*q.Category)
		q.Category = &category
	}
	return q
}
