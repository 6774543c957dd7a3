package config

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// SchemaPath is where a server publishes the JSON Schema.
const SchemaPath = "/schema/config.json"

// durationPattern is what ParseDuration takes as a string, near enough to
// catch mistakes in an editor.
const durationPattern = `^([0-9]+|([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+)$`

// property is one JSON Schema object with its keys in a fixed order.
type property struct {
	Type        any              `json:"type,omitempty"`
	Description string           `json:"description,omitempty"`
	Enum        []string         `json:"enum,omitempty"`
	Pattern     string           `json:"pattern,omitempty"`
	Minimum     *int             `json:"minimum,omitempty"`
	Items       *property        `json:"items,omitempty"`
	Default     any              `json:"default,omitempty"`
	Examples    []any            `json:"examples,omitempty"`
	Properties  *json.RawMessage `json:"properties,omitempty"`
	Additional  *bool            `json:"additionalProperties,omitempty"`
}

// Schema returns the JSON Schema (draft 2020-12) of evergreen.json.
func Schema() []byte {
	text := `{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"` + SchemaPath + `",` +
		`"title":"evergreen.json","description":"Settings of Evergreen.","type":"object",` +
		`"properties":{"$schema":{"type":"string"},` + strings.Join(properties(""), ",") + `},"additionalProperties":false}`
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(text), "", "  "); err != nil {
		panic("config: the generated schema is no JSON: " + err.Error())
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// properties are the members of a section's object: its keys, then the sections
// in it. "" is the whole file.
func properties(section string) []string {
	var parts []string
	for _, k := range keys() {
		if in, name := splitName(k.name); in == section {
			parts = append(parts, quoted(name)+":"+k.propertyJSON())
		}
	}
	closed := false
	for _, s := range sections() {
		if in, name := splitName(s.name); s.name != "" && in == section {
			inner := json.RawMessage("{" + strings.Join(properties(s.name), ",") + "}")
			parts = append(parts, quoted(name)+":"+compact(property{Type: "object", Description: s.doc + ".",
				Properties: &inner, Additional: &closed}))
		}
	}
	return parts
}

// splitName parts the name of a key or section into the section that it is in and
// what it is called there.
func splitName(name string) (section, rest string) {
	dot := strings.LastIndexByte(name, '.')
	return name[:max(dot, 0)], name[dot+1:]
}

// jsonType names how the key is written in a file: string, integer, boolean,
// array or duration.
func (k key) jsonType() string {
	switch k.at(new(Config)).(type) {
	case *int:
		return "integer"
	case *bool:
		return "boolean"
	case *[]string:
		return "array"
	case *object:
		return "object"
	case *time.Duration:
		return "duration"
	}
	return "string"
}

// propertyJSON is the key's own part of the schema.
func (k key) propertyJSON() string {
	if o, ok := k.at(new(Config)).(*object); ok {
		return `{"description":` + quoted(k.doc) + `,` + strings.TrimPrefix(o.schema, "{")
	}
	return compact(k.property())
}

func (k key) property() property {
	p := property{Type: k.jsonType(), Description: k.doc, Enum: k.enum}
	if k.def != "" {
		p.Default = k.def
	}
	if k.example != "" {
		p.Examples = []any{k.example}
	}
	switch k.jsonType() {
	case "integer":
		least := 0
		if k.wrong("0") != "" {
			least = 1
		}
		p.Minimum = &least
		if n, err := strconv.Atoi(k.def); err == nil {
			p.Default = n
		}
	case "boolean":
		p.Default = k.def == "true"
	case "duration":
		p.Type = []string{"string", "integer"}
		p.Pattern = durationPattern
	case "array":
		p.Items = &property{Type: "string", Enum: k.enum}
		p.Enum = nil
		if k.example != "" {
			p.Examples = []any{[]string{k.example}}
		}
	}
	return p
}

func quoted(s string) string { return strconv.Quote(s) }

// compact writes v as JSON with '<', '>' and '&' as they are.
func compact(v any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic("config: " + err.Error())
	}
	return strings.TrimSpace(b.String())
}
