package afdocs

// This file holds a page beside its mirror: each line of the page of some
// length must stand in the mirror.

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"evergreen/internal/audit/finding"
	"evergreen/internal/audit/survey"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	minSegment  = 20 // characters: shorter lines are labels and buttons
	minSegments = 10 // of a page: below it the share says nothing
)

func (j *judge) parity() finding.Outcome {
	var t finding.Tally
	for _, p := range j.Pages {
		a := p.Content()
		if a == nil {
			continue
		}
		page := j.Client.Get(j, survey.PageOf(p.URL))
		asked := page.Request.String() + " beside " + a.Request.String()
		if page.Err != nil || page.Status >= 400 || page.Type() != "text/html" {
			t.Add(finding.Pass, asked, "no page to compare with")
			continue
		}
		missing, of, first := compare(page.Text(), a.Text())
		percent := 0
		if of > 0 {
			percent = int(float64(missing)/float64(of)*100 + 0.5)
		}
		got := fmt.Sprintf("%d of %d lines of the page are missing in the mirror", missing, of)
		if first != "" {
			got += ", such as " + fmt.Sprintf("%.60q", first)
		}
		t.Add(sized(percent < 5, percent < 20), asked, got)
	}
	if t.Tested() == 0 {
		return finding.Skipped("there are no mirrors")
	}
	return t.Outcome(0.75)
}

// compare counts the lines of a page that its mirror lacks.
func compare(page, mirror string) (missing, of int, first string) {
	doc, _ := tree.Parse([]byte(page))
	lines := segments(content(doc))
	if of = len(lines); of < minSegments {
		return 0, of, ""
	}
	has := normalize(plainMarkdown(mirror))
	for _, l := range lines {
		if !strings.Contains(has, normalize(l)) {
			if missing++; first == "" {
				first = l
			}
		}
	}
	return missing, of, first
}

// content is the text of a page's main part, a block a line.
func content(doc *html.Node) string {
	main := container(doc)
	var gone []*html.Node
	for n := range main.Descendants() {
		if n.Type == html.ElementNode && chrome(n) {
			gone = append(gone, n)
		}
	}
	for _, n := range gone {
		tree.Remove(n)
	}
	gone = nil
	for n := range main.Descendants() {
		if n.Type == html.ElementNode && isNavigation(n) {
			gone = append(gone, n)
		}
	}
	for _, n := range gone {
		tree.Remove(n)
	}
	var b strings.Builder
	write(&b, main)
	return b.String()
}

// container is the tightest element that holds the content.
func container(doc *html.Node) *html.Node {
	root := doc
	if main := tree.First(doc, atom.Main); main != nil {
		root = main
	}
	if article := tree.First(root, atom.Article); article != nil {
		return article
	}
	if root != doc {
		return root
	}
	for n := range doc.Descendants() {
		if tree.Attr(n, "role") == "main" || tree.Attr(n, "id") == "content" || tree.HasClass(n, "markdown-body") {
			return n
		}
	}
	if body := tree.First(doc, atom.Body); body != nil {
		return body
	}
	return doc
}

var chromeClass = regexp.MustCompile(`breadcrumb|pagination|prev-next|prevnext|page-nav|feedback|helpful|table-of-contents|toc`)

// chrome reports whether an element is decoration around the content.
func chrome(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Nav, atom.Footer, atom.Header, atom.Noscript, atom.Button, atom.Svg, atom.Aside, atom.Select, atom.Input, atom.Textarea:
		return true
	}
	switch tree.Attr(n, "aria-label") {
	case "breadcrumb", "pagination", "Anchor":
		return true
	}
	rel := tree.Attr(n, "rel")
	return rel == "prev" || rel == "next" || tree.HasAttr(n, "data-markdown-ignore") || tree.HasClass(n, "sr-only") ||
		chromeClass.MatchString(tree.Attr(n, "class"))
}

// isNavigation reports whether an element is made of links.
func isNavigation(n *html.Node) bool {
	links := tree.Find(n, atom.A)
	if len(links) < 10 {
		return false
	}
	all, linked := len(raw(n)), 0
	for _, a := range links {
		linked += len(raw(a))
	}
	return all >= 100 && float64(linked)/float64(all) > 0.7
}

func write(b *strings.Builder, n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			b.WriteString(c.Data)
		case c.Type != html.ElementNode:
		case breaks(c.DataAtom):
			b.WriteByte('\n')
			write(b, c)
			b.WriteByte('\n')
		default:
			write(b, c)
		}
	}
}

func breaks(a atom.Atom) bool {
	switch a {
	case atom.P, atom.Div, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Li, atom.Tr, atom.Td, atom.Th, atom.Blockquote, atom.Pre,
		atom.Dt, atom.Dd, atom.Figcaption, atom.Section, atom.Article, atom.Details, atom.Summary, atom.Br, atom.Hr:
		return true
	}
	return false
}

var noisy = regexp.MustCompile(`^(last updated|was this page helpful|thank you for your feedback|start from the beginning$|join our .* server|loading video content|/.+/.+|for ai agents:)`)

// segments are the lines of some length, each once.
func segments(text string) []string {
	var lines []string
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if utf8.RuneCountInString(line) < minSegment || noisy.MatchString(strings.ToLower(line)) {
			continue
		}
		if key := normalize(line); !seen[key] {
			seen[key] = true
			lines = append(lines, line)
		}
	}
	return lines
}

var (
	image     = regexp.MustCompile(`!\[([^\]]*)\]\([^)]*\)`)
	linkText  = regexp.MustCompile(`\[((?:[^\[\]]|\\.)*)\]\((?:[^()]|\([^()]*\))*\)`)
	emphasis  = regexp.MustCompile(`(\*\*|__|~~)`)
	single    = regexp.MustCompile(`(^|[^\\\w*])[*_]([^*_\n]+)[*_]`)
	prefix    = regexp.MustCompile(`(?m)^[ \t]*(?:>[ \t]*)*(?:#{1,6}[ \t]+|[-*+][ \t]+(?:\[[ x]\][ \t]+)?|\d{1,9}[.)][ \t]+)*`)
	pipe      = regexp.MustCompile(`(?m)^\||\|[ \t]*$`)
	escape    = regexp.MustCompile(`\\([!-/:-@\[-` + "`" + `{-~])`)
	htmlTag   = regexp.MustCompile(`</?[a-zA-Z][^<>]*>`)
	angle     = regexp.MustCompile(`<([^>\n]+)>`)
	dashes    = regexp.MustCompile(`-{2,}`)
	leadMark  = regexp.MustCompile(`^(?:[-*+]|\d+\.)\s+`)
	fenceMark = regexp.MustCompile("(?m)^[ >]*(```+|~~~+).*$")
)

// plainMarkdown is what a reader sees of a Markdown text. Code is seen as it is.
func plainMarkdown(text string) string {
	var kept []string
	text = codeSpan.ReplaceAllStringFunc(text, func(code string) string {
		kept = append(kept, fenceMark.ReplaceAllString(code, ""))
		return "\x00"
	})
	text = plainProse(text)
	var b strings.Builder
	for part := range strings.SplitSeq(text, "\x00") {
		b.WriteString(part)
		if len(kept) > 0 {
			b.WriteString(kept[0])
			kept = kept[1:]
		}
	}
	return b.String()
}

// codeSpan finds fenced blocks and code in prose.
var codeSpan = regexp.MustCompile("(?ms)^[ >]*```+.*?^[ >]*```+[ \\t]*$|^[ >]*~~~+.*?^[ >]*~~~+[ \\t]*$|``[^`].*?``|`[^`\n]+`")

// plainProse is what a reader sees of Markdown without code.
func plainProse(text string) string {
	text = image.ReplaceAllString(text, "$1")
	text = linkText.ReplaceAllString(text, "$1")
	text = prefix.ReplaceAllString(text, "")
	text = strings.ReplaceAll(pipe.ReplaceAllString(text, ""), " | ", "\n")
	text = emphasis.ReplaceAllString(text, "")
	text = single.ReplaceAllString(text, "$1$2")
	text = htmlTag.ReplaceAllStringFunc(text, func(tag string) string {
		if name := strings.ToLower(strings.Trim(strings.Fields(strings.Trim(tag, "</> "))[0], "/")); atom.Lookup([]byte(name)) != 0 {
			return ""
		}
		return tag
	})
	return html.UnescapeString(escape.ReplaceAllString(text, "$1"))
}

// normalize takes off what may differ between a page and its mirror.
func normalize(text string) string {
	text = strings.NewReplacer("\u200b", "", "\u200c", "", "\u200d", "", "\ufeff", "", "‘", "'", "’", "'", "‚", "'", "“", `"`, "”", `"`, "„", `"`,
		"–", "-", "—", "-", "…", "...", "`", "", "\u00a0", " ").Replace(text)
	text = angle.ReplaceAllString(dashes.ReplaceAllString(text, "-"), "$1")
	return leadMark.ReplaceAllString(strings.Join(strings.Fields(strings.ToLower(text)), " "), "")
}
