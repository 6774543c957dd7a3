package mcp

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"evergreen"
	"evergreen/internal/pack"
)

// getEntry reads one entry in full, piecewise when it exceeds the budget.
func getEntry() tool {
	return tool{
		name: "get_entry", title: "Get entry", set: SetKB,
		description: "Returns one entry in full by the id or [marker] that search_context cites.",
		schema: `{"type":"object","properties":{"id":{"type":"string"},` +
			`"budget":{"type":"integer","default":2000,"description":"Tokens, 200 to 8000"},` +
			`"offset":{"type":"integer","default":0,"description":"Bytes, to go on in a long entry"}},"required":["id"]}`,
		example: `{"id":"EG-201"}`,
		run:     runGetEntry,
	}
}

type entryAnswer struct {
	ID         string   `json:"id"`
	Marker     string   `json:"marker"`
	Title      string   `json:"title"`
	Category   string   `json:"category,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	Confidence float64  `json:"confidence"`
	Updated    string   `json:"updated,omitempty"`
	URL        string   `json:"url,omitempty"`
	Tokens     int      `json:"tokens"`
	Truncated  bool     `json:"truncated"`
	TotalBytes int      `json:"total_bytes"`
	NextOffset int      `json:"next_offset,omitempty"`
	Hint       string   `json:"hint,omitempty"`
}

func runGetEntry(ctx context.Context, s *Server, c *call) (answer, error) {
	id := c.ID()
	budget := c.Budget(evergreen.DefaultBudget)
	offset := c.Number("offset", 0, 0, allBytes)
	if err := c.Fault(); err != nil {
		return answer{}, err
	}
	e, hint, err := s.engine.Entry(ctx, id)
	if err != nil {
		return answer{}, err
	}
	if offset > 0 && offset >= len(e.Body) {
		return answer{}, evergreen.Errorf(evergreen.Invalid, "`offset` %d lies beyond the entry's %d bytes", offset, len(e.Body))
	}
	m := entryAnswer{
		ID: e.ID, Marker: pack.Marker(e), Title: e.Title, Category: e.Category, Tags: e.Tags,
		Confidence: e.Confidence, Updated: e.Updated, URL: e.URL, Tokens: e.Tokens, TotalBytes: len(e.Body), Hint: hint,
	}
	head := entryHead(m)
	for offset < len(e.Body) && !utf8.RuneStart(e.Body[offset]) {
		offset++
	}
	rest := e.Body[offset:]
	text, shown := fit(budget, min(len(rest), budget*maxBytesPerToken), s.count, func(n int) string {
		body := cutLine(rest, n)
		if len(body) == len(rest) {
			return head + body
		}
		m := map[string]any{"id": e.ID, "offset": offset + len(body)}
		return head + note(body, c.lang(e.Title+" "+e.Summary).say(
			"%d of %d bytes shown. Go on: %s", "已显示 %d / %d 字节。继续：%s", offset+len(body), len(e.Body), callText("get_entry", m)))
	})
	if body := cutLine(rest, shown); len(body) < len(rest) {
		m.Truncated, m.NextOffset = true, offset+len(body)
	}
	return answer{text: text, meta: m}, nil
}

// maxBytesPerToken bounds how much of a body is tried against a budget: four
// bytes of a code point that costs 0.28 tokens, rounded up.
const maxBytesPerToken = 16

func entryHead(m entryAnswer) string {
	facts := []string{"`" + m.ID + "`"}
	if m.Category != "" {
		facts = append(facts, m.Category)
	}
	facts = append(facts, "confidence "+strconv.FormatFloat(m.Confidence, 'f', -1, 64))
	if m.Updated != "" {
		facts = append(facts, "updated "+m.Updated)
	}
	if m.URL != "" {
		facts = append(facts, m.URL)
	}
	head := "# " + m.Marker + " " + oneLine(m.Title) + "\n" + strings.Join(facts, " · ") + "\n"
	if m.Hint != "" {
		head += "> " + m.Hint + "\n"
	}
	return head + "\n"
}
