package repair

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file says what is wrong with arguments, for people and models: path,
// what is expected, what is there.

// faults lists what keeps v from validating against s, at most maxFaults.
func faults(path string, v *value, s *shape) []string {
	var out []string
	collect(path, v, s, &out, 0)
	return out[:min(len(out), maxFaults)]
}

func collect(path string, v *value, s *shape, out *[]string, depth int) {
	if len(*out) >= maxFaults || depth > maxNesting || s.opaque {
		return
	}
	before := len(*out)
	switch {
	case v.kind == kindObject && (s.types == 0 || s.types.has(typeObject)):
		collectObject(path, v, s, out, depth)
	case v.kind == kindList && s.types.has(typeList) && s.items != nil:
		for i, e := range v.items {
			if !s.items.valid(e) {
				collect(path+"["+strconv.Itoa(i)+"]", e, s.items, out, depth+1)
			}
		}
	}
	if len(*out) > before || s.valid(v) {
		return
	}
	text := fmt.Sprintf("expected %s, got %s", expected(s), got(path, v))
	if v.kind == kindObject && s.types.has(typeObject) {
		text = "the parameters do not fit together" + alternatives(s)
	}
	*out = append(*out, place(path)+": "+text)
}

// alternatives lists what the branches of an object require.
func alternatives(s *shape) string {
	var out []string
	for _, b := range s.branches {
		if len(b.required) > 0 {
			out = append(out, strings.Join(b.required, " and "))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "; needed is " + strings.Join(out[:min(len(out), maxFaults)], ", or ")
}

func collectObject(path string, v *value, s *shape, out *[]string, depth int) {
	for _, name := range s.required {
		if v.get(name) == nil {
			want := "a value"
			if ps := s.shapeOf(name); ps != nil {
				want = expected(ps)
			}
			*out = append(*out, fmt.Sprintf("%s: missing, expected %s", place(join(path, name)), want))
		}
	}
	for _, f := range v.sorted() {
		at := join(path, f.name)
		ps := s.shapeOf(f.name)
		switch {
		case ps == nil && s.extra == closed:
			*out = append(*out, fmt.Sprintf("%s: not a parameter; there are %s", place(at), names(s)))
		case ps != nil && !ps.valid(f.v):
			collect(at, f.v, ps, out, depth+1)
		}
	}
}

func place(path string) string {
	if path == "" {
		return "arguments"
	}
	return shown(path)
}

// shown is a caller's key as it may be repeated: keys that hold JSON text or a
// credential are not.
func shown(key string) string {
	if strings.ContainsAny(key, "{}\"'=") || secret("", key) {
		return "…"
	}
	return cut(strings.ReplaceAll(key, "\n", " "), maxEcho)
}

// names lists the parameters of an object.
func names(s *shape) string {
	if len(s.props) == 0 {
		return "none"
	}
	var out []string
	for _, p := range s.props {
		out = append(out, p.name)
	}
	const most = 12
	if len(out) > most {
		out = append(out[:most], "…")
	}
	return strings.Join(out, ", ")
}

// expected describes what a shape takes.
func expected(s *shape) string {
	if len(s.allowed) > 0 {
		const most = 12
		var out []string
		for _, a := range s.allowed {
			if word := strings.Trim(string(a.appendJSON(nil)), `"`); !slices.Contains(out, word) {
				out = append(out, word)
			}
		}
		if len(out) > most {
			out = append(out[:most], "…")
		}
		return "one of " + strings.Join(out, ", ")
	}
	if s.types == 0 && len(s.branches) > 0 {
		var out []string
		for _, b := range s.branches {
			if word := expected(b); !slices.Contains(out, word) {
				out = append(out, word)
			}
		}
		return strings.Join(out[:min(len(out), maxFaults)], " or ")
	}
	return typeNames(s) + bounds(s)
}

func typeNames(s *shape) string {
	var out []string
	for _, t := range []struct {
		set  typeSet
		name string
	}{
		{typeText, "string"}, {typeNumber, "number"}, {typeInteger, "integer"}, {typeBool, "boolean"},
		{typeList, "array"}, {typeObject, "object"}, {typeNull, "null"},
	} {
		if s.types.has(t.set) && !(t.set == typeInteger && s.types.has(typeNumber)) {
			out = append(out, t.name)
		}
	}
	if len(out) == 0 {
		return "another value"
	}
	if s.types == typeList && s.items != nil && s.items.types != 0 {
		return "array of " + typeNames(s.items)
	}
	return strings.Join(out, " or ")
}

func bounds(s *shape) string {
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	switch {
	case s.low != nil && s.high != nil:
		return " from " + number(*s.low) + " to " + number(*s.high)
	case s.low != nil:
		return " of at least " + number(*s.low)
	case s.high != nil:
		return " of at most " + number(*s.high)
	case s.schema == nil:
		return ""
	case s.schema.Pattern != "":
		return " like " + cut(s.schema.Pattern, maxEcho)
	case s.schema.MinLength != nil && *s.schema.MinLength > 0:
		return " that is not empty"
	case s.schema.MinItems != nil && *s.schema.MinItems > 0:
		return " with at least " + strconv.Itoa(*s.schema.MinItems)
	}
	return ""
}

// got describes a value: its type, and itself when it is short and no secret.
func got(path string, v *value) string {
	switch v.kind {
	case kindText:
		if v.s == "" || !utf8.ValidString(v.s) || secret(path, v.s) {
			return "a string"
		}
		return "the string " + quote(strings.ReplaceAll(v.s, "\n", " "))
	case kindNumber:
		if secret(path, v.s) {
			return "a number"
		}
		return "the number " + cut(v.s, maxEcho)
	case kindList:
		return "an array of " + strconv.Itoa(len(v.items))
	case kindObject:
		return "an object"
	}
	return string(v.appendJSON(nil))
}

// secret reports whether a value must not be repeated: its name or its form
// says that it is a credential.
func secret(path, s string) bool {
	word := letters(path)
	for _, mark := range []string{"token", "password", "passwd", "secret", "apikey", "authorization", "credential", "cookie", "bearer", "privatekey", "accesskey", "passphrase"} {
		if strings.Contains(word, mark) && !strings.HasSuffix(word, "tokens") {
			return true
		}
	}
	return startsWithWord(s, "Bearer ", "Basic ", "sk-", "ghp_", "gho_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA", "eyJ", "-----BEGIN")
}
