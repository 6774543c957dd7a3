package repair

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// This file makes up argument values for examples.

// samples makes up arguments for a tool: with its required parameters, and with
// those of each of its alternatives.
func samples(root *shape, given *value) []*value {
	var out []*value
	for _, also := range append([]*shape{root}, root.branches...) {
		if v := sampleObject(root, also.required, given, 0); v != nil {
			out = append(out, v)
		}
	}
	return out
}

// placeholders writes the required parameters as "<type>", the caller's usable
// ones as they are.
func placeholders(s *shape, given *value) *value {
	var fields []field
	for _, p := range s.props {
		if own := usable(&p, given); own != nil {
			fields = append(fields, field{p.name, own})
		} else if s.needs(p.name) {
			fields = append(fields, field{p.name, textValue("<" + typeNames(p.shape) + ">")})
		}
	}
	return objectValue(fields)
}

// usable returns what the caller gave for a parameter if it validates.
func usable(p *prop, given *value) *value {
	if given == nil || given.kind != kindObject {
		return nil
	}
	own := given.get(p.name)
	if own == nil || absent(own) || !p.shape.valid(own) {
		return nil
	}
	return own
}

// sample returns a value for a shape, nil when none can be made up.
func sample(s *shape, depth int) *value {
	if depth > maxSample {
		return nil
	}
	if (s.types == 0 || s.types.has(typeObject)) && (len(s.props) > 0 || s.types == typeObject) {
		return sampleObject(s, nil, nil, depth)
	}
	return sampleNamed("", s, depth)
}

// sampleObject fills the parameters that s or also requires. given is the
// caller's own object, of which the usable parts are taken.
func sampleObject(s *shape, also []string, given *value, depth int) *value {
	var fields []field
	for i := range s.props {
		p := &s.props[i]
		if own := usable(p, given); own != nil {
			fields = append(fields, field{p.name, own})
			continue
		}
		if !s.needs(p.name) && !slices.Contains(also, p.name) {
			continue
		}
		v := sampleNamed(p.name, p.shape, depth+1)
		if v == nil {
			return nil
		}
		fields = append(fields, field{p.name, v})
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
		if v := sample(b, depth+1); v != nil && s.valid(v) {
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
		item := sample(s.items, depth+1)
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
	if s.types.has(typeObject) && depth < maxSample {
		if v := sampleObject(s, nil, nil, depth+1); v != nil {
			out = append(out, v)
		}
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
