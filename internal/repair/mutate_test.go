package repair

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"evergreen/internal/repair/spelling"
)

// This file makes valid calls from schemas, and breaks them in the ways that
// agents do.

// spec is a tool with its schema as plain JSON.
type spec struct {
	name     string
	props    map[string]map[string]any
	keys     []string
	required map[string]bool
}

func specs(tools []Tool) []spec {
	var out []spec
	for _, t := range tools {
		var s struct {
			Properties map[string]map[string]any
			Required   []string
		}
		if json.Unmarshal(t.Schema, &s) != nil {
			panic(t.Name)
		}
		sp := spec{name: t.Name, props: s.Properties, keys: slices.Sorted(maps.Keys(s.Properties)), required: map[string]bool{}}
		for _, k := range s.Required {
			sp.required[k] = true
		}
		out = append(out, sp)
	}
	return out
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.Intn(len(list))] }

// arguments makes valid arguments: all required ones, a fair share of the rest.
func (s spec) arguments(r *rand.Rand) map[string]any {
	a := map[string]any{}
	for _, k := range s.keys {
		if s.required[k] || r.Intn(3) == 0 {
			if v := instance(r, s.props[k], false); v != nil {
				a[k] = v
			}
		}
	}
	return a
}

// instance makes a value for a schema, nil where a pattern forbids it.
func instance(r *rand.Rand, s map[string]any, item bool) any {
	if c, ok := s["const"]; ok {
		return c
	}
	if e, ok := s["enum"].([]any); ok {
		return pick(r, e...)
	}
	if b, ok := s["anyOf"].([]any); ok {
		return instance(r, b[0].(map[string]any), item)
	}
	switch s["type"] {
	case "string":
		switch {
		case s["pattern"] != nil:
			return nil
		case s["format"] == "uri":
			return "https://a.example/x?y=1&z=2"
		case item:
			return pick(r, "rust async", "a.example", "https://a.example/x", "climate", "docs/**", "C++20 modules")
		}
		return pick(r, "rust async", "go generics", "k8s operator", "what is MCP?", "it's \"quoted\"", "EG-101", "007", "12",
			"true", "None of these", "[1,2]", "{\"a\":1}", "a, b and c", "你好 世界", "C:\\dir\\new", "  padded  ", "line\nbreak", "<b>&amp;</b>")
	case "integer", "number":
		low, high := 1.0, 9.0
		if m, ok := s["minimum"].(float64); ok {
			low = max(m, 1)
		}
		if m, ok := s["maximum"].(float64); ok {
			high = m
		}
		if s["type"] == "number" && (high <= 1 || s["maximum"] == nil && r.Intn(3) == 0) {
			return json.Number(pick(r, "0.5", "0.25"))
		}
		return json.Number(strconv.Itoa(int(low) + r.Intn(int(high-low)+1)))
	case "boolean":
		return r.Intn(2) == 0
	case "array":
		var list []any
		for range 1 + r.Intn(2) {
			v := instance(r, s["items"].(map[string]any), true)
			if v == nil {
				return nil
			}
			list = append(list, v)
		}
		return list
	}
	return nil
}

// mutant is a broken call and the arguments that it stands for.
type mutant struct {
	kind string
	name string
	args any
	want map[string]any
}

func camel(s string) string {
	words := spelling.Tokens(s)
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
	}
	return strings.Join(words, "")
}

func mapKeys(a map[string]any, f func(string) string) map[string]any {
	out := map[string]any{}
	for k, v := range a {
		out[f(k)] = v
	}
	return out
}

func jsonText(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

// mutants breaks one valid call in every way that applies to it.
func (s spec) mutants(r *rand.Rand, a map[string]any) []mutant {
	var out []mutant
	add := func(kind, name string, args any, changed bool) {
		if changed {
			out = append(out, mutant{kind, name, args, a})
		}
	}
	add("name camel", camel(s.name), a, camel(s.name) != s.name)
	swapped := strings.NewReplacer("_", "-", "-", "_").Replace(s.name)
	add("name kebab", swapped, a, swapped != s.name)
	add("name prefix", pick(r, "mcp__evergreen__", "evergreen.", "functions.", "mcp_")+s.name, a, true)
	add("name typo", typo(r, s.name), a, true)
	add("args string", s.name, jsonText(a), true)
	add("args double", s.name, jsonText(jsonText(a)), true)
	add("args wrapped", s.name, map[string]any{pick(r, "input", "arguments", "params", "kwargs"): a}, s.props["input"] == nil && len(a) > 0)
	add("args python", s.name, python(a), len(a) > 0)
	add("keys camel", s.name, mapKeys(a, camel), len(a) > 0)
	add("keys upper", s.name, mapKeys(a, strings.ToUpper), len(a) > 0)
	aliased, changed := s.aliased(r, a)
	add("keys alias", s.name, aliased, changed)
	mistyped, changed := s.mistyped(r, a)
	add("keys typo", s.name, mistyped, changed)
	return append(out, s.valueMutants(r, a)...)
}

// typo makes one edit inside a token of a name.
func typo(r *rand.Rand, s string) string {
	for {
		i := 1 + r.Intn(len(s)-2)
		if len(spelling.Letters(s[i:i+2])) < 2 {
			continue
		}
		var t string
		switch r.Intn(4) {
		case 0:
			t = s[:i] + s[i+1:]
		case 1:
			t = s[:i] + string(s[i]) + s[i:]
		case 2:
			t = s[:i] + string(s[i+1]) + string(s[i]) + s[i+2:]
		default:
			t = s[:i] + "x" + s[i+1:]
		}
		if t != s {
			return t
		}
	}
}

func (s spec) aliased(r *rand.Rand, a map[string]any) (map[string]any, bool) {
	others := map[string][]string{
		"query": {"q", "search_query", "prompt", "search"}, "limit": {"max_results", "count", "topK"}, "count": {"limit", "num_results"},
		"numResults": {"limit", "max_results"}, "url": {"uri", "link"}, "path": {"file_path", "filePath", "file"}, "id": {"entry_id", "identifier"},
		"urls": {"url"}, "max_results": {"limit", "n"},
	}
	for _, k := range s.keys {
		if _, given := a[k]; !given || others[k] == nil || !s.required[k] {
			continue
		}
		if alias := pick(r, others[k]...); s.props[alias] == nil {
			m := maps.Clone(a)
			m[alias] = m[k]
			delete(m, k)
			return m, true
		}
	}
	return nil, false
}

func (s spec) mistyped(r *rand.Rand, a map[string]any) (map[string]any, bool) {
	var long []string
	for _, k := range s.keys {
		if _, given := a[k]; given && len(k) >= 5 && s.required[k] {
			long = append(long, k)
		}
	}
	if len(long) == 0 {
		return nil, false
	}
	k := pick(r, long...)
	m := maps.Clone(a)
	wrong := typo(r, k)
	if s.props[wrong] != nil {
		return nil, false
	}
	m[wrong] = m[k]
	delete(m, k)
	return m, true
}

// valueMutants breaks values. want differs from a where the broken call says
// something else than a does.
func (s spec) valueMutants(r *rand.Rand, a map[string]any) []mutant {
	var out []mutant
	each := func(kind string, f func(k string, v any) (any, bool)) {
		m, changed := maps.Clone(a), false
		for _, k := range s.keys {
			v, given := a[k]
			if !given {
				v = missingValue{}
			}
			if n, did := f(k, v); did {
				m[k], changed = n, true
			}
		}
		if changed {
			out = append(out, mutant{kind, s.name, m, a})
		}
	}
	each("values strings", func(_ string, v any) (any, bool) {
		switch v := v.(type) {
		case json.Number:
			return v.String(), true
		case bool:
			return pick(r, strconv.FormatBool(v), strings.ToUpper(strconv.FormatBool(v)[:1])+strconv.FormatBool(v)[1:]), true
		case []any:
			return pick(r, jsonText(v), python(v)), true
		}
		return nil, false
	})
	each("values scalar for array", func(_ string, v any) (any, bool) {
		list, ok := v.([]any)
		if ok = ok && len(list) == 1; ok {
			return list[0], true
		}
		return nil, false
	})
	each("values null optional", func(k string, v any) (any, bool) { return nil, v == missingValue{} && !s.required[k] })
	each("values empty enum", func(k string, v any) (any, bool) {
		return "", v == missingValue{} && !s.required[k] && s.props[k]["enum"] != nil
	})
	each("values enum case", func(k string, v any) (any, bool) {
		word, ok := v.(string)
		if !ok || s.props[k]["enum"] == nil {
			return nil, false
		}
		other := pick(r, strings.ToUpper(word), strings.ToLower(word), strings.ReplaceAll(word, "-", "_"))
		return other, other != word
	})
	for _, k := range s.keys {
		if p := s.props[k]; s.required[k] && p["type"] == "string" && p["enum"] == nil && p["format"] == nil {
			m, want := maps.Clone(a), maps.Clone(a)
			digits := pick(r, "20250101", "9007199254740993", "12.50", "1000000")
			m[k], want[k] = json.Number(digits), digits
			out = append(out, mutant{"values number for string", s.name, m, want})
			break
		}
	}
	return out
}

type missingValue struct{}

// python writes a value as Python's repr does.
func python(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return strings.ToUpper(strconv.FormatBool(v)[:1]) + strconv.FormatBool(v)[1:]
	case json.Number:
		return v.String()
	case string:
		return pythonString(v)
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, python(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case map[string]any:
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, pythonString(k)+": "+python(v[k]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	panic(fmt.Sprintf("%T", v))
}

func pythonString(s string) string {
	quote := "'"
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = `"`
	}
	var b strings.Builder
	b.WriteString(quote)
	for _, r := range s {
		switch {
		case r == '\\' || string(r) == quote:
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String() + quote
}
