package search

// This file reads our own arguments and converts single values.

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"evergreen"
)

// value is one canonical argument as it was given.
type value struct {
	text   string
	number int
	list   []string
	raw    json.RawMessage
	seed   string // the name it was given under, when that is not ours alone
}

// read takes the arguments apart. Names of the seed stand for ours where ours
// is absent; blank and null values are absent.
func read(arguments json.RawMessage, seed map[string]string) (map[string]value, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(arguments, &all); err != nil {
		return nil, evergreen.Errorf(evergreen.Invalid, "the arguments are no JSON object").Fix(`write {"query": "..."}`)
	}
	given := map[string]value{}
	for _, name := range canonical() {
		raw, ok := all[name]
		if !ok {
			continue
		}
		v, present, err := readOne(name, raw)
		if err != nil {
			return nil, err
		}
		if present {
			if v.raw = raw; seed[name] == name && !own(name, v.text) {
				v.seed = name
			}
			given[name] = v
		}
	}
	for _, other := range sortedKeys(seed) {
		name := seed[other]
		if _, taken := given[name]; taken || other == name {
			continue
		}
		if v, present, err := readOne(name, all[other]); err == nil && present {
			v.raw, v.seed = all[other], other
			given[name] = v
		}
	}
	return given, nil
}

// own reports whether a value is one of our own words for its parameter.
func own(name, text string) bool {
	return name != "content_size" || slices.Contains([]string{"small", "medium", "large"}, text)
}

// readOne reads one argument in our own words.
func readOne(name string, raw json.RawMessage) (v value, present bool, err error) {
	wrong := func(want string) error {
		return evergreen.Errorf(evergreen.Invalid, "%s must be %s", name, want)
	}
	if len(raw) == 0 || string(raw) == "null" {
		return v, false, nil
	}
	switch name {
	case "count", "page":
		var n json.Number
		if json.Unmarshal(raw, &n) != nil {
			return v, false, wrong("a whole number")
		}
		if v.number, err = strconv.Atoi(n.String()); err != nil {
			return v, false, wrong("a whole number")
		}
		return v, true, nil
	case "include_domains", "exclude_domains":
		if json.Unmarshal(raw, &v.list) != nil {
			return v, false, wrong("an array of strings")
		}
		v.list = slices.DeleteFunc(v.list, func(s string) bool { return strings.TrimSpace(s) == "" })
		return v, len(v.list) > 0, nil
	}
	if json.Unmarshal(raw, &v.text) != nil {
		return v, false, wrong("a string")
	}
	if name != "query" {
		v.text = inOurWords(name, v.text)
	}
	return v, strings.TrimSpace(v.text) != "", nil
}

// noLimit is the seed's word for no recency at all.
const noLimit = "noLimit"

// inOurWords turns the seed's values into ours. No limit of time is none.
func inOurWords(name, text string) string {
	switch name {
	case "recency":
		switch word := strings.TrimPrefix(letters(text), "one"); word {
		case "nolimit":
			return noLimit
		case "day", "week", "month", "year":
			return word
		}
	case "content_size":
		if letters(text) == "high" {
			return "high"
		}
		return strings.ToLower(text)
	case "country":
		if len(text) == 2 {
			return strings.ToUpper(text)
		}
	case "safe":
		return strings.ToLower(text)
	}
	return text
}

// convert makes of a value what the server takes, or says why it cannot.
func (b *build) convert(name string, m param, v value) (sent any, why string) {
	if name == "content_size" && v.text == "high" {
		v.text = "large"
	}
	switch m.Type {
	case "array", "first":
		return b.convertList(m, v)
	case "integer", "number", "zero-based":
		if name == "count" || name == "page" {
			return b.convertNumber(name, m, v.number)
		}
	}
	text := v.text
	switch m.Type {
	case "upper":
		text = strings.ToUpper(text)
	case "lower":
		text = strings.ToLower(text)
	case typeCountryName:
		full, ok := b.p.t.lists[m.Type][strings.ToUpper(text)]
		if !ok {
			return nil, "the search server wants a country's English name"
		}
		text = full
	}
	if mapped, ok := m.Values[text]; ok {
		if string(mapped) == "null" {
			return nil, "the search server has nothing like it"
		}
		return mapped, ""
	}
	if len(m.Values) > 0 && m.Type != "upper" && m.Type != "lower" {
		return nil, "the search server has nothing like it"
	}
	return b.fitEnum(name, text)
}

// convertNumber clamps, with a hint.
func (b *build) convertNumber(name string, m param, n int) (any, string) {
	asked := n
	if m.Type == "zero-based" {
		n--
	}
	low, high := n, n
	if m.Min != nil {
		low = max(n, *m.Min)
	}
	if high = low; m.Max != nil {
		high = min(low, *m.Max)
	}
	if high != n {
		shown := high
		if m.Type == "zero-based" {
			shown++
		}
		b.hint("%s %d → %d", name, asked, shown)
	}
	return high, ""
}

func (b *build) convertList(m param, v value) (any, string) {
	if m.Type == "first" {
		if most := max(deref(m.Max, 1), 1); len(v.list) > most {
			return nil, "the search server takes one only"
		}
		return v.list[0], ""
	}
	var out []any
	for _, item := range v.list {
		if m.Lower {
			item = strings.ToLower(item)
		}
		out = append(out, m.Prefix+item)
	}
	return out, ""
}

func deref(p *int, otherwise int) int {
	if p == nil {
		return otherwise
	}
	return *p
}

// fitEnum finds a value among those that the server lists: as it is, in other
// letters, or by what other entries call it.
func (b *build) fitEnum(name, text string) (any, string) {
	enum := b.p.props[b.p.bound[name]].Enum
	if len(enum) == 0 || name == "language" { // tried against the schema later
		return text, ""
	}
	words := []string{text}
	for _, e := range b.p.t.entries {
		var word string
		if json.Unmarshal(e.Params[name].Values[text], &word) == nil && word != "" {
			words = append(words, word)
		}
	}
	for _, word := range words {
		for _, allowed := range enum {
			if s, ok := allowed.(string); ok && letters(s) == letters(word) {
				return s, ""
			}
		}
	}
	return nil, "the search server has nothing like it"
}
