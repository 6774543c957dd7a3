package audit

// This file looks whether each of the seven layers is there at all.

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"evergreen/internal/audit/finding"
	"evergreen/internal/audit/probe"
	"evergreen/internal/audit/survey"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html/atom"
)

// sign is one thing whose presence speaks for a layer.
type sign struct {
	id, layer  string
	phase      finding.Phase
	title, fix string
	look       func(ctx context.Context, site *survey.Site) finding.Outcome
}

const fixServe = "evergreen serve --origin URL"

func signs() []sign {
	return []sign{
		{"llms-txt", "L1", finding.P0, "an index for agents", fixServe, hasIndex},
		{"mirrors", "L2", finding.P0, "a Markdown twin of every page", fixServe, hasMirrors},
		{"context-json", "L3", finding.P1, "entries with ids", "evergreen export DIR   # writes context.json", lists("/context.json", "entries", "parts")},
		{"api-context", "L3", finding.P2, "answers within a budget", fixServe, lists("/api/context?topic=start&budget=2000", "entries")},
		{"agent-card", "L4", finding.P2, "a card that says what the agent can do", fixServe, lists("/.well-known/agent-card.json", "skills")},
		{"mcp", "L5", finding.P2, "tools over MCP", fixServe, hasTools},
		{"json-ld", "L6", finding.P1, "structured data in the page",
			`<script type="application/ld+json">{"@context":"https://schema.org","@type":"WebSite","name":"..."}</script>`, hasLD},
		{"ai-txt", "L7", finding.P0, "a policy for AI", "evergreen export DIR   # writes ai.txt, ai-policy.json and robots.txt from one policy", hasPolicy},
	}
}

// presence looks for every sign.
func presence(ctx context.Context, site *survey.Site) []finding.Check {
	var checks []finding.Check
	for _, s := range signs() {
		o := s.look(ctx, site)
		c := finding.Check{Judge: "layers", ID: s.id, Layer: s.layer, Phase: s.phase, Status: o.Status, Title: s.title,
			Requested: o.Requested, Got: o.Got, Proportion: o.Proportion, Tested: o.Tested}
		if o.Status == finding.Fail {
			c.Fix = s.fix
		}
		checks = append(checks, c)
	}
	return checks
}

func hasIndex(_ context.Context, site *survey.Site) finding.Outcome {
	a := site.Asked[0]
	return finding.If(site.Index != nil, a.Request.String(), a.Said())
}

func hasMirrors(_ context.Context, site *survey.Site) finding.Outcome {
	var t finding.Tally
	for _, p := range site.Pages {
		switch {
		case p.NoMirror:
		case p.Content() != nil:
			t.Add(finding.Pass, p.Content().Request.String(), p.Content().Said())
		default:
			t.Add(finding.Fail, p.Asked.Request.String(), p.Asked.Said())
		}
	}
	if t.Tested() == 0 {
		return finding.Failed("GET "+site.Pages[0].URL, "no page that could have a twin")
	}
	return t.Outcome(0)
}

// lists looks for a JSON object with one of some lists that is not empty.
func lists(path string, keys ...string) func(context.Context, *survey.Site) finding.Outcome {
	return func(ctx context.Context, site *survey.Site) finding.Outcome {
		a := site.Client.Get(ctx, path)
		return finding.If(slices.ContainsFunc(keys, func(key string) bool { return hasList(a, key) }), a.Request.String(), a.Said())
	}
}

func hasTools(ctx context.Context, site *survey.Site) finding.Outcome {
	a := site.Client.Once(ctx, probe.Request{Method: "POST", URL: "/mcp", Body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		Header: map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}})
	return finding.If(a.OK() && strings.Contains(a.Text(), `"tools"`), a.Request.String(), a.Said())
}

func hasPolicy(ctx context.Context, site *survey.Site) finding.Outcome {
	a := site.Client.Get(ctx, "/ai.txt")
	return finding.If(a.OK() && !a.HTML(), a.Request.String(), a.Said())
}

// hasList reports whether an answer is a JSON object with a non-empty list.
func hasList(a *probe.Answer, key string) bool {
	var o map[string]json.RawMessage
	var list []json.RawMessage
	return a.OK() && json.Unmarshal(a.Body, &o) == nil && json.Unmarshal(o[key], &list) == nil && len(list) > 0
}

func hasLD(_ context.Context, site *survey.Site) finding.Outcome {
	a := site.Home
	asked := a.Request.String()
	if !a.OK() || !a.HTML() {
		return finding.Failed(asked, a.Said())
	}
	doc, _ := tree.Parse(a.Body)
	for _, s := range tree.Find(doc, atom.Script) {
		if strings.EqualFold(tree.Attr(s, "type"), "application/ld+json") {
			var v any
			if json.Unmarshal([]byte(tree.ScriptText(s)), &v) != nil {
				return finding.Failed(asked, "structured data that is no JSON")
			}
			return finding.Passed(asked, "JSON-LD")
		}
	}
	return finding.Failed(asked, "a page without a script of type application/ld+json")
}
