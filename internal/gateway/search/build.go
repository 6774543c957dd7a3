package search

// This file builds the one call that goes to the search server.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"evergreen"
)

// Call is a call of the search server's tool.
type Call struct {
	Tool      string
	Arguments json.RawMessage
	Hints     []string // what of the caller's wishes was changed or left out, and why
	Doubt     *Doubt   // nil: the server takes every value that fits its schema
}

// Build turns the arguments of web_search, which validate against RepairSchema,
// into the call of the plan's tool. It fails with Invalid on a query that cannot
// be sent and on parameters that the entry rejects.
func (p *Plan) Build(arguments json.RawMessage) (Call, error) {
	b := &build{p: p, out: map[string]any{}, from: map[string]string{}}
	given, err := read(arguments, p.t.seed)
	if err != nil {
		return Call{}, err
	}
	b.given = given
	for name, v := range p.e.Fixed {
		b.out[name] = v
	}
	for _, name := range canonical()[1:] {
		if v, ok := given[name]; ok && !b.excluded(name) {
			if err := b.add(name, v); err != nil {
				return Call{}, err
			}
		}
	}
	if err := b.query(); err != nil {
		return Call{}, err
	}
	if err := b.validate(); err != nil {
		return Call{}, err
	}
	raw, err := plainJSON(b.out)
	if err != nil {
		return Call{}, err
	}
	doubt, err := b.doubt()
	if err != nil {
		return Call{}, err
	}
	return Call{Tool: p.Tool, Arguments: raw, Hints: b.hints, Doubt: doubt}, nil
}

// build is one call in the making.
type build struct {
	p         *Plan
	given     map[string]value
	out       map[string]any
	from      map[string]string // sent parameter to canonical one
	operators []string
	hints     []string
}

func (b *build) hint(format string, args ...any) {
	b.hints = append(b.hints, fmt.Sprintf(format, args...))
}

// excluded reports whether another parameter of an exclusive group was given
// before.
func (b *build) excluded(name string) bool {
	for _, group := range b.p.e.Exclusive {
		at := slices.Index(group, name)
		for i := range max(at, 0) {
			if _, ok := b.given[group[i]]; ok {
				b.hint("%s dropped: not together with %s", name, group[i])
				return true
			}
		}
	}
	return false
}

// add puts one parameter into the call, or does what the entry says about one
// that has no counterpart.
func (b *build) add(name string, v value) error {
	to, ok := b.p.bound[name]
	if ok && v.seed == to && b.p.props[to].allows(v.raw) { // the server's own words
		b.out[to], b.from[to] = v.raw, name
		return nil
	}
	if name == "recency" && v.text == noLimit {
		return nil
	}
	if !ok {
		return b.unsupported(name, v)
	}
	m := b.p.e.Params[name]
	sent, why := b.convert(name, m, v)
	if why != "" {
		b.hint("%s dropped: %s", name, why)
		return nil
	}
	if list, ok := sent.([]any); ok {
		if before, ok := b.out[to].([]any); ok {
			sent = append(before, list...)
		}
	}
	b.out[to], b.from[to] = sent, name
	return nil
}

func (b *build) unsupported(name string, v value) error {
	switch action := b.p.e.Unsupported[name]; action {
	case "operator:site:", "operator:-site:":
		var sites []string
		for _, d := range v.list {
			if d = strings.TrimSpace(d); d != "" && !strings.ContainsAny(d, " \t\r\n") {
				sites = append(sites, strings.TrimPrefix(action, "operator:")+d)
			}
		}
		switch {
		case len(sites) == 0:
		case action == "operator:-site:":
			b.operators = append(b.operators, strings.Join(sites, " "))
		case len(sites) == 1:
			b.operators = append(b.operators, sites[0])
		default:
			b.operators = append(b.operators, "("+strings.Join(sites, " OR ")+")")
		}
	case "reject":
		return evergreen.Errorf(evergreen.Invalid, "%s cannot be used here: the search server has no such parameter", name).
			Fix("leave %s out", name)
	default:
		b.hint("%s dropped: the search server has no such parameter", name)
	}
	return nil
}

// query puts the query into the call, as it is, with the operators behind it.
func (b *build) query() error {
	m, to := b.p.e.Params["query"], b.p.bound["query"]
	q := b.given["query"].text
	n := utf8.RuneCountInString(q)
	switch {
	case strings.TrimSpace(q) == "":
		return evergreen.Errorf(evergreen.Invalid, "the query is blank").Fix("say what to search for")
	case m.MaxLength != nil && n > *m.MaxLength:
		return evergreen.Errorf(evergreen.Invalid, "the query has %d characters; the search server takes at most %d", n, *m.MaxLength).
			Fix("shorten the query")
	case m.MinLength != nil && n < *m.MinLength:
		return evergreen.Errorf(evergreen.Invalid, "the query has fewer than %d characters", *m.MinLength)
	}
	if len(b.operators) > 0 {
		longer := q + " " + strings.Join(b.operators, " ")
		if m.MaxLength != nil && utf8.RuneCountInString(longer) > *m.MaxLength {
			b.hint("domains dropped: the query would be longer than %d characters", *m.MaxLength)
		} else {
			q = longer
		}
	}
	b.out[to] = q
	if b.p.props[to].is("array") && !b.p.props[to].is("string") {
		b.out[to] = []any{q}
	}
	return nil
}

// validate holds the call against the live schema: an optional parameter that
// fails is dropped, a language is tried once without its region.
func (b *build) validate() error {
	if b.p.schema == nil {
		return nil
	}
	if b.valid(b.out) == nil {
		return nil
	}
	to := b.p.bound["query"]
	least := map[string]any{to: b.out[to]}
	for name := range b.p.e.Fixed {
		least[name] = b.out[name]
	}
	if err := b.valid(least); err != nil {
		return evergreen.Errorf(evergreen.Invalid, "the search server would refuse the query: %w", err)
	}
	for _, name := range sortedKeys(b.from) {
		alone := merge(least, map[string]any{name: b.out[name]})
		if b.valid(alone) == nil {
			continue
		}
		if tag, ok := b.out[name].(string); ok && b.from[name] == "language" {
			primary, _, regional := strings.Cut(tag, "-")
			if alone[name] = primary; regional && b.valid(alone) == nil {
				b.out[name] = primary
				continue
			}
		}
		delete(b.out, name)
		b.hint("%s dropped: the search server does not take this value", b.from[name])
	}
	if b.valid(b.out) != nil { // fine one by one, but not together
		b.out = least
		b.hint("all but the query dropped: the search server does not take them together")
	}
	return nil
}

// valid holds arguments against the schema the way they will be sent.
func (b *build) valid(arguments map[string]any) error {
	raw, err := plainJSON(arguments)
	if err != nil {
		return err
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	return b.p.schema.Validate(v)
}

// plainJSON is v as JSON with <, > and & as they are.
func plainJSON(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
