package site

// This file writes the answer to an unknown path: the list of what is there, in
// the form and language of the client.

import (
	"fmt"
	"html"
	"strings"
	"unicode"

	"evergreen"
	"evergreen/internal/text"
)

// pathColumn is the width of the path column of the text form.
const pathColumn = 38

// EntryPoint is one way for a machine into the site.
type EntryPoint struct {
	Path             string // as shown, with its parameters
	Type             string // media type
	Title            string
	English, Chinese string // what it is
	Tokens           int    // of the whole document, 0 when not told
}

// EntryPoints are the ways into this site: only what is served.
func (s *Site) EntryPoints() []EntryPoint { return s.list() }

func (s *Site) entryPoints() []EntryPoint {
	points := []EntryPoint{
		{"/llms.txt", "text/markdown", "Index of the site", "index of the site, start here", "站点索引，请从这里开始", s.o.Count(string(s.index().root))},
		{"/llms-full.txt", "text/markdown", "The whole text", "the whole text in one load", "全文，一次加载", s.FullTokens()},
		{"/context.json", "application/json", "Structured knowledge base", "structured knowledge base", "结构化知识库", 0},
	}
	if s.api() {
		points = append(points, EntryPoint{contextPath + "?topic=<words>&budget=2000", "application/json",
			"Retrieval within a token budget", "retrieval within a token budget", "按 token 预算检索", 0})
	}
	if s.o.A2A {
		points = append(points, EntryPoint{cardPath, "application/json", "A2A agent card", "A2A agent card", "A2A 能力声明", 0})
	}
	if s.o.MCP != nil {
		points = append(points, EntryPoint{mcpPath, "application/json", "MCP endpoint",
			"MCP endpoint (JSON-RPC 2.0, POST)", "MCP 端点（JSON-RPC 2.0，POST）", 0})
	}
	if s.o.Metrics {
		points = append(points, EntryPoint{"/metrics.json", "application/json", "Measured figures", "measured figures", "评测指标", 0})
	}
	return points
}

// NotFound is the answer to one unknown path.
type NotFound struct {
	Site   string // name
	Path   string // as asked, decoded
	Lang   string // evergreen.LangEnglish or LangChinese
	Points []EntryPoint
}

// NotFound prepares the answer to an unknown path.
func (s *Site) NotFound(path, lang string) NotFound {
	return NotFound{Site: s.o.Name, Path: shownPath(path), Lang: lang, Points: s.EntryPoints()}
}

const notFoundTitle = "404 — Not Found"

// words are the sentence and the headline of the list.
func (n NotFound) words(shown string) (sentence, headline string) {
	if n.Lang == evergreen.LangChinese {
		return "请求的路径 " + shown + " 不存在。", n.Site + " 的机读入口："
	}
	return "The path " + shown + " does not exist.", "Machine-readable entry points of " + n.Site + ":"
}

// shown is the path and what stands behind it, in the language of the answer.
func (n NotFound) shown(e EntryPoint) (path, what string) {
	path, what = e.Path, e.English
	left, right := " (", ")"
	if n.Lang == evergreen.LangChinese {
		path, what = strings.ReplaceAll(path, "<words>", "<关键词>"), e.Chinese
		left, right = "（", "）"
	}
	if e.Tokens > 0 {
		unit := " tokens"
		if n.Lang == evergreen.LangChinese {
			unit = " token"
		}
		what += left + thousands(e.Tokens) + unit + right
	}
	return path, what
}

// Text is the answer as text/plain.
func (n NotFound) Text() string {
	sentence, headline := n.words(n.Path)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n\n%s\n", notFoundTitle, sentence, headline)
	for _, e := range n.Points {
		path, what := n.shown(e)
		gap := max(pathColumn-len([]rune(path)), 2)
		fmt.Fprintf(&b, "  %s%s%s\n", path, strings.Repeat(" ", gap), what)
	}
	return b.String()
}

// Markdown is the answer as text/markdown.
func (n NotFound) Markdown() string {
	sentence, headline := n.words("`" + strings.ReplaceAll(n.Path, "`", "'") + "`")
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n%s\n\n", notFoundTitle, sentence, headline)
	for _, e := range n.Points {
		path, what := n.shown(e)
		fmt.Fprintf(&b, "- `%s`: %s\n", path, what)
	}
	return b.String()
}

// HTML is the answer as text/html.
func (n NotFound) HTML() string {
	sentence, headline := n.words(n.Path)
	lang := "en"
	if n.Lang == evergreen.LangChinese {
		lang = "zh-CN"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html>\n<html lang=%q>\n<head><meta charset=\"utf-8\">"+
		"<meta name=\"viewport\" content=\"width=device-width\"><title>%s</title></head>\n<body>\n"+
		"<h1>%s</h1>\n<p>%s</p>\n<p>%s</p>\n<ul>\n", lang, notFoundTitle, notFoundTitle,
		html.EscapeString(sentence), html.EscapeString(headline))
	for _, e := range n.Points {
		path, what := n.shown(e)
		fmt.Fprintf(&b, "<li><code>%s</code> %s</li>\n", html.EscapeString(path), html.EscapeString(what))
	}
	b.WriteString("</ul>\n</body>\n</html>\n")
	return string(text.ForHTML([]byte(b.String())))
}

type notFoundProblem struct {
	Type        string         `json:"type"`
	Title       string         `json:"title"`
	Status      int            `json:"status"`
	Detail      string         `json:"detail"`
	Instance    string         `json:"instance"`
	EntryPoints []problemPoint `json:"entryPoints"`
}

type problemPoint struct {
	Path   string `json:"path"`
	Type   string `json:"type"`
	Title  string `json:"title"`
	Tokens int    `json:"tokens,omitempty"`
}

// Problem is the answer as application/problem+json (RFC 9457).
func (n NotFound) Problem() ([]byte, error) {
	p := notFoundProblem{Type: "about:blank", Title: "Not Found", Status: 404, Instance: n.Path, EntryPoints: []problemPoint{},
		Detail: "The path " + n.Path + " does not exist. Start at /llms.txt."}
	for _, e := range n.Points {
		p.EntryPoints = append(p.EntryPoints, problemPoint{e.Path, e.Type, e.Title, e.Tokens})
	}
	return encode(p, "  ")
}

// shownPath is a decoded path that is safe to repeat: no control characters, at
// most maxShownPath characters.
func shownPath(path string) string {
	shown := []rune(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, path))
	if len(shown) > maxShownPath {
		shown = shown[:maxShownPath]
	}
	return string(shown)
}
