package ui

// This file writes the commands that ask a question. assets/lines.mjs does the
// same in the browser.

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"evergreen"
)

// lines are the commands that ask q; exports know no server to ask.
func (u *UI) lines(base string, q evergreen.Query) []line {
	cli := "evergreen context " + quoted(q.Topic)
	if q.Budget != evergreen.DefaultBudget {
		cli += " --budget " + strconv.Itoa(q.Budget)
	}
	if q.Collection != "" {
		cli += " -c " + quoted(q.Collection)
	}
	if q.Category != "" {
		cli += " --category " + quoted(q.Category)
	}
	if u.o.Static {
		return []line{{"CLI", "_cli", cli}}
	}
	return []line{
		{"curl", "_curl", "curl " + quoted(base+"/api/context?"+address(q))},
		{"MCP", "_mcp", "curl " + quoted(base+"/mcp") + " --json " + quoted(string(toolCall(q)))},
		{"CLI", "_cli", cli},
	}
}

// toolCall is the question as a call of search_context.
func toolCall(q evergreen.Query) []byte {
	type arguments struct {
		Query      string `json:"query"`
		Budget     int    `json:"budget"`
		Collection string `json:"collection,omitempty"`
		Category   string `json:"category,omitempty"`
	}
	type parameters struct {
		Name      string    `json:"name"`
		Arguments arguments `json:"arguments"`
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(struct { // strings and numbers encode
		Version string     `json:"jsonrpc"`
		ID      int        `json:"id"`
		Method  string     `json:"method"`
		Params  parameters `json:"params"`
	}{"2.0", 1, "tools/call", parameters{"search_context", arguments{q.Topic, q.Budget, q.Collection, q.Category}}})
	return bytes.TrimSpace(b.Bytes())
}

// quoted is s as one word of a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
