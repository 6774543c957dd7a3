// Package arguments reads the arguments of one tool call the way agents write
// them: numbers and booleans as strings, lists as text, null or an empty string
// for "not given", names in another spelling. It knows no tools, and repairs
// nothing beyond one value: that is what package repair does in front of it.
package arguments

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"evergreen"
	"evergreen/internal/repair/jsonvalue"
)

// Reader reads one call. Each method notes what it cannot read; Fault reports all
// of it once everything has been read. It is for one goroutine.
type Reader struct {
	given  []argument // by name
	faults []string
}

// argument is one that was given.
type argument struct {
	name   string
	value  json.RawMessage
	folded bool // the name is what fold makes of it
}

// otherNames are the names under which agents send an argument that we call
// name: the two words for a collection, and the arguments of well-known
// documentation servers. What is empty is none.
func otherNames(name string) [6]string {
	switch name {
	case "repo", "collection":
		return [6]string{"repo", "collection", "libraryId", "libraryName", "context7CompatibleLibraryID", "library"}
	case "query":
		return [6]string{"topic", "userQuery", "question", "q"}
	case "id":
		return [6]string{"section_id", "entry_id"}
	case "ids":
		return [6]string{"section_ids", "entry_ids"}
	case "budget":
		return [6]string{"max_tokens", "tokens"}
	case "url":
		return [6]string{"uri", "link", "site"}
	case "path":
		return [6]string{"folder", "directory", "dir"}
	}
	return [6]string{}
}

// Read takes the arguments of a call apart. Absent and null are an
// empty object; a JSON string that holds an object counts as that object.
func Read(raw json.RawMessage) (*Reader, error) {
	a := &Reader{}
	raw = bytes.TrimSpace(raw)
	for range maxDepth {
		var inner string
		if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &inner) != nil {
			break
		}
		raw = bytes.TrimSpace([]byte(inner))
	}
	if len(raw) == 0 || string(raw) == "null" {
		return a, nil
	}
	members, ok := jsonvalue.MembersOf(raw, nil)
	if !ok {
		return a, evergreen.Errorf(evergreen.Invalid, "arguments must be a JSON object, not %s", kindOf(raw))
	}
	a.given = make([]argument, 0, len(members))
	for i := len(members) - 1; i >= 0; i-- { // of equal names the last one counts
		name := string(members[i].Name)
		a.given = append(a.given, argument{name, members[i].Value, !strings.ContainsFunc(name, folds)})
	}
	slices.SortStableFunc(a.given, func(x, y argument) int { return strings.Compare(x.name, y.name) })
	a.given = slices.CompactFunc(a.given, func(x, y argument) bool { return x.name == y.name })
	return a, nil
}

// fold makes doc_path, docPath and Doc-Path one name.
func fold(r rune) rune {
	switch r {
	case '_', '-', ' ':
		return -1
	}
	return unicode.ToLower(r)
}

// folds reports whether a name with r in it is another one when folded.
func folds(r rune) bool { return fold(r) != r }

// alike reports whether two names are one when folded.
func alike(a, b string) bool {
	for {
		x, y := rune(-1), rune(-1)
		for x < 0 && a != "" {
			r, n := utf8.DecodeRuneInString(a)
			x, a = fold(r), a[n:]
		}
		for y < 0 && b != "" {
			r, n := utf8.DecodeRuneInString(b)
			y, b = fold(r), b[n:]
		}
		if x != y || x < 0 {
			return x == y
		}
	}
}

// Has tells whether an argument is given.
func (a *Reader) Has(name string) bool {
	_, ok := a.raw(name)
	return ok
}

// raw finds an argument under its own name or another one, as it is spelt and
// then in any spelling. ok is false when it is absent, null or blank.
func (a *Reader) raw(name string) (value json.RawMessage, ok bool) {
	if len(a.given) == 0 {
		return nil, false
	}
	others := otherNames(name)
	for _, under := range [...]func(string) (json.RawMessage, bool){a.spelt, a.respelt} {
		if v, ok := under(name); ok {
			return v, true
		}
		for _, other := range others {
			if other == "" {
				break
			}
			if v, ok := under(other); ok {
				return v, true
			}
		}
	}
	return nil, false
}

// spelt finds an argument under a name as it is, or as it is folded.
func (a *Reader) spelt(name string) (json.RawMessage, bool) {
	for _, g := range a.given {
		if g.name == name && !blank(g.value) {
			return g.value, true
		}
	}
	for _, g := range a.given {
		if g.folded && alike(g.name, name) && !blank(g.value) {
			return g.value, true
		}
	}
	return nil, false
}

// respelt finds the first argument whose name is the same when folded.
func (a *Reader) respelt(name string) (json.RawMessage, bool) {
	for _, g := range a.given {
		if alike(g.name, name) {
			return g.value, !blank(g.value)
		}
	}
	return nil, false
}

func blank(v json.RawMessage) bool {
	if v[0] != '"' {
		return string(v) == "null"
	}
	s, ok := asText(v)
	return ok && strings.TrimSpace(s) == ""
}

// Text reads an optional string; a number or boolean counts as its own digits.
func (a *Reader) Text(name string) string {
	raw, ok := a.raw(name)
	if !ok {
		return ""
	}
	s, ok := asText(raw)
	if !ok {
		a.wrong(name, "a string", raw)
	}
	return s
}

// ID reads the one id that must be there.
func (a *Reader) ID() string {
	id := strings.TrimSpace(a.Required("id"))
	a.CheckID(id)
	return id
}

// CheckID notes an id that is too long to look up.
func (a *Reader) CheckID(id string) {
	if len(id) > MaxIDBytes {
		a.faults = append(a.faults, fmt.Sprintf("an id of %d bytes is too long; at most %d", len(id), MaxIDBytes))
	}
}

// Required reads a string that must be there.
func (a *Reader) Required(name string) string {
	if _, ok := a.raw(name); !ok {
		a.Missing(name)
		return ""
	}
	return a.Text(name)
}

// Number reads a whole number from low to high; absent is fallback.
func (a *Reader) Number(name string, fallback, low, high int) int {
	raw, ok := a.raw(name)
	if !ok {
		return fallback
	}
	n, ok := asInteger(raw)
	if !ok || n < low || n > high {
		a.wrong(name, fmt.Sprintf("a whole number from %d to %d", low, high), raw)
		return fallback
	}
	return n
}

// Most reads a bound from 1 to high; absent and what is not above 0 are high,
// and so is what lies beyond.
func (a *Reader) Most(name string, high int) int {
	n := a.Number(name, high, math.MinInt, math.MaxInt)
	if n <= 0 {
		return high
	}
	return min(n, high)
}

// Limit reads how many results are wanted, from 1 to high; 0 and absent are
// fallback.
func (a *Reader) Limit(fallback, high int) int {
	if raw, ok := a.raw("limit"); ok {
		if n, ok := asInteger(raw); ok && n == 0 {
			return fallback
		}
	}
	return a.Number("limit", fallback, 1, high)
}

// Budget reads tokens and clamps them: any whole number is a budget.
func (a *Reader) Budget(fallback int) int {
	n := a.Number("budget", fallback, math.MinInt, math.MaxInt)
	return min(max(n, evergreen.MinBudget), evergreen.MaxBudget)
}

// Flag reads a boolean; absent is false.
func (a *Reader) Flag(name string) bool {
	raw, ok := a.raw(name)
	if !ok {
		return false
	}
	s, _ := asText(raw)
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true", "1", "yes", "on":
		return true
	case "false", "0", "no", "off":
		return false
	}
	a.wrong(name, "true or false", raw)
	return false
}

// Choice reads one of allowed, in any case; absent is the first.
func (a *Reader) Choice(name string, allowed ...string) string {
	raw, ok := a.raw(name)
	if !ok {
		return allowed[0]
	}
	s, _ := asText(raw)
	s = strings.ToLower(strings.TrimSpace(s))
	if !slices.Contains(allowed, s) {
		a.wrong(name, "one of "+strings.Join(allowed, ", "), raw)
		return allowed[0]
	}
	return s
}

// List reads strings given as an array, as JSON text or separated by commas or
// lines.
func (a *Reader) List(name string) []string {
	raw, ok := a.raw(name)
	if !ok {
		return nil
	}
	items, ok := asList(raw)
	if !ok {
		a.wrong(name, "a list of strings", raw)
	}
	return items
}

// Missing notes that an argument is missing.
func (a *Reader) Missing(name string) {
	a.faults = append(a.faults, fmt.Sprintf("`%s` is missing", name))
}

func (a *Reader) wrong(name, want string, got json.RawMessage) {
	a.faults = append(a.faults, fmt.Sprintf("`%s` must be %s, got %s", name, want, kindOf(got)))
}

// Fault reports everything that was missing or unreadable, or nil.
func (a *Reader) Fault() error {
	if len(a.faults) == 0 {
		return nil
	}
	return evergreen.Errorf(evergreen.Invalid, "%s", strings.Join(a.faults, "; "))
}

func asText(raw json.RawMessage) (string, bool) {
	switch raw[0] {
	case '"':
		if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
			return string(raw[1 : len(raw)-1]), true
		}
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err == nil
	case '{':
		return "", false
	case '[':
		var one []json.RawMessage
		if json.Unmarshal(raw, &one) != nil || len(one) != 1 || one[0][0] == '[' {
			return "", false
		}
		return asText(one[0])
	}
	return string(raw), true
}

func asInteger(raw json.RawMessage) (int, bool) {
	s, ok := asText(raw)
	if !ok {
		return 0, false
	}
	s = strings.TrimSpace(s)
	if n, err := strconv.Atoi(s); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int(f), true
}

func asList(raw json.RawMessage) ([]string, bool) {
	if raw[0] != '[' {
		s, ok := asText(raw)
		s = strings.TrimSpace(s)
		if ok && strings.HasPrefix(s, "[") && json.Valid([]byte(s)) {
			return asList([]byte(s))
		}
		return splitList(s), ok
	}
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		return nil, false
	}
	var out []string
	for _, item := range items {
		s, ok := asText(item)
		if !ok {
			return nil, false
		}
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out, true
}

// splitList splits at commas and lines, but leaves a text whole when a part
// would be a broken section id: paths may hold commas.
func splitList(s string) []string {
	if s != "" && !strings.ContainsAny(s, ",\n") {
		return []string{s}
	}
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == '\n' })
	out := parts[:0]
	for _, p := range parts {
		p = strings.TrimSpace(p)
		if _, _, _, ok := evergreen.SplitSectionID(p); !ok && strings.Contains(p, "::") {
			return []string{strings.TrimSpace(s)}
		}
		if p != "" {
			out = append(out, p)
		}
	}
	return out
}

// kindOf names a JSON value in a fault: short values as they are.
func kindOf(raw json.RawMessage) string {
	switch {
	case raw[0] == '{':
		return "an object"
	case raw[0] == '[':
		return "an array"
	case len(raw) > 60:
		return "a long string"
	}
	return string(raw)
}
