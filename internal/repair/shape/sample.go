package shape

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"evergreen/internal/repair/jsonvalue"
	"evergreen/internal/repair/spelling"
)

// This file makes up argument values for examples.

// Samples makes up arguments for a tool: with its required parameters, and with
// those of each of its alternatives.
func Samples(root *Shape, given *jsonvalue.Value) []*jsonvalue.Value {
	var out []*jsonvalue.Value
	for _, also := range append([]*Shape{root}, root.Branches...) {
		if v := sampleObject(root, also.Required, given, 0); v != nil {
			out = append(out, v)
		}
	}
	return out
}

// Placeholders writes the required parameters as "<type>", the caller's usable
// ones as they are.
func Placeholders(s *Shape, given *jsonvalue.Value) *jsonvalue.Value {
	var fields []jsonvalue.Field
	for _, p := range s.Props {
		if own := usable(&p, given); own != nil {
			fields = append(fields, jsonvalue.Field{Name: p.Name, Value: own})
		} else if s.Needs(p.Name) {
			fields = append(fields, jsonvalue.Field{Name: p.Name, Value: jsonvalue.NewText("<" + typeNames(p.Shape) + ">")})
		}
	}
	return jsonvalue.NewObject(fields)
}

// usable returns what the caller gave for a parameter if it validates.
func usable(p *Prop, given *jsonvalue.Value) *jsonvalue.Value {
	if given == nil || given.Kind != jsonvalue.Object {
		return nil
	}
	own := given.Get(p.Name)
	if own == nil || jsonvalue.Absent(own) || !p.Shape.Valid(own) {
		return nil
	}
	return own
}

// sample returns a value for a shape, nil when none can be made up.
func sample(s *Shape, depth int) *jsonvalue.Value {
	if depth > maxSample {
		return nil
	}
	if (s.Types == 0 || s.Types.Has(TypeObject)) && (len(s.Props) > 0 || s.Types == TypeObject) {
		return sampleObject(s, nil, nil, depth)
	}
	return sampleNamed("", s, depth)
}

// sampleObject fills the parameters that s or also requires. given is the
// caller's own object, of which the usable parts are taken.
func sampleObject(s *Shape, also []string, given *jsonvalue.Value, depth int) *jsonvalue.Value {
	var fields []jsonvalue.Field
	for i := range s.Props {
		p := &s.Props[i]
		if own := usable(p, given); own != nil {
			fields = append(fields, jsonvalue.Field{Name: p.Name, Value: own})
			continue
		}
		if !s.Needs(p.Name) && !slices.Contains(also, p.Name) {
			continue
		}
		v := sampleNamed(p.Name, p.Shape, depth+1)
		if v == nil {
			return nil
		}
		fields = append(fields, jsonvalue.Field{Name: p.Name, Value: v})
	}
	return jsonvalue.NewObject(fields)
}

// sampleNamed makes up a value: what the schema offers, else one by type.
func sampleNamed(name string, s *Shape, depth int) *jsonvalue.Value {
	for _, v := range offered(s) {
		if s.Valid(v) && !jsonvalue.Absent(v) {
			return v
		}
	}
	for _, v := range byType(name, s, depth) {
		if v != nil && s.Valid(v) {
			return v
		}
	}
	for _, b := range s.Branches {
		if v := sample(b, depth+1); v != nil && s.Valid(v) {
			return v
		}
	}
	return nil
}

// offered lists the values that a schema itself names.
func offered(s *Shape) []*jsonvalue.Value {
	var out []*jsonvalue.Value
	if s.schema == nil {
		return nil
	}
	for _, e := range s.schema.Examples {
		out = append(out, valueOf(e))
	}
	if len(s.schema.Default) > 0 && json.Valid(s.schema.Default) {
		if v, err := jsonvalue.Parse(s.schema.Default); err == nil {
			out = append(out, v)
		}
	}
	return append(out, s.Allowed...)
}

func byType(name string, s *Shape, depth int) []*jsonvalue.Value {
	var out []*jsonvalue.Value
	if s.Types.Has(TypeText) {
		out = append(out, jsonvalue.NewText(sampleText(name, s)), jsonvalue.NewText("2025-01-31"), jsonvalue.NewText(strings.Repeat("text ", 8)))
	}
	if s.Types.Has(TypeInteger | TypeNumber) {
		out = append(out, jsonvalue.NewNumber("1"))
		for _, bound := range []*float64{s.Low, s.High} {
			if bound != nil {
				out = append(out, jsonvalue.NewNumber(strconv.FormatFloat(*bound, 'f', -1, 64)))
			}
		}
	}
	if s.Types.Has(TypeBool) {
		out = append(out, &jsonvalue.Value{Kind: jsonvalue.Bool, Bool: true})
	}
	if s.Types.Has(TypeList) && s.Items != nil {
		item := sample(s.Items, depth+1)
		if item == nil || item.Kind == jsonvalue.Text && len(s.Items.Allowed) == 0 && len(offered(s.Items)) == 0 {
			item = sampleNamed(spelling.Singular(name), s.Items, depth+1)
		}
		if item != nil {
			out = append(out, jsonvalue.NewList(item))
		}
	}
	if s.Types.Has(TypeList) {
		out = append(out, jsonvalue.NewList())
	}
	if s.Types.Has(TypeObject) && depth < maxSample {
		if v := sampleObject(s, nil, nil, depth+1); v != nil {
			out = append(out, v)
		}
	}
	return out
}

// sampleText is a text that looks like what the parameter is for.
func sampleText(name string, s *Shape) string {
	word := spelling.Letters(name)
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
