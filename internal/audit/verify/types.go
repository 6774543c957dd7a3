package verify

// This file asks for the head of every document with a fixed path: it must be
// there, of its type, and HEAD must send no body.

import (
	"context"
	"fmt"
	"slices"

	"evergreen/internal/audit/probe"
)

// document is a fixed path and the media types that it may have; the first is
// the contract's.
type document struct {
	path  string
	types []string
}

// documents are the fifteen paths of the contract's matrix.
func documents() []document {
	markdown, text, object := []string{"text/markdown", "text/plain"}, []string{"text/plain"}, []string{"application/json"}
	return []document{
		{"/", []string{"text/html"}},
		{"/index.html.md", markdown[:1]},
		{"/llms.txt", markdown},
		{"/llms-full.txt", markdown},
		{"/context.json", object},
		{"/api/context", object},
		{"/api/prompt-pack", text},
		{"/metrics.json", object},
		{"/.well-known/agent-card.json", object},
		{"/.well-known/mcp/server-card.json", object},
		{"/.well-known/api-catalog", []string{"application/linkset+json"}},
		{"/robots.txt", text},
		{"/ai.txt", text},
		{"/ai-policy.json", object},
		{"/sitemap.xml", []string{"application/xml", "text/xml"}},
	}
}

func typeChecks() []check {
	var list []check
	for _, d := range documents() {
		list = append(list, check{"head " + d.path, func(ctx context.Context, r *run) (string, error) {
			a := r.Once(ctx, probe.Request{Method: "HEAD", URL: d.path, Stay: true})
			switch {
			case a.Err != nil || a.Status != 200:
				return "", broken(a, "200 %s", d.types[0])
			case !slices.Contains(d.types, a.Type()):
				return "", broken(a, "the type %s", d.types[0])
			case len(a.Body) > 0:
				return "", broken(a, "no body in the answer to HEAD, not %d bytes", len(a.Body))
			}
			return fmt.Sprintf("200 %s", a.Header.Get("Content-Type")), nil
		}})
	}
	return list
}
