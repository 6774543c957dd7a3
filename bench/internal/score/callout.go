package score

// This file finds admonitions with their kind.

import (
	"strings"

	"golang.org/x/net/html"
)

// Callout is an admonition.
type Callout struct {
	Kind string // one of the kinds of GitHub's alerts: note, tip, important, warning, caution; "" when unknown
	Text string // squashed
}

// boxes are the admonitions of documentation generators, and what tools make
// of them.
const boxes = ".theme-admonition, .admonition, .custom-block, .admonitionblock, [data-callout], .markdown-alert, blockquote"

// kinds are words that generators use, by the alert that they mean.
var kinds = [...]struct{ kind, words string }{
	{"caution", " danger caution error failure bug "},
	{"warning", " warning attention "},
	{"important", " important "},
	{"tip", " tip hint success "},
	{"note", " note info seealso abstract summary example question faq help quote todo secondary details "},
}

// Kind is the alert that a generator's word means, "" when it means none. A
// dash before it is overlooked: defuddle leaves one.
func Kind(word string) string {
	word = strings.TrimPrefix(word, "-")
	for _, k := range kinds {
		if strings.Contains(k.words, " "+strings.ToLower(word)+" ") {
			return k.kind
		}
	}
	return ""
}

// Callouts are the admonitions of a page, also those that Markdown writes as
// quotes that begin with [!KIND].
func Callouts(n *html.Node) []Callout {
	var all []Callout
	for _, x := range Find(n, boxes) {
		c := CalloutOf(x)
		if x.Data == "blockquote" && c.Kind == "" && !strings.HasPrefix(strings.TrimSpace(TextOf(x)), "[!") {
			continue // a quotation
		}
		all = append(all, c)
	}
	return all
}

// CalloutOf is the admonition that an element is.
func CalloutOf(n *html.Node) Callout { return Callout{Kind: kindOf(n), Text: Squash(TextOf(n))} }

func kindOf(n *html.Node) string {
	if k := Kind(attr(n, "data-callout")); k != "" {
		return k
	}
	for _, class := range strings.Fields(attr(n, "class")) {
		for _, prefix := range []string{"", "theme-admonition-", "alert--", "markdown-alert-"} {
			if word, ok := strings.CutPrefix(class, prefix); ok && Kind(word) != "" {
				return Kind(word)
			}
		}
	}
	if n.Data == "blockquote" {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(TextOf(n)), "[!"); ok {
			word, _, _ := strings.Cut(rest, "]")
			return Kind(word)
		}
	}
	return ""
}

// Holds reports whether a callout of the same kind and text is among all.
// Titles may surround the text, and a title that only repeats the kind may be
// missing.
func (c Callout) Holds(all []Callout) bool {
	for _, x := range all {
		if x.Kind == c.Kind && c.Kind != "" && c.In(x.Text) {
			return true
		}
	}
	return false
}

// In reports whether a squashed text holds the callout's, without the words
// for its kind that it may begin with: Markdown has a mark and a title.
func (c Callout) In(text string) bool {
	once := untitled(c.Text)
	return strings.Contains(text, c.Text) || strings.Contains(text, once) || strings.Contains(text, untitled(once))
}

func untitled(text string) string {
	for _, k := range kinds {
		for _, word := range strings.Fields(k.words) {
			if rest, ok := strings.CutPrefix(text, word); ok && rest != "" {
				return rest
			}
		}
	}
	return text
}
