package web

// This file reads query strings: '+' is a space, a key without '=' is empty,
// the last duplicate wins, and what cannot be read is an error that names the
// parameter.

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// params are the parameters of one request, decoded.
type params map[string]string

// paramError is a parameter that cannot be read.
type paramError struct {
	name    string
	detail  string
	allowed []string
	nearest []string
	urn     string // problem name, when not invalid-parameter
}

func (e *paramError) Error() string { return e.detail }

// parseQuery decodes the query string of a request.
func parseQuery(r *http.Request) (params, error) {
	raw := r.URL.RawQuery
	if len(raw) > maxQueryBytes {
		return nil, &paramError{detail: fmt.Sprintf("The query string is longer than %d bytes. Ask a shorter question.", maxQueryBytes)}
	}
	p := params{}
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(rawName)
		if err != nil || !utf8.ValidString(name) {
			return nil, &paramError{name: rawName, detail: "The name of a parameter holds a bad % escape. Write % itself as %25, and text as UTF-8."}
		}
		value, err := url.QueryUnescape(rawValue)
		if err != nil || !utf8.ValidString(value) {
			return nil, &paramError{name: name, detail: name + " holds a bad % escape. Write % itself as %25, and text as UTF-8."}
		}
		p[name] = value
	}
	return p, nil
}

// number reads a whole number. What is too large for any use is the largest
// number that JSON keeps exactly.
func (p params) number(name, example string) (value int, given bool, err error) {
	text, given := p[name]
	if !given {
		return 0, false, nil
	}
	text = strings.TrimSpace(text)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil && isDigits(text) {
		n, err = largestBudget, nil
		if strings.HasPrefix(text, "-") {
			n = -largestBudget
		}
	}
	if err != nil {
		return 0, true, &paramError{name: name, detail: name + " must be " + example + "."}
	}
	return int(max(min(n, largestBudget), -largestBudget)), true, nil
}

// first is the first of the parameters that was given and is not blank.
func (p params) first(names ...string) string {
	for _, name := range names {
		if value := p[name]; strings.TrimSpace(value) != "" {
			return value
		}
	}
	return ""
}

// choice reads one of a few words; absent and empty are "".
func (p params) choice(name string, allowed ...string) (string, error) {
	value := strings.TrimSpace(p[name])
	if value == "" || slices.Contains(allowed, value) {
		return value, nil
	}
	return "", &paramError{name: name, allowed: allowed,
		detail: fmt.Sprintf("%s must be one of %s.", name, strings.Join(allowed, ", "))}
}

// isDigits reports whether text is digits only, with a sign or without.
func isDigits(text string) bool {
	if text != "" && strings.Contains("+-", text[:1]) {
		text = text[1:]
	}
	return text != "" && strings.Trim(text, "0123456789") == ""
}
