package survey

// This file reads bodies as scanners do: what is Markdown, what is HTML, what
// is an error page in disguise, which links a Markdown text holds.

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"evergreen/internal/llmstxt"
	"evergreen/internal/markdown"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html/atom"
)

var (
	htmlTags   = regexp.MustCompile(`(?i)<!doctype\s|<html[\s>]|<head[\s>]|<body[\s>]`)
	mdHeading  = regexp.MustCompile(`(?m)^#{1,6}\s+\S`)
	mdLink     = regexp.MustCompile(`\[[^\]]+\]\([^)]+\)`)
	mdFence    = regexp.MustCompile("(?m)^```")
	inlineCode = regexp.MustCompile("`[^`\n]+`")
	notFound   = regexp.MustCompile(`(?i)not\s*found|404|does\s*not\s*exist`)
	firstTitle = regexp.MustCompile(`(?m)^#{1,6}\s+(.+)`)
)

// LooksLikeHTML reports whether a text outside code is a page.
func LooksLikeHTML(text string) bool {
	return htmlTags.MatchString(head(inlineCode.ReplaceAllString(withoutFences(text), "``"), 2000))
}

// LooksLikeMarkdown reports whether a text shows signs of Markdown and none of
// a page.
func LooksLikeMarkdown(text string) bool {
	if LooksLikeHTML(text) {
		return false
	}
	sample := head(text, 5000)
	return mdHeading.MatchString(sample) || mdLink.MatchString(sample) || mdFence.MatchString(sample)
}

// IsSoft404 reports whether a text looks like an error page: by its first
// heading, or anywhere in it when it is short.
func IsSoft404(text string) bool {
	if m := firstTitle.FindStringSubmatch(head(text, 500)); m != nil && notFound.MatchString(m[1]) {
		return true
	}
	return utf8.RuneCountInString(text) < 500 && notFound.MatchString(text)
}

// head cuts a text after n bytes.
func head(text string, n int) string { return text[:min(len(text), n)] }

// withoutFences drops fenced code.
func withoutFences(text string) string {
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		if run := fenceOf(line); fence == "" && run != "" {
			fence = run
			continue
		} else if fence != "" {
			if run != "" && run[0] == fence[0] && len(run) >= len(fence) && strings.TrimSpace(line) == run {
				fence = ""
			}
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}

// fenceOf is the run of signs that opens or closes a code block, "" for none.
func fenceOf(line string) string {
	line = strings.TrimLeft(line, " >")
	run := line[:len(line)-len(strings.TrimLeft(line, "`"))]
	if run == "" {
		run = line[:len(line)-len(strings.TrimLeft(line, "~"))]
	}
	if len(run) < 3 {
		return ""
	}
	return run
}

// Link is one inline link or image of a Markdown text.
type Link struct {
	Text, Target string
	Image        bool
}

// Links lists the inline links of a Markdown text in order, code and comments
// left out.
func Links(text string) []Link {
	var links []Link
	for line := range strings.Lines(withoutFences(comment.ReplaceAllString(text, ""))) {
		for _, l := range llmstxt.InlineLinks(line) {
			if l.Name != "" || !strings.Contains(line, "<"+l.URL+">") {
				links = append(links, Link{Text: l.Name, Target: strings.TrimSpace(l.URL)})
			}
		}
	}
	return links
}

var comment = regexp.MustCompile(`(?s)<!--.*?-->`)

// Converted is the whole page as Markdown, title and navigation included: what
// an agent sees that converts what it fetched. A page that is no HTML is
// itself.
func (p *Page) Converted() string {
	p.plain.Do(func() {
		if p.HTML.Type() == "text/markdown" || p.HTML.Type() == "text/plain" || !p.HTML.HTML() && !LooksLikeHTML(p.HTML.Text()) {
			p.text = p.HTML.Text()
			return
		}
		doc, _ := tree.Parse(p.HTML.Body)
		if title := tree.First(doc, atom.Title); title != nil {
			p.text = strings.TrimSpace(tree.Raw(title)) + "\n\n"
		}
		p.text += markdown.FromHTML(p.HTML.Text(), "")
	})
	return p.text
}

// IsHTML reports whether the page's URL answers with a page.
func (p *Page) IsHTML() bool {
	switch p.HTML.Type() {
	case "text/markdown", "text/plain":
		return false
	case "text/html":
		return true
	}
	return LooksLikeHTML(p.HTML.Text())
}
