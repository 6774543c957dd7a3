package jsonvalue

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
	"testing"
)

// want is what encoding/json makes of data.
func wantMembers(data []byte) (map[string]json.RawMessage, bool) {
	var m map[string]json.RawMessage
	err := json.Unmarshal(data, &m)
	return m, err == nil && m != nil
}

func equalMembers(m Members, want map[string]json.RawMessage) bool {
	for name, value := range want {
		if !bytes.Equal(m.Get(name), value) {
			return false
		}
	}
	return maps.EqualFunc(m.Map(), want, func(x, y json.RawMessage) bool { return bytes.Equal(x, y) })
}

func membersSeeds() []string {
	return []string{
		`{}`, ` { } `, `{"a":1}`, `{"a":1,"a":2}`, `{"a":{"b":[1,2,{"c":null}]},"d":"x"}`, "{\"a\" :\t1 ,\n\"b\": true}",
		`{"\u0061":1,"a":2}`, `{"搜索":"你"}`, "{\"a\xff\":1}", `{"a":"\ud800"}`, `{"a":"\"\\\/\b\f\n\r\t"}`,
		`{"a":-0.5e+10}`, `{"a":false,"b":null}`, `{"":0}`,
		``, ` `, `null`, `7`, `[]`, `"x"`, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{,}`, `{"a":1}}`, `{"a":1} x`, `{a:1}`,
		`{"a":01}`, `{"a":+1}`, `{"a":.5}`, `{"a":1.}`, `{"a":1e}`, `{"a":tru}`, `{"a":nul`, `{"a":"\x"}`, `{"a":"\u00g0"}`, `{"a":"\u00`, "{\"a\":\"\n\"}",
		`{"a":[1 2]}`, `{"a":[1,]}`, `{"a":[,]}`, `{"a":[`, `{"a" 1}`, `{"a":1 "b":2}`, `{"a":"`, `{"a":"\`,
		`{"a":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`,
		`{"a":` + strings.Repeat("[", maxScanned-1) + strings.Repeat("]", maxScanned-1) + `}`,
		`{"a":` + strings.Repeat("[", maxScanned) + strings.Repeat("]", maxScanned) + `}`,
		`{"a":` + strings.Repeat(`{"b":`, maxScanned-1) + "1" + strings.Repeat("}", maxScanned-1) + `}`,
		`{"a":` + strings.Repeat(`{"b":`, maxScanned) + "1" + strings.Repeat("}", maxScanned) + `}`,
	}
}

func TestMembersAreFoundByTheirLastName(t *testing.T) {
	m, ok := MembersOf([]byte(`{"a":1,"\u0061":2,"b":null}`), nil)
	if !ok || len(m) != 3 || string(m.Get("a")) != "2" || string(m.Get("b")) != "null" {
		t.Errorf("%s, %v", m, ok)
	}
	if v, ok := m.Find("c"); ok || v != nil {
		t.Errorf("found %s", v)
	}
	if m, ok := MembersOf([]byte(`{}`), nil); !ok || m == nil {
		t.Error("an empty object is no object")
	}
}

func TestMembersReadAsEncodingJSONDoes(t *testing.T) {
	for _, s := range membersSeeds() {
		want, wantOK := wantMembers([]byte(s))
		got, ok := MembersOf([]byte(s), nil)
		if ok != wantOK || ok && !equalMembers(got, want) {
			t.Errorf("%.60q (%d bytes): %d members, %v; want %d, %v", s, len(s), len(got), ok, len(want), wantOK)
		}
	}
}

func FuzzMembers(f *testing.F) {
	for _, s := range membersSeeds() {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		want, wantOK := wantMembers(data)
		got, ok := MembersOf(data, make(Members, 0, 2))
		if ok != wantOK || ok && !equalMembers(got, want) {
			t.Errorf("%.200q: %.200q %v, want %.200q %v", data, got, ok, want, wantOK)
		}
	})
}

// AppendQuoted writes what encoding/json reads as the same text.
func FuzzAppendQuoted(f *testing.F) {
	for _, s := range []string{"", "plain", "a\"b\\c\n\t\r\x00\x1f\x7f", "搜索 <&> \u2028", "\xff\xfe a", "a\xe4\xb8", "😀x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		quoted := AppendQuoted([]byte("x"), s)
		var got string
		if err := json.Unmarshal(quoted[1:], &got); err != nil || got != strings.ToValidUTF8(s, "\uFFFD") && got != eachInvalid(s) {
			t.Errorf("%q: %s: %q, %v", s, quoted, got, err)
		}
	})
}

// eachInvalid is s with every invalid byte as U+FFFD.
func eachInvalid(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(r)
	}
	return b.String()
}

// What Skim reads, Parse reads too, with the same bytes everywhere.
func TestSkimAgreesWithParse(t *testing.T) {
	meta := func(name string) bool { return name == "_meta" }
	nested := func(n int) string {
		return `{"_meta":` + strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) + `}`
	}
	for s, want := range map[string]bool{
		`{"name":"x","_meta":{"a":{"b":[1,"\u00e9"]},"a":2},"arguments":{"_meta":{"c":1}}}`: true,
		`{"_meta":7,"_meta":{}}`: true, `{"_meta":[{"a":1}]}`: true, `[1]`: true, ` {} `: true,
		`{"_meta":{"a":}}`: false, `{"_meta":{"a":1}`: false, `{"_meta":{}} x`: false, `{"_meta":{"a":"\q"}}`: false,
		nested(MaxNesting - 2): true, nested(MaxNesting): false, nested(MaxNesting + 1): false,
	} {
		v, ok := Skim([]byte(s), meta)
		whole, err := Parse([]byte(s))
		if ok != want || ok && err != nil {
			t.Errorf("%.60s: skimmed %v, parsed %v", s, ok, err)
			continue
		}
		if !ok {
			continue
		}
		if len(v.Fields) != len(whole.Fields) || v.Kind != whole.Kind {
			t.Errorf("%.60s: %+v, want %+v", s, v, whole)
		}
		for i, f := range whole.Fields {
			g := v.Fields[i]
			if g.Name != f.Name || g.Value.Kind != f.Value.Kind || !bytes.Equal(g.Value.Raw, f.Value.Raw) {
				t.Errorf("%.60s: %s is %s, want %s", s, g.Name, g.Value.Raw, f.Value.Raw)
			}
			if g.Name == "arguments" && len(g.Value.Fields) != len(f.Value.Fields) {
				t.Errorf("%.60s: the arguments have %d members", s, len(g.Value.Fields))
			}
		}
	}
}
