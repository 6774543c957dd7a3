package search

// This file is for values that only the search server can judge.

import (
	"encoding/json"
	"maps"
	"strings"
)

// Doubt is a value of a call that the server may refuse although it fits the
// schema: countries go by names of which the server has a list of its own.
type Doubt struct {
	Parameter string // the server's word
	Value     string
	Arguments json.RawMessage // of the call without it
	Hint      string          // what to say when they are sent
}

// doubt is what may be refused of the call, nil if nothing.
func (b *build) doubt() (*Doubt, error) {
	const name = "country"
	to := b.p.bound[name]
	value, ok := b.out[to].(string)
	if b.p.e.Params[name].Type != typeCountryName || b.from[to] != name || !ok {
		return nil, nil
	}
	without := maps.Clone(b.out)
	delete(without, to)
	raw, err := plainJSON(without)
	if err != nil {
		return nil, err
	}
	return &Doubt{to, value, raw, name + " dropped: the search server refused " + value}, nil
}

// Refused reports whether an error is about the doubtful value: it names the
// parameter or the value. nil doubts nothing.
func (d *Doubt) Refused(message string) bool {
	if d == nil {
		return false
	}
	message = strings.ToLower(message)
	return strings.Contains(message, strings.ToLower(d.Parameter)) || strings.Contains(message, strings.ToLower(d.Value))
}

// Without is the call without the doubtful value, and a hint about it.
func (c Call) Without(d *Doubt) Call {
	return Call{Tool: c.Tool, Arguments: d.Arguments, Hints: append(append([]string{}, c.Hints...), d.Hint)}
}
