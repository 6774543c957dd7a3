package site

// This file holds a JSON object whose members keep their order, and small
// functions on words.

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// ordered is a JSON object written in the order of its members.
type ordered[T any] []member[T]

type member[T any] struct {
	name  string
	value T
}

// MarshalJSON writes the members as they stand.
func (o ordered[T]) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := encode(m.value, "")
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(bytes.TrimSuffix(value, []byte("\n")))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// find returns the value of a member, which is added when it is missing.
func (o *ordered[T]) find(name string) *T {
	for i := range *o {
		if (*o)[i].name == name {
			return &(*o)[i].value
		}
	}
	var zero T
	*o = append(*o, member[T]{name, zero})
	return &(*o)[len(*o)-1].value
}

func sorted(set map[string]bool) []string {
	names := make([]string, 0, len(set))
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// isEmail tells an address from a URL or a name.
func isEmail(s string) bool {
	user, host, ok := strings.Cut(s, "@")
	return ok && user != "" && strings.Contains(host, ".") && !strings.ContainsAny(s, " /:<>")
}
