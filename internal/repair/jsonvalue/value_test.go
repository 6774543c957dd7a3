package jsonvalue

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// TestParseAgreesWithEncodingJSON reads what encoding/json reads, to the same
// values, and nothing else.
func TestParseAgreesWithEncodingJSON(t *testing.T) {
	for _, in := range []string{
		`{}`, `[]`, `""`, `0`, `-0`, `1.5e+3`, `true`, `false`, `null`, ` [1, {"a" : "b"}] `, `"\u00e9\n\"\\\/"`, `"\ud83d\ude00"`,
		`{"a":1,"a":2}`, `[[],{}]`, "\"\u2028\"", `"` + "\xff" + `"`,
		``, ` `, `{`, `[`, `"`, `{"a"}`, `{"a":}`, `{"a":1,}`, `[1,]`, `[,1]`, `{a:1}`, `01`, `1.`, `.5`, `-`, `+1`, `1e`, `0x1`, `tru`, `nul`, `truex`,
		`{} {}`, `"\x"`, `"\u12"`, "\"\n\"", "\"\x00\"", `'a'`, `[1 2]`, `{"a":1 "b":2}`, `NaN`, `1 2`, "\ufeff{}",
	} {
		v, err := Parse([]byte(in))
		if valid := json.Valid([]byte(in)); (err == nil) != valid {
			t.Errorf("parse(%q) = %v, encoding/json says valid %v", in, err, valid)
			continue
		}
		if err != nil {
			continue
		}
		var want, built any
		if err := json.Unmarshal([]byte(in), &want); err != nil {
			t.Fatal(err)
		}
		bare := stripped(v)
		if err := json.Unmarshal(bare.AppendJSON(nil), &built); err != nil || !reflect.DeepEqual(want, built) {
			t.Errorf("%q was rebuilt as %s (%v)", in, bare.AppendJSON(nil), err)
		}
		if raw := string(v.AppendJSON(nil)); raw != strings.TrimSpace(in) {
			t.Errorf("%q lost its bytes: %q", in, raw)
		}
	}
}

// stripped is v without its source bytes.
func stripped(v *Value) *Value {
	c := *v
	c.Raw, c.Items, c.Fields = nil, nil, nil
	for _, e := range v.Items {
		c.Items = append(c.Items, stripped(e))
	}
	for _, f := range v.Sorted() {
		c.Fields = append(c.Fields, Field{f.Name, stripped(f.Value)})
	}
	return &c
}

func TestPlainNumbers(t *testing.T) {
	for in, want := range map[string]any{
		"5": int64(5), "5.0": 5.0, "9007199254740993": int64(9007199254740993), "1e400": math.MaxFloat64, "-1e400": -math.MaxFloat64,
		"1e-400": 0.0, "12345678901234567890": 12345678901234567890.0,
	} {
		if got := plainNumber(in); got != want {
			t.Errorf("plainNumber(%s) = %v, want %v", in, got, want)
		}
	}
}

func TestDuplicate(t *testing.T) {
	many := `{"a":{"b":[{"k0":1`
	for i := range 40 {
		many += `,"n` + strconv.Itoa(i) + `":1`
	}
	for in, want := range map[string]string{
		`{"a":1,"a":2}`: "a", `{"a":1,"a":1}`: "", `{"a":{"x":1,"y":2},"a":{"y":2,"x":1}}`: "", `{"a":[{"b":1,"b":2}]}`: "a[0].b",
		many + `,"k0":2}]}}`: "a.b[0].k0", many + `}]}}`: "",
	} {
		v, err := Parse([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		if got, found := v.Duplicate(""); got != want || found != (want != "") {
			t.Errorf("%s: %q %v, want %q", in, got, found, want)
		}
	}
}
