package afdocs

// This file judges the sample's pages: Markdown twins, sizes, whether there is
// text without a script, where it begins.

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

func (j *judge) urlSupport() finding.Outcome {
	var t finding.Tally
	for _, p := range j.Pages {
		switch {
		case p.NoMirror:
		case p.Mirror != nil:
			t.Add(finding.Pass, p.Mirror.Request.String(), p.Mirror.Said())
		default:
			a := p.Mirrors[0]
			t.Add(finding.Fail, a.Request.String(), a.Said())
		}
	}
	return t.Share(0.5, 0.895) // the scanner rounds to whole per cent
}

func (j *judge) negotiation() finding.Outcome {
	var t finding.Tally
	for _, p := range j.Pages {
		if survey.IsFile(p.URL) {
			continue
		}
		status := map[int]finding.Status{survey.RightMarkdown: finding.Pass, survey.WrongType: finding.Warn, survey.NotMarkdown: finding.Fail}[p.Negotiated()]
		t.Add(status, p.Asked.Request.String(), p.Asked.Said())
	}
	return t.Share(0.75, 0.895)
}

func (j *judge) sizeMarkdown() finding.Outcome {
	var t finding.Tally
	for _, p := range j.Pages {
		if a := p.Content(); a != nil {
			n := chars(a.Text())
			t.Add(sized(n < passSize, n <= failSize), a.Request.String(), fmt.Sprintf("%d characters", n))
		}
	}
	return t.Outcome(0.5)
}

func (j *judge) sizeHTML() finding.Outcome {
	var t finding.Tally
	for _, p := range j.Pages {
		if p.HTML.Err == nil {
			n := chars(p.Converted())
			t.Add(sized(n < passSize, n <= failSize), p.HTML.Request.String(), fmt.Sprintf("%d characters as Markdown", n))
		}
	}
	return t.Outcome(0.5)
}

func (j *judge) sizeTransfer() finding.Outcome {
	const pass, fail = 1_000_000, 10_000_000
	var t finding.Tally
	for _, p := range j.Pages {
		if p.HTML.Err == nil {
			n := len(p.HTML.Body)
			t.Add(sized(n < pass, n <= fail && !p.HTML.Cut), p.HTML.Request.String(), fmt.Sprintf("%d bytes", n))
		}
	}
	return t.Outcome(0.5)
}

// shell is how a page's text is there without a script.
type shell struct {
	marker                       string // of a single-page application
	headings, paragraphs, blocks int
	main                         bool
	visible                      int // characters outside navigation
}

// look reads a page for signs of content.
func look(page string) shell {
	var s shell
	for _, marker := range []string{`id="___gatsby"`, `id="__next"`, `id="__nuxt"`, `id="root"`} {
		if strings.Contains(page, marker) {
			s.marker = marker
			break
		}
	}
	doc, _ := tree.Parse([]byte(page))
	body := tree.First(doc, atom.Body)
	if body == nil {
		body = doc
	}
	for _, n := range tree.Find(body, atom.Script, atom.Style, atom.Noscript, atom.Svg, atom.Nav, atom.Header, atom.Footer, atom.Aside) {
		tree.Remove(n)
	}
	var chrome []*html.Node
	for n := range body.Descendants() {
		switch tree.Attr(n, "role") {
		case "navigation", "banner", "contentinfo", "complementary":
			chrome = append(chrome, n)
		}
	}
	for _, n := range chrome {
		tree.Remove(n)
	}
	for _, n := range tree.Find(body, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6) {
		if length(n) > 3 {
			s.headings++
		}
	}
	s.paragraphs = prose(body)
	s.blocks = len(tree.Find(body, atom.Pre, atom.Code))
	if main := tree.First(body, atom.Main); main != nil {
		s.main = prose(main) >= 2 || len(tree.Find(main, atom.Pre, atom.Code)) > 0
	}
	s.visible = length(body)
	return s
}

// prose counts paragraphs of more than thirty characters.
func prose(n *html.Node) int {
	count := 0
	for _, p := range tree.Find(n, atom.P) {
		if length(p) > 30 {
			count++
		}
	}
	return count
}

// length counts the characters of a node's text, runs of blanks as one.
func length(n *html.Node) int {
	return utf8.RuneCountInString(strings.Join(strings.Fields(raw(n)), " "))
}

// raw is all text of a node.
func raw(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// real reports whether the signs add up to a page of documentation.
func (s shell) real() bool {
	return s.visible >= 1500 || s.headings >= 1 && s.visible >= 500 || s.headings >= 3 || s.paragraphs >= 5 ||
		s.main && s.headings >= 1 || s.blocks >= 3
}

func (j *judge) rendering() finding.Outcome {
	var t finding.Tally
	for _, p := range j.Pages {
		asked := p.HTML.Request.String()
		switch {
		case p.HTML.Err != nil:
		case !p.IsHTML():
			t.Add(finding.Pass, asked, p.HTML.Said())
		default:
			s := look(p.HTML.Text())
			status := sized(s.marker == "" || s.real(), s.headings >= 1 || s.paragraphs >= 2 || s.blocks >= 1)
			t.Add(status, asked, fmt.Sprintf("%d headings, %d paragraphs, %d characters of text %s", s.headings, s.paragraphs, s.visible, s.marker))
		}
	}
	return t.Outcome(0.5)
}

func (j *judge) contentStart() finding.Outcome {
	var t finding.Tally
	for _, p := range j.Pages {
		if p.HTML.Err != nil {
			continue
		}
		text := p.Converted()
		percent := 0
		if text != "" {
			percent = int(float64(chars(text[:begins(text)]))/float64(chars(text))*100 + 0.5)
		}
		t.Add(sized(percent <= 10, percent <= 50), p.HTML.Request.String(), fmt.Sprintf("content that begins at %d%% of the page", percent))
	}
	return t.Outcome(0.5)
}

var (
	inlineLink = regexp.MustCompile(`\[[^\]]+\]\([^)]+\)`)
	isHeading  = regexp.MustCompile(`^#{1,6}\s`)
	topHeading = regexp.MustCompile(`^#{1,4}\s+\S`)
	underline  = regexp.MustCompile(`^(=+|-+)$`)
	codeLine   = regexp.MustCompile(`[{}\s]*[a-z0-9_-]+\s*:\s*[^;]+;|^\s*(function|var|const|let|import|export)\b|^\s*//|[{};]\s*$`)
	sentence   = regexp.MustCompile(`[.!?]$`)
)

// begins is the byte at which the first heading with prose under it, or the
// first long line of prose, stands.
func begins(text string) int {
	lines := strings.Split(text, "\n")
	at := 0
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		next := ""
		if i+1 < len(lines) {
			next = strings.TrimSpace(lines[i+1])
		}
		switch {
		case trimmed == "":
		case topHeading.MatchString(trimmed), len(next) >= 2 && underline.MatchString(next):
			if leads(lines, i) {
				return at
			}
		case codeLine.MatchString(trimmed), linked(trimmed) > 0.5, strings.HasPrefix(trimmed, "]("):
		case len(trimmed) >= 80, sentence.MatchString(trimmed) && len(trimmed) >= 40:
			return at
		}
		at += len(line) + 1
	}
	return min(at, len(text))
}

// linked is the share of a line that is links.
func linked(line string) float64 {
	n := 0
	for _, l := range inlineLink.FindAllString(line, -1) {
		n += len(l)
	}
	return float64(n) / float64(len(line))
}

// leads reports whether prose or a table follows a heading before the next one.
func leads(lines []string, heading int) bool {
	start := heading + 1
	if start < len(lines) && underline.MatchString(strings.TrimSpace(lines[start])) {
		start++
	}
	seen := 0
	for i := start; i < len(lines) && seen < 6; i++ {
		t := strings.TrimSpace(lines[i])
		if t == "" || codeLine.MatchString(t) {
			continue
		}
		seen++
		next := ""
		if i+1 < len(lines) {
			next = strings.TrimSpace(lines[i+1])
		}
		switch {
		case linked(t) > 0.5, strings.HasPrefix(t, "]("):
		case isHeading.MatchString(t), len(next) >= 2 && underline.MatchString(next):
			return false
		case strings.HasPrefix(t, "|"), len(t) > 40, sentence.MatchString(t) && len(t) >= 10:
			return true
		}
	}
	return false
}
