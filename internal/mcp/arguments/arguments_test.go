package arguments

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestArgumentsAreReadLeniently(t *testing.T) {
	for _, c := range []struct {
		name string
		raw  string
		read func(*Reader) any
		want any
		err  string
	}{
		{"integer", `{"limit":7}`, readLimit, 7, ""},
		{"integer as text", `{"limit":" 7 "}`, readLimit, 7, ""},
		{"whole float", `{"limit":7.0}`, readLimit, 7, ""},
		{"exponent", `{"limit":1e1}`, readLimit, 10, ""},
		{"zero", `{"limit":0}`, readLimit, 5, ""},
		{"null", `{"limit":null}`, readLimit, 5, ""},
		{"blank", `{"limit":" "}`, readLimit, 5, ""},
		{"fraction", `{"limit":7.5}`, readLimit, 5, "`limit` must be a whole number from 1 to 50, got 7.5"},
		{"beyond", `{"limit":51}`, readLimit, 5, "got 51"},
		{"edge", `{"limit":50}`, readLimit, 50, ""},
		{"huge", `{"limit":1e300}`, readLimit, 5, "got 1e300"},
		{"object", `{"limit":{"value":7}}`, readLimit, 5, "got an object"},

		{"budget below", `{"budget":-1}`, readBudget, 200, ""},
		{"budget beyond", `{"budget":"100000"}`, readBudget, 8000, ""},
		{"budget in words", `{"budget":"lots"}`, readBudget, 2000, "`budget` must be a whole number"},

		{"true", `{"verify":true}`, readVerify, true, ""},
		{"true as text", `{"verify":"True"}`, readVerify, true, ""},
		{"one", `{"verify":1}`, readVerify, true, ""},
		{"one as text", `{"verify":"1"}`, readVerify, true, ""},
		{"zero as text", `{"verify":"0"}`, readVerify, false, ""},
		{"yes", `{"verify":"yes"}`, readVerify, true, ""},
		{"on", `{"verify":" ON "}`, readVerify, true, ""},
		{"off", `{"verify":"off"}`, readVerify, false, ""},
		{"blank flag", `{"verify":""}`, readVerify, false, ""},
		{"no", `{"verify":"no"}`, readVerify, false, ""},
		{"maybe", `{"verify":"maybe"}`, readVerify, false, "`verify` must be true or false, got \"maybe\""},

		{"text", `{"query":" a "}`, readQuery, " a ", ""},
		{"number as text", `{"query":1.50}`, readQuery, "1.50", ""},
		{"one-element array", `{"query":["a"]}`, readQuery, "a", ""},
		{"own name before others", `{"topic":"b","query":"a"}`, readQuery, "a", ""},
		{"own name null", `{"topic":"b","query":null}`, readQuery, "b", ""},
		{"other spelling", `{"user_query":"b"}`, readQuery, "b", ""},
		{"JSON in a string", `"{\"query\":\"a\"}"`, readQuery, "a", ""},
		{"JSON in a string twice", `"\"{\\\"query\\\":\\\"a\\\"}\""`, readQuery, "a", ""},
		{"missing", `{}`, readQuery, "", "`query` is missing"},

		{"array", `{"ids":["a"," b ",""]}`, readIDs, []string{"a", "b"}, ""},
		{"numbers in array", `{"ids":[1,2]}`, readIDs, []string{"1", "2"}, ""},
		{"comma text", `{"ids":"a, b,\nc"}`, readIDs, []string{"a", "b", "c"}, ""},
		{"JSON text", `{"ids":"[\"a\",\"b\"]"}`, readIDs, []string{"a", "b"}, ""},
		{"comma inside a path", `{"ids":"c::a,b.md::x#1"}`, readIDs, []string{"c::a,b.md::x#1"}, ""},
		{"two section ids", `{"ids":"c::a.md::x#1,c::b.md::y#2"}`, readIDs, []string{"c::a.md::x#1", "c::b.md::y#2"}, ""},
		{"object in list", `{"ids":[{}]}`, readIDs, []string(nil), "`ids` must be a list of strings, got an array"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := Read(json.RawMessage(c.raw))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, c.read(a)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			err = a.Fault()
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("fault %v, want %q", err, c.err)
			}
		})
	}
}

func readLimit(a *Reader) any  { return a.Limit(5, 50) }
func readBudget(a *Reader) any { return a.Budget(2000) }
func readVerify(a *Reader) any { return a.Flag("verify") }
func readQuery(a *Reader) any  { return a.Required("query") }
func readIDs(a *Reader) any    { return a.List("ids") }

func TestArgumentsMustBeAnObject(t *testing.T) {
	for raw, want := range map[string]string{
		`["a"]`: "not an array", `7`: "not 7", `"words"`: "not words", `"\"[1]\""`: "not an array", `{"a":`: "",
	} {
		if _, err := Read(json.RawMessage(raw)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read(%s): %v, want %q", raw, err, want)
		}
	}
	for _, raw := range []string{``, `null`, `{}`, `"{}"`, `" null "`, `""`} {
		if a, err := Read(json.RawMessage(raw)); err != nil || a.Has("query") {
			t.Errorf("Read(%s): %v", raw, err)
		}
	}
}

func TestIDsAreBounded(t *testing.T) {
	for _, size := range []int{MaxIDBytes, MaxIDBytes + 1} {
		a, err := Read(json.RawMessage(`{"id":" ` + strings.Repeat("i", size) + ` "}`))
		if err != nil {
			t.Fatal(err)
		}
		if id := a.ID(); len(id) != size || (a.Fault() != nil) != (size > MaxIDBytes) {
			t.Errorf("an id of %d bytes: %v", size, a.Fault())
		}
	}
}

func TestAllFaultsAreReportedAtOnce(t *testing.T) {
	a, err := Read(json.RawMessage(`{"mode":"vector","verify":[],"limit":"many"}`))
	if err != nil {
		t.Fatal(err)
	}
	a.Required("query")
	a.Choice("mode", "auto", "bm25")
	a.Flag("verify")
	a.Limit(5, 50)
	const want = "`query` is missing; `mode` must be one of auto, bm25, got \"vector\"; " +
		"`verify` must be true or false, got an array; `limit` must be a whole number from 1 to 50, got \"many\""
	if err := a.Fault(); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`{"query":"a"}`, `null`, `"{}"`, `[1]`, `{"ids":"[\"a\"]"}`, `{"limit":"1e3"}`, `{"ids":[[["a"]]]}`, `{"budget":"1e9","limit":-1}`, `{`, ``} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			t.Skip() // the SDK hands on valid JSON only
		}
		a, err := Read(raw)
		if err != nil {
			return
		}
		for _, read := range []func(*Reader) any{readLimit, readBudget, readVerify, readQuery, readIDs} {
			read(a)
		}
		if n := a.Budget(2000); n < 200 || n > 8000 {
			t.Errorf("budget %d", n)
		}
	})
}
