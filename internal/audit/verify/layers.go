package verify

// This file looks into the layers themselves: that each says what it is for.

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"evergreen/internal/audit/probe"
	"evergreen/internal/llmstxt"
	"evergreen/internal/robots"
	"evergreen/internal/sitemap"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxLinks bounds how many links of llms.txt are followed: enough to see
// whether they lead anywhere, few enough for every rate limit.
const maxLinks = 10

func layerChecks() []check {
	return []check{
		{"llms-txt", llmsTxt},
		{"mirror", mirror},
		{"negotiation", negotiation},
		{"context-json", contextJSON},
		{"agent-card", agentCard},
		{"a2a", a2aSend},
		{"structured-data", structuredData},
		{"robots-txt", robotsTxt},
		{"sitemap", sitemapXML},
		{"policy", policy},
	}
}

func llmsTxt(ctx context.Context, r *run) (string, error) {
	a := r.Get(ctx, "/llms.txt")
	if !a.OK() {
		return "", broken(a, "200")
	}
	file, _ := llmstxt.Parse(a.Body, a.FinalURL)
	links := file.Links()
	switch {
	case file.Title == "" || file.Summary == "":
		return "", broken(a, "a title (# ...) and a summary (> ...)")
	case len(links) == 0:
		return "", broken(a, "links under ## headings")
	}
	tried := 0
	for _, l := range links {
		if u, err := url.Parse(l.URL); err != nil || u.Scheme+"://"+u.Host != r.Origin() || tried == maxLinks {
			continue
		}
		tried++
		if got := r.Get(ctx, l.URL); !got.OK() {
			return "", broken(got, "200, since /llms.txt links to it")
		}
	}
	return fmt.Sprintf("%d links, %d followed", len(links), tried), nil
}

func mirror(ctx context.Context, r *run) (string, error) {
	a := r.Get(ctx, "/index.html.md")
	switch {
	case !a.OK() || a.Type() != "text/markdown":
		return "", broken(a, "200 text/markdown")
	case strings.HasPrefix(strings.TrimSpace(a.Text()), "<"):
		return "", broken(a, "Markdown, not HTML")
	case !strings.Contains(a.Text(), "/llms.txt"):
		return "", broken(a, "a pointer to /llms.txt in its first lines")
	case !strings.Contains("\n"+a.Text(), "\n# "):
		return "", broken(a, "a title (# ...)")
	}
	return fmt.Sprintf("%d bytes of Markdown", len(a.Body)), nil
}

func negotiation(ctx context.Context, r *run) (string, error) {
	a := r.Once(ctx, probe.Request{URL: "/", Stay: true, Header: map[string]string{"Accept": "text/markdown, text/html;q=0.9"}})
	switch {
	case !a.OK() || a.Type() != "text/markdown":
		return "", broken(a, "200 text/markdown")
	case !varies(a, "Accept"):
		return "", broken(a, "Vary: Accept on the Markdown variant too")
	}
	for _, accept := range []string{"*/*", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/markdown;q=0.1, text/html"} {
		a := r.Once(ctx, probe.Request{URL: "/", Stay: true, Header: map[string]string{"Accept": accept}})
		if !a.OK() || a.Type() != "text/html" {
			return "", broken(a, "200 text/html")
		}
	}
	return "Markdown for those who ask for it, HTML for all others", nil
}

func contextJSON(ctx context.Context, r *run) (string, error) {
	c, err := r.contextFile(ctx, "/context.json")
	if err != nil {
		return "", err
	}
	of := ""
	if len(c.Entries) == 0 && len(c.Parts) > 0 { // an index: the entries stand in its parts
		of = fmt.Sprintf(" in the first of %d parts", len(c.Parts))
		part, err := url.Parse(c.Parts[0].URL)
		if err != nil {
			return "", broken(c.answer, "parts, each with a url")
		}
		if c, err = r.contextFile(ctx, part.Path); err != nil {
			return "", err
		}
	}
	if len(c.Entries) == 0 || c.Entries[0].ID == "" {
		return "", broken(c.answer, "entries, each with an id")
	}
	return fmt.Sprintf("%d entries%s", len(c.Entries), of), nil
}

// contextFile is what a context.json, or a part of one, holds.
type contextFile struct {
	answer  *probe.Answer
	Entries []struct {
		ID string `json:"id"`
	} `json:"entries"`
	Parts []struct {
		URL string `json:"url"`
	} `json:"parts"`
}

func (r *run) contextFile(ctx context.Context, path string) (contextFile, error) {
	c := contextFile{answer: r.Get(ctx, path)}
	if !c.answer.OK() {
		return c, broken(c.answer, "200")
	}
	if err := json.Unmarshal(c.answer.Body, &c); err != nil && !c.answer.Cut {
		return c, broken(c.answer, "JSON: %v", err)
	}
	return c, nil
}

// card is what both versions of the agent card have.
type card struct {
	Name       string `json:"name"`
	URL        string `json:"url"`
	Interfaces []struct {
		URL     string `json:"url"`
		Version string `json:"protocolVersion"`
	} `json:"supportedInterfaces"`
	Skills []struct {
		ID string `json:"id"`
	} `json:"skills"`
}

func (r *run) card(ctx context.Context) (card, *probe.Answer, error) {
	a := r.Get(ctx, "/.well-known/agent-card.json")
	var c card
	if !a.OK() {
		return c, a, broken(a, "200")
	}
	if err := json.Unmarshal(a.Body, &c); err != nil {
		return c, a, broken(a, "JSON: %v", err)
	}
	return c, a, nil
}

func agentCard(ctx context.Context, r *run) (string, error) {
	c, a, err := r.card(ctx)
	switch {
	case err != nil:
		return "", err
	case c.Name == "" || len(c.Skills) == 0 || c.Skills[0].ID == "":
		return "", broken(a, "a name and skills with ids")
	case c.URL == "" && len(c.Interfaces) == 0:
		return "", broken(a, "url (0.3) or supportedInterfaces (1.0)")
	}
	return fmt.Sprintf("%d skills", len(c.Skills)), nil
}

// a2aSend speaks to the agent where its card says.
func a2aSend(ctx context.Context, r *run) (string, error) {
	c, _, err := r.card(ctx)
	if err != nil {
		return "", err
	}
	target := c.URL
	if len(c.Interfaces) > 0 {
		target = c.Interfaces[0].URL
	}
	method, body := "SendMessage", `{"jsonrpc":"2.0","id":"v-1","method":"SendMessage","params":{"message":{"messageId":"v-1","role":"ROLE_USER","parts":[{"text":"token 预算"}]}}}`
	if len(c.Interfaces) == 0 || strings.HasPrefix(c.Interfaces[0].Version, "0.") {
		method, body = "message/send", `{"jsonrpc":"2.0","id":"v-1","method":"message/send","params":{"message":{"kind":"message","messageId":"v-1","role":"user","parts":[{"kind":"text","text":"token 预算"}]}}}`
	}
	a := r.Once(ctx, probe.Request{Method: "POST", URL: target, Body: body, Header: map[string]string{"Content-Type": "application/json"}})
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if !a.OK() || json.Unmarshal(a.Body, &answer) != nil || len(answer.Result) == 0 {
		return "", broken(a, "a result to %s", method)
	}
	return method + " is answered at " + target, nil
}

func structuredData(ctx context.Context, r *run) (string, error) {
	a := r.Once(ctx, probe.Request{URL: "/", Header: map[string]string{"Accept": "text/html"}})
	if !a.OK() {
		return "", broken(a, "200")
	}
	doc, err := html.Parse(strings.NewReader(a.Text()))
	if err != nil {
		return "", broken(a, "a page: %v", err)
	}
	graphs := 0
	for n := range doc.Descendants() {
		if n.DataAtom != atom.Script || !isLD(n) || n.FirstChild == nil {
			continue
		}
		var graph struct {
			Context any   `json:"@context"`
			Graph   []any `json:"@graph"`
			Type    any   `json:"@type"`
		}
		if err := json.Unmarshal([]byte(n.FirstChild.Data), &graph); err != nil {
			return "", broken(a, "JSON-LD that is JSON: %v", err)
		}
		if graph.Context == nil || len(graph.Graph) == 0 && graph.Type == nil {
			return "", broken(a, "JSON-LD with @context and @graph")
		}
		graphs++
	}
	if graphs == 0 {
		return "", broken(a, "a script of type application/ld+json in the page")
	}
	return "JSON-LD is there", nil
}

func isLD(n *html.Node) bool {
	for _, attr := range n.Attr {
		if attr.Key == "type" && strings.EqualFold(attr.Val, "application/ld+json") {
			return true
		}
	}
	return false
}

func robotsTxt(ctx context.Context, r *run) (string, error) {
	a := r.Get(ctx, "/robots.txt")
	if !a.OK() {
		return "", broken(a, "200")
	}
	file, problems := robots.Parse(a.Body)
	switch {
	case len(file.Groups) == 0:
		return "", broken(a, "a User-agent line")
	case len(problems) > 0:
		return "", broken(a, "lines that a crawler can read; line %d: %s", problems[0].Line, problems[0].Message)
	case len(file.Sitemaps) == 0:
		return "", broken(a, "a Sitemap line")
	case file.Groups[0].ContentSignal == "":
		return "", broken(a, "a Content-Signal line")
	}
	return fmt.Sprintf("%d agents named", len(file.Groups[0].Agents)), nil
}

func sitemapXML(ctx context.Context, r *run) (string, error) {
	a := r.Get(ctx, "/sitemap.xml")
	if !a.OK() {
		return "", broken(a, "200")
	}
	s, err := sitemap.Parse(a.Body, a.FinalURL)
	if err != nil {
		return "", broken(a, "a sitemap: %v", err)
	}
	if len(s.Pages) == 0 {
		return "", broken(a, "pages in the sitemap")
	}
	return fmt.Sprintf("%d locations", len(s.Pages)), nil
}

// policy demands that the documents which speak of access say the same.
func policy(ctx context.Context, r *run) (string, error) {
	text, object, crawlers := r.Get(ctx, "/ai.txt"), r.Get(ctx, "/ai-policy.json"), r.Get(ctx, "/robots.txt")
	var p struct {
		Permissions    []string `json:"permissions"`
		Restrictions   []string `json:"restrictions"`
		ContentSignals struct {
			Train *bool `json:"aiTrain"`
		} `json:"contentSignals"`
	}
	if !text.OK() {
		return "", broken(text, "200")
	}
	if !object.OK() || json.Unmarshal(object.Body, &p) != nil {
		return "", broken(object, "200 with a policy in JSON")
	}
	for _, word := range append(p.Permissions, p.Restrictions...) {
		if !strings.Contains(text.Text(), word) {
			return "", broken(text, "%q, which stands in /ai-policy.json", word)
		}
	}
	signal := strings.ReplaceAll(strings.ToLower(crawlers.Text()), " ", "")
	for value, allowed := range map[string]bool{"ai-train=yes": true, "ai-train=no": false} {
		if p.ContentSignals.Train != nil && *p.ContentSignals.Train != allowed && strings.Contains(signal, value) &&
			!strings.Contains(signal, map[bool]string{true: "ai-train=no", false: "ai-train=yes"}[allowed]) {
			return "", broken(crawlers, "the ai-train signal of /ai-policy.json")
		}
	}
	return "ai.txt, ai-policy.json and robots.txt agree", nil
}
