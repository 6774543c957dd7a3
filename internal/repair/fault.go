package repair

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"evergreen/internal/repair/jsonvalue"
	"evergreen/internal/repair/shape"
	"evergreen/internal/repair/spelling"
)

// This file says what is wrong with arguments, for people and models: path,
// what is expected, what is there.

// faults lists what keeps v from validating against s, at most maxFaults.
func faults(path string, v *jsonvalue.Value, s *shape.Shape) []string {
	var out []string
	collect(path, v, s, &out, 0)
	return out[:min(len(out), maxFaults)]
}

func collect(path string, v *jsonvalue.Value, s *shape.Shape, out *[]string, depth int) {
	if len(*out) >= maxFaults || depth > jsonvalue.MaxNesting || s.Opaque {
		return
	}
	before := len(*out)
	switch {
	case v.Kind == jsonvalue.Object && (s.Types == 0 || s.Types.Has(shape.TypeObject)):
		collectObject(path, v, s, out, depth)
	case v.Kind == jsonvalue.List && s.Types.Has(shape.TypeList) && s.Items != nil:
		for i, e := range v.Items {
			if !s.Items.Valid(e) {
				collect(path+"["+strconv.Itoa(i)+"]", e, s.Items, out, depth+1)
			}
		}
	}
	if len(*out) > before || s.Valid(v) {
		return
	}
	text := fmt.Sprintf("expected %s, got %s", shape.Expected(s), got(path, v))
	if v.Kind == jsonvalue.Object && s.Types.Has(shape.TypeObject) {
		text = "the parameters do not fit together" + alternatives(s)
	}
	*out = append(*out, place(path)+": "+text)
}

// alternatives lists what the branches of an object require.
func alternatives(s *shape.Shape) string {
	var out []string
	for _, b := range s.Branches {
		if len(b.Required) > 0 {
			out = append(out, strings.Join(b.Required, " and "))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "; needed is " + strings.Join(out[:min(len(out), maxFaults)], ", or ")
}

func collectObject(path string, v *jsonvalue.Value, s *shape.Shape, out *[]string, depth int) {
	for _, name := range s.Required {
		if v.Get(name) == nil {
			want := "a value"
			if ps := s.Of(name); ps != nil {
				want = shape.Expected(ps)
			}
			*out = append(*out, fmt.Sprintf("%s: missing, expected %s", place(jsonvalue.Join(path, name)), want))
		}
	}
	for _, f := range v.Sorted() {
		at := jsonvalue.Join(path, f.Name)
		ps := s.Of(f.Name)
		switch {
		case ps == nil && s.Extra == shape.Closed:
			*out = append(*out, fmt.Sprintf("%s: not a parameter; there are %s", place(at), names(s)))
		case ps != nil && !ps.Valid(f.Value):
			collect(at, f.Value, ps, out, depth+1)
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
	return spelling.Cut(strings.ReplaceAll(key, "\n", " "), maxEcho)
}

// names lists the parameters of an object.
func names(s *shape.Shape) string {
	if len(s.Props) == 0 {
		return "none"
	}
	var out []string
	for _, p := range s.Props {
		out = append(out, p.Name)
	}
	const most = 12
	if len(out) > most {
		out = append(out[:most], "…")
	}
	return strings.Join(out, ", ")
}

// got describes a value: its type, and itself when it is short and no secret.
func got(path string, v *jsonvalue.Value) string {
	switch v.Kind {
	case jsonvalue.Text:
		if v.Text == "" || !utf8.ValidString(v.Text) || secret(path, v.Text) {
			return "a string"
		}
		return "the string " + quote(strings.ReplaceAll(v.Text, "\n", " "))
	case jsonvalue.Number:
		if secret(path, v.Text) {
			return "a number"
		}
		return "the number " + spelling.Cut(v.Text, maxEcho)
	case jsonvalue.List:
		return "an array of " + strconv.Itoa(len(v.Items))
	case jsonvalue.Object:
		return "an object"
	}
	return string(v.AppendJSON(nil))
}

// secret reports whether a value must not be repeated: its name or its form
// says that it is a credential.
func secret(path, s string) bool {
	word := spelling.Letters(path)
	for _, mark := range []string{"token", "password", "passwd", "secret", "apikey", "authorization", "credential", "cookie", "bearer", "privatekey", "accesskey", "passphrase"} {
		if strings.Contains(word, mark) && !strings.HasSuffix(word, "tokens") {
			return true
		}
	}
	return spelling.HasAnyPrefix(s, "Bearer ", "Basic ", "sk-", "ghp_", "gho_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA", "eyJ", "-----BEGIN")
}
