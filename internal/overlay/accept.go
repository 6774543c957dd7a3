package overlay

// This file reads what a client takes: which form of a page, which codings.

import (
	"strconv"
	"strings"
)

// Forms of a page that a client may want.
const (
	wantsPage     = "html"
	wantsMarkdown = "markdown"
	wantsPlain    = "plain"
)

// wanted reads which form of a page an Accept header (its fields in order) asks
// for. Markdown: text/markdown is named with more weight than HTML, or with
// equal weight and first; wildcards never choose it (RFC 9110, 12.5.1). Plain
// text: only that is named, nothing else that could be sent. HTML: all else.
func wanted(fields []string) string {
	var markdown, page, plain choice
	for i, item := range strings.Split(joined(fields), ",") {
		name, parameters, _ := strings.Cut(item, ";")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "text/markdown":
			markdown.offer(3, i, weight(parameters))
		case "text/html", "application/xhtml+xml":
			page.offer(3, i, weight(parameters))
		case "text/*":
			page.offer(2, i, weight(parameters))
		case "*/*":
			page.offer(1, i, weight(parameters))
		case "text/plain":
			plain.offer(3, i, weight(parameters))
		}
	}
	switch {
	case plain.weight > 0 && !markdown.given() && !page.given():
		return wantsPlain
	case markdown.weight == 0 || page.given() && markdown.weight < page.weight:
		return wantsPage
	case !page.given() || markdown.weight > page.weight || page.rank < 3 || markdown.place < page.place:
		return wantsMarkdown
	}
	return wantsPage
}

// choice is the weight of a form by the most exact name given for it.
type choice struct {
	rank, place int // rank 0: not given
	weight      float64
}

func (c choice) given() bool { return c.rank > 0 }

func (c *choice) offer(rank, place int, weight float64) {
	if rank > c.rank || rank == c.rank && weight > c.weight {
		*c = choice{rank, place, weight}
	}
}

// weight reads the q of an item. What is no number counts as 1.
func weight(parameters string) float64 {
	for parameter := range strings.SplitSeq(parameters, ";") {
		key, value, _ := strings.Cut(parameter, "=")
		if !strings.EqualFold(strings.TrimSpace(key), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(q <= 1) {
			return 1
		}
		return max(q, 0)
	}
	return 1
}

func joined(fields []string) string { return strings.Join(fields, ",") }

// acceptsGzip reports whether Accept-Encoding allows gzip.
func acceptsGzip(header string) bool {
	any := false
	for item := range strings.SplitSeq(header, ",") {
		name, parameters, _ := strings.Cut(item, ";")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "gzip", "x-gzip":
			return weight(parameters) > 0
		case "*":
			any = weight(parameters) > 0
		}
	}
	return any
}

// namesPage reports whether an Accept header names HTML, as browsers do.
func namesPage(fields []string) bool {
	for item := range strings.SplitSeq(joined(fields), ",") {
		name, parameters, _ := strings.Cut(item, ";")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "text/html", "application/xhtml+xml":
			if weight(parameters) > 0 {
				return true
			}
		}
	}
	return false
}
