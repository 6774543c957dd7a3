package jsonvalue

import (
	"bytes"
	"encoding/json"
)

// This file takes objects apart without building values: who only passes parts
// of a message on needs no more than where they lie.

// Member is one member of an object: its name, decoded, and its value as it
// stands.
type Member struct{ Name, Value json.RawMessage }

// Members are those of one object in their order. Of several equal names the last
// one counts, as encoding/json decodes an object into a map.
type Members []Member

// Find returns the member of a name; ok is false when there is none.
func (m Members) Find(name string) (value json.RawMessage, ok bool) {
	for i := len(m) - 1; i >= 0; i-- {
		if string(m[i].Name) == name {
			return m[i].Value, true
		}
	}
	return nil, false
}

// Get returns the member of a name, nil when there is none.
func (m Members) Get(name string) json.RawMessage {
	value, _ := m.Find(name)
	return value
}

// Map returns the members by name.
func (m Members) Map() map[string]json.RawMessage {
	out := make(map[string]json.RawMessage, len(m))
	for _, member := range m {
		out[string(member.Name)] = member.Value
	}
	return out
}

// MembersOf returns the members of the JSON object that data is, appended to room
// and never nil. Names and values are parts of data where no escape stands in
// between. ok is false when data is not valid JSON or no object.
func MembersOf(data []byte, room Members) (members Members, ok bool) {
	s := scanner{data}
	i := s.space(0)
	if i == len(data) || data[i] != '{' {
		return nil, false
	}
	if members = room; members == nil {
		members = Members{}
	}
	end, ok := s.object(i, 1, func(name, value []byte) bool {
		key := name[1 : len(name)-1 : len(name)-1]
		if bytes.ContainsFunc(name, coded) {
			var decoded string
			if json.Unmarshal(name, &decoded) != nil {
				return false
			}
			key = []byte(decoded)
		}
		members = append(members, Member{key, value})
		return true
	})
	if !ok || s.space(end) != len(data) {
		return nil, false
	}
	return members, true
}

// coded tells what may not stand in a name as it is: an escape, and what may be
// no UTF-8.
func coded(r rune) bool { return r == '\\' || r >= 0x80 }

// scanner finds the ends of JSON values. Its methods take and return places in
// data; ok is false where data is no JSON.
type scanner struct{ data []byte }

func (s scanner) space(i int) int {
	for i < len(s.data) && (s.data[i] == ' ' || s.data[i] == '\t' || s.data[i] == '\n' || s.data[i] == '\r') {
		i++
	}
	return i
}

// value finds the end of the value that begins at i, within depth others.
func (s scanner) value(i, depth int) (end int, ok bool) {
	if i >= len(s.data) {
		return i, false
	}
	c := s.data[i]
	if depth >= maxScanned && (c == '{' || c == '[') {
		return i, false
	}
	switch c {
	case '{':
		return s.object(i, depth+1, nil)
	case '[':
		return s.list(i, depth+1)
	case '"':
		return s.string(i)
	case 't':
		return s.word(i, "true")
	case 'f':
		return s.word(i, "false")
	case 'n':
		return s.word(i, "null")
	}
	n := NumberLength(s.data[i:])
	return i + n, n > 0
}

func (s scanner) word(i int, word string) (end int, ok bool) {
	end = i + len(word)
	return end, end <= len(s.data) && string(s.data[i:end]) == word
}

// object finds the end of an object and hands every member to each, if there is
// one, the name with its quotes.
func (s scanner) object(i, depth int, each func(name, value []byte) bool) (end int, ok bool) {
	if i = s.space(i + 1); i < len(s.data) && s.data[i] == '}' {
		return i + 1, true
	}
	for {
		begin := i
		if i >= len(s.data) || s.data[i] != '"' {
			return i, false
		}
		if i, ok = s.string(i); !ok {
			return i, false
		}
		name := s.data[begin:i]
		if i = s.space(i); i >= len(s.data) || s.data[i] != ':' {
			return i, false
		}
		begin = s.space(i + 1)
		if i, ok = s.value(begin, depth); !ok || each != nil && !each(name, s.data[begin:i:i]) {
			return i, false
		}
		if i = s.space(i); i >= len(s.data) || s.data[i] != ',' {
			return i + 1, i < len(s.data) && s.data[i] == '}'
		}
		i = s.space(i + 1)
	}
}

func (s scanner) list(i, depth int) (end int, ok bool) {
	if i = s.space(i + 1); i < len(s.data) && s.data[i] == ']' {
		return i + 1, true
	}
	for {
		if i, ok = s.value(i, depth); !ok {
			return i, false
		}
		if i = s.space(i); i >= len(s.data) || s.data[i] != ',' {
			return i + 1, i < len(s.data) && s.data[i] == ']'
		}
		i = s.space(i + 1)
	}
}

func (s scanner) string(i int) (end int, ok bool) {
	for i++; i < len(s.data); i++ {
		switch c := s.data[i]; {
		case c == '"':
			return i + 1, true
		case c < 0x20:
			return i, false
		case c == '\\':
			if i++; i >= len(s.data) {
				return i, false
			}
			switch s.data[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				if i+4 >= len(s.data) || !hexadecimal(s.data[i+1:i+5]) {
					return i, false
				}
				i += 4
			default:
				return i, false
			}
		}
	}
	return i, false
}

func hexadecimal(digits []byte) bool {
	for _, c := range digits {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
			return false
		}
	}
	return true
}
