package crawl

import (
	"bytes"
	"net/url"
	"strings"

	"evergreen/internal/llmstxt"
)

// markdownLinks returns the absolute targets of the links in a Markdown page,
// outside code blocks.
func markdownLinks(text []byte, at *url.URL) []*url.URL {
	var links []*url.URL
	fence := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if run := fenceOf(line); run != "" {
			switch {
			case fence == "":
				fence = run
				continue
			case strings.HasPrefix(run, fence) && run == line:
				fence = ""
			}
		}
		if fence != "" {
			continue
		}
		for _, l := range llmstxt.InlineLinks(line) {
			if u, ok := Normalize(l.URL, at); ok && len(links) < maxLinks {
				links = append(links, u)
			}
		}
	}
	return links
}

// fenceOf returns the run of marks that a line opens or closes a fence with.
func fenceOf(line string) string {
	for _, mark := range []string{"`", "~"} {
		run := line[:len(line)-len(strings.TrimLeft(line, mark))]
		if len(run) >= 3 {
			return run
		}
	}
	return ""
}

// withoutPointer drops the blockquote that points agents to llms.txt from the
// head of a Markdown page: it speaks about the site, not about the page.
func withoutPointer(text []byte) []byte {
	start := frontMatterEnd(text)
	rest := bytes.TrimLeft(text[start:], "\r\n")
	at := len(text) - len(rest)
	end := at
	for end < len(text) && text[end] == '>' {
		n := bytes.IndexByte(text[end:], '\n')
		if n < 0 {
			n = len(text) - end - 1
		}
		end += n + 1
	}
	if end == at || !bytes.Contains(text[at:end], []byte("llms.txt")) {
		return text
	}
	tail := bytes.TrimLeft(text[end:], "\r\n")
	return append(text[:start:start], tail...)
}

// frontMatterEnd returns where the YAML front matter of a page ends, 0 without.
func frontMatterEnd(text []byte) int {
	at := len(text) - len(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))
	if !bytes.HasPrefix(text[at:], []byte("---\n")) && !bytes.HasPrefix(text[at:], []byte("---\r\n")) {
		return 0
	}
	first := true
	for line := range bytes.Lines(text[at:]) {
		at += len(line)
		if mark := string(bytes.TrimSpace(line)); !first && (mark == "---" || mark == "...") {
			return at
		}
		first = false
	}
	return 0
}

// looksLikeHTML tells a page that was sent in place of a Markdown file.
func looksLikeHTML(text []byte) bool {
	head := bytes.ToLower(bytes.TrimSpace(text[:min(len(text), 512)]))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}
