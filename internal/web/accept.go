package web

// This file reads Accept headers: weights of named types, and which form of a
// page a client wants.

import (
	"net/http"
	"strconv"
	"strings"
)

// acceptOf is the request's Accept header; several fields are joined in order.
func acceptOf(r *http.Request) string { return joined(r.Header["Accept"]) }

func joined(values []string) string {
	if len(values) == 1 {
		return values[0]
	}
	return strings.Join(values, ",")
}

// weightOf returns the weight that a header in the form of Accept (RFC 9110,
// 12.4.2) gives to a name, and whether it names it. A weight that is not a
// number counts as 1, and so does one above 1.
func weightOf(header, name string) (weight float64, named bool) {
	for item := range strings.SplitSeq(header, ",") {
		own, parameters, _ := strings.Cut(item, ";")
		if strings.EqualFold(strings.TrimSpace(own), name) {
			weight, named = max(weight, qualityOf(parameters)), true
		}
	}
	return weight, named
}

// qualityOf reads the q among the parameters of one item.
func qualityOf(parameters string) float64 {
	if parameters == "" {
		return 1
	}
	for parameter := range strings.SplitSeq(parameters, ";") {
		key, value, _ := strings.Cut(parameter, "=")
		if !strings.EqualFold(strings.TrimSpace(key), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || q > 1 || q != q {
			return 1
		}
		return max(q, 0)
	}
	return 1
}

// acceptQuality returns the weight that an Accept header gives to a media type
// by its name, 0 when it does not name it. Wildcards do not count: a client that
// takes anything has not asked for this.
func acceptQuality(accept, mediaType string) float64 {
	q, _ := weightOf(accept, mediaType)
	return q
}

// prefer returns the offered type that an Accept header names with the highest
// quality, the first offered when none is named.
func prefer(accept string, offered ...string) string {
	best, quality := offered[0], 0.0
	for _, name := range offered {
		if q := acceptQuality(accept, name); q > quality {
			best, quality = name, q
		}
	}
	return best
}

// form is what of a page is sent.
type form string

// The forms of a page.
const (
	formHTML     form = "html"
	formMarkdown form = "md"
	formPlain    form = "plain" // the Markdown as text/plain
)

// negotiate chooses the form of a page by its Accept header. Markdown wins only
// when it is named, and not when HTML is named with a higher weight or, at the
// same weight, first. Nothing is refused.
func negotiate(accept string) form {
	if accept == "" || accept == "*/*" {
		return formHTML
	}
	md, mdNamed := weightOf(accept, "text/markdown")
	page, by := htmlWeight(accept)
	if md > 0 {
		wildcard := by != "" && strings.HasSuffix(by, "*")
		if by == "" || md > page || md == page && (wildcard || position(accept, "text/markdown") < position(accept, by)) {
			return formMarkdown
		}
	}
	if plain, named := weightOf(accept, "text/plain"); named && plain > 0 && !mdNamed && by == "" {
		return formPlain
	}
	return formHTML
}

// htmlWeight is the weight of HTML and what gave it: a name, else a wildcard,
// else nothing.
func htmlWeight(accept string) (weight float64, by string) {
	for _, name := range []string{"text/html", "application/xhtml+xml"} {
		if q, named := weightOf(accept, name); named && (by == "" || q > weight) {
			weight, by = q, name
		}
	}
	for _, name := range []string{"text/*", "*/*"} {
		if by != "" {
			return weight, by
		}
		if q, named := weightOf(accept, name); named {
			weight, by = q, name
		}
	}
	return weight, by
}

// position is where among the items a name stands first.
func position(accept, name string) int {
	at := 0
	for item := range strings.SplitSeq(accept, ",") {
		own, _, _ := strings.Cut(item, ";")
		if strings.EqualFold(strings.TrimSpace(own), name) {
			return at
		}
		at++
	}
	return at
}
