package repair

import (
	"encoding/json"
	"strconv"
	"strings"
)

// This file makes up argument values for examples.

// sample returns a value for a shape, nil when none can be made up. given is
// the caller's own, of which the usable parts are taken.
func sample(s *shape, given *value, depth int) *value {
	if depth > 6 {
		return nil
	}
	if s.opaque {
		return emptyObject()
	}
	if (s.types == 0 || s.types.has(typeObject)) && (len(s.props) > 0 || s.types == typeObject) {
		return sampleObject(s, given, depth)
	}
	return sampleNamed("", s, depth)
}

func sampleObject(s *shape, given *value, depth int) *value {
	var fields []field
	for i := range s.props {
		p := &s.props[i]
		if given != nil && given.kind == kindObject {
			if own := given.get(p.name); own != nil && p.shape.valid(own) && !absent(own) {
				fields = append(fields, field{p.name, own})
				continue
			}
		}
		if s.needs(p.name) {
			v := sampleNamed(p.name, p.shape, depth+1)
			if v == nil {
				return nil
			}
			fields = append(fields, field{p.name, v})
		}
	}
	return objectValue(fields)
}

// sampleNamed makes up a value: what the schema offers, else one by type.
func sampleNamed(name string, s *shape, depth int) *value {
	for _, v := range offered(s) {
		if s.valid(v) && !absent(v) {
			return v
		}
	}
	for _, v := range byType(name, s, depth) {
		if v != nil && s.valid(v) {
			return v
		}
	}
	for _, b := range s.branches {
		if v := sample(b, nil, depth+1); v != nil && s.valid(v) {
			return v
		}
	}
	return nil
}

// offered lists the values that a schema itself names.
func offered(s *shape) []*value {
	var out []*value
	if s.schema == nil {
		return nil
	}
	for _, e := range s.schema.Examples {
		out = append(out, valueOf(e))
	}
	if len(s.schema.Default) > 0 && json.Valid(s.schema.Default) {
		if v, err := parse(s.schema.Default); err == nil {
			out = append(out, v)
		}
	}
	return append(out, s.allowed...)
}

func byType(name string, s *shape, depth int) []*value {
	var out []*value
	if s.types.has(typeText) {
		out = append(out, textValue(sampleText(name, s)), textValue("2025-01-31"), textValue(strings.Repeat("text ", 8)))
	}
	if s.types.has(typeInteger | typeNumber) {
		out = append(out, numberValue("1"))
		for _, bound := range []*float64{s.low, s.high} {
			if bound != nil {
				out = append(out, numberValue(strconv.FormatFloat(*bound, 'f', -1, 64)))
			}
		}
	}
	if s.types.has(typeBool) {
		out = append(out, &value{kind: kindBool, b: true})
	}
	if s.types.has(typeList) && s.items != nil {
		item := sample(s.items, nil, depth+1)
		if item == nil || item.kind == kindText && len(s.items.allowed) == 0 && len(offered(s.items)) == 0 {
			item = sampleNamed(singular(name), s.items, depth+1)
		}
		if item != nil {
			out = append(out, listValue(item))
		}
	}
	if s.types.has(typeList) {
		out = append(out, listValue())
	}
	if s.types.has(typeObject) && depth < 6 {
		out = append(out, sampleObject(s, nil, depth+1))
	}
	return out
}

// sampleText is a text that looks like what the parameter is for.
func sampleText(name string, s *shape) string {
	word := letters(name)
	format := ""
	if s.schema != nil {
		format = s.schema.Format
	}
	switch {
	case format == "uri" || format == "url" || strings.Contains(word, "url") || strings.Contains(word, "uri"):
		return "https://example.com/"
	case format == "date" || strings.HasSuffix(word, "date"):
		return "2025-01-31"
	case format == "email":
		return "name@example.com"
	case strings.Contains(word, "path") || strings.Contains(word, "file"):
		return "docs/guide.md"
	case word == "query" || word == "q" || strings.Contains(word, "search"):
		return "rust async runtime"
	case name != "":
		return "<" + name + ">"
	}
	return "text"
}
