package jsonvalue

import (
	"strings"
	"testing"
)

// TestTolerantBound reads damaged text at the bound and beyond it, at once and
// in pieces.
func TestTolerantBound(t *testing.T) {
	damaged := func(n int, fill string) string {
		return "{'query': '" + strings.Repeat(fill, n-len("{'query': ''}")) + "'}"
	}
	for _, c := range []struct {
		why   string
		texts []string
		want  Reading
	}{
		{"at the bound", []string{damaged(maxTolerant, "x")}, ReadContainer},
		{"beyond it", []string{damaged(maxTolerant+1, "x")}, ReadDamaged},
		{"together beyond it", []string{damaged(maxTolerant, "x"), damaged(20, "y")}, ReadDamaged},
		{"the same again", []string{damaged(maxTolerant, "x"), damaged(maxTolerant, "x")}, ReadContainer},
	} {
		var r Reader
		var got Reading
		for _, s := range c.texts {
			_, _, got = r.Read(s)
		}
		if got != c.want {
			t.Errorf("%s: %v, want %v", c.why, got, c.want)
		}
	}
}

// TestRead names what texts turn out to be.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		text, want string
		reading    Reading
	}{
		{`{"a":1}`, `{"a":1}`, ReadContainer},
		{"\ufeff [1, 2] ", `[1, 2]`, ReadContainer},
		{"```json\n{\"a\":1}\n```", `{"a":1}`, ReadContainer},
		{"~~~\n[1]\n~~~", `[1]`, ReadContainer},
		{`{'a': True, 'b': None, "c": [False,],}`, `{"a":true,"b":null,"c":[false]}`, ReadContainer},
		{`{a: 1, b: "x"}`, `{"a":1,"b":"x"}`, ReadContainer},
		{`{"path":"C:\Users"}`, `{"path":"C:\\Users"}`, ReadContainer},
		{`{"a":1}{"a":1}`, `{"a":1}`, ReadContainer},
		{`{"a":1} and so on`, `{"a":1}`, ReadContainer},
		{`{"a":1}{"a":2}`, ``, ReadDiffering},
		{`{"a":1} or [2]`, ``, ReadDiffering},
		{`{"a":1`, ``, ReadTruncated},
		{`{"a":"x`, ``, ReadTruncated},
		{`['a', 'b'`, ``, ReadTruncated},
		{`{'a', 'b'}`, ``, ReadDamaged},
		{`[1] is the first`, ``, ReadNothing},
		{`[docs] how to {x}`, ``, ReadNothing},
		{`{placeholder}`, ``, ReadNothing},
		{`plain text`, ``, ReadNothing},
		{``, ``, ReadNothing},
	} {
		v, _, got := new(Reader).Read(c.text)
		if got != c.reading {
			t.Errorf("%s: %v, want %v", c.text, got, c.reading)
		}
		if v == nil {
			continue
		}
		if want, err := Parse([]byte(c.want)); err != nil || !Same(v, want) {
			t.Errorf("%s was read as %s", c.text, v.AppendJSON(nil))
		}
	}
}

// FuzzTextReader holds that the tolerant reader adds no letters and ends.
func FuzzTextReader(f *testing.F) {
	for _, seed := range []string{`{"a":1}`, "```json\n[1]\n```", `{'a': "it's", 'b': None,}`, `{a: 1 /* x */}`, `[1][1]`, `{"a":1}{`, `["\u00e9\n"]`, `{"a":"C:\dir"}`, `[“a”]`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, how, reading := new(Reader).Read(s)
		if (v != nil) != (reading == ReadContainer) || (how == "") != (v == nil) {
			t.Fatalf("%v %q %v", v, how, reading)
		}
		if v == nil {
			return
		}
		out := v.AppendJSON(nil)
		if back, err := Parse(out); err != nil || !Same(v, back) {
			t.Fatalf("%s does not read back", out)
		}
		if strings.HasPrefix(how, "damaged") && len(letterTrail(string(out))) > len(s)+len("null")*strings.Count(string(out), "null") {
			t.Fatalf("%q grew to %s", s, out)
		}
	})
}
