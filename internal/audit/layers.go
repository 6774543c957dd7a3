package audit

// This file looks whether each of the seven layers is there at all.

import (
	"context"
	"encoding/json"
	"strings"

	"evergreen/internal/audit/finding"
	"evergreen/internal/audit/probe"
	"evergreen/internal/audit/survey"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html/atom"
)

// presence asks for one thing of each layer.
func presence(ctx context.Context, site *survey.Site) []finding.Check {
	const serve = "evergreen serve --origin URL"
	var checks []finding.Check
	add := func(id, layer string, phase finding.Phase, title, fix string, o finding.Outcome) {
		c := finding.Check{Judge: "layers", ID: id, Layer: layer, Phase: phase, Status: o.Status, Title: title,
			Requested: o.Requested, Got: o.Got, Proportion: o.Proportion, Tested: o.Tested}
		if o.Status == finding.Fail {
			c.Fix = fix
		}
		checks = append(checks, c)
	}
	get := func(path string) *probe.Answer { return site.Client.Get(ctx, path) }

	index := site.Asked[0]
	add("llms-txt", "L1", finding.P0, "an index for agents", serve, finding.If(site.Index != nil, index.Request.String(), index.Said()))

	mirrors, pages := 0, 0
	for _, p := range site.Pages {
		if !p.NoMirror {
			if pages++; p.Content() != nil {
				mirrors++
			}
		}
	}
	add("mirrors", "L2", finding.P0, "a Markdown twin of every page", serve, finding.If(pages > 0 && mirrors == pages, "GET "+site.Pages[0].URL+", Accept: text/markdown",
		site.Pages[0].Asked.Said()))

	entries := get("/context.json")
	add("context-json", "L3", finding.P1, "entries with ids", "evergreen export DIR   # writes context.json", finding.If(hasList(entries, "entries"), entries.Request.String(), entries.Said()))
	bundle := get("/api/context?topic=start&budget=2000")
	add("api-context", "L3", finding.P2, "answers within a budget", serve, finding.If(hasList(bundle, "entries"), bundle.Request.String(), bundle.Said()))

	card := get("/.well-known/agent-card.json")
	add("agent-card", "L4", finding.P2, "a card that says what the agent can do", serve, finding.If(hasList(card, "skills"), card.Request.String(), card.Said()))

	mcp := site.Client.Once(ctx, probe.Request{Method: "POST", URL: "/mcp", Body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		Header: map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}})
	add("mcp", "L5", finding.P2, "tools over MCP", serve, finding.If(mcp.OK() && strings.Contains(mcp.Text(), `"tools"`), mcp.Request.String(), mcp.Said()))

	data, got := hasLD(site.Home)
	add("json-ld", "L6", finding.P1, "structured data in the page", `<script type="application/ld+json">{"@context":"https://schema.org","@type":"WebSite","name":"..."}</script>`,
		finding.If(data, site.Home.Request.String(), got))

	policy := get("/ai.txt")
	add("ai-txt", "L7", finding.P0, "a policy for AI", "evergreen export DIR   # writes ai.txt, ai-policy.json and robots.txt from one policy",
		finding.If(policy.OK() && !policy.HTML(), policy.Request.String(), policy.Said()))
	return checks
}

// hasList reports whether an answer is a JSON object with a non-empty list.
func hasList(a *probe.Answer, key string) bool {
	var o map[string]json.RawMessage
	var list []json.RawMessage
	return a.OK() && json.Unmarshal(a.Body, &o) == nil && json.Unmarshal(o[key], &list) == nil && len(list) > 0
}

func hasLD(a *probe.Answer) (ok bool, got string) {
	if !a.OK() || !a.HTML() {
		return false, a.Said()
	}
	doc, _ := tree.Parse(a.Body)
	for _, s := range tree.Find(doc, atom.Script) {
		if strings.EqualFold(tree.Attr(s, "type"), "application/ld+json") {
			var v any
			if json.Unmarshal([]byte(tree.ScriptText(s)), &v) != nil {
				return false, "structured data that is no JSON"
			}
			return true, "JSON-LD"
		}
	}
	return false, "a page without a script of type application/ld+json"
}
