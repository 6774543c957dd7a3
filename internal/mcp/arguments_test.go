package mcp

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
		read func(*arguments) any
		want any
		err  string
	}{
		{"integer", `{"limit":7}`, readLimit, 7, ""},
		{"integer as text", `{"limit":" 7 "}`, readLimit, 7, ""},
		{"whole float", `{"limit":7.0}`, readLimit, 7, ""},
		{"exponent", `{"limit":1e1}`, readLimit, 10, ""},
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
			a, err := readArguments(json.RawMessage(c.raw))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, c.read(a)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			err = a.fault()
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("fault %v, want %q", err, c.err)
			}
		})
	}
}

func readLimit(a *arguments) any  { return a.number("limit", 5, 1, 50) }
func readBudget(a *arguments) any { return a.budget(2000) }
func readVerify(a *arguments) any { return a.flag("verify") }
func readQuery(a *arguments) any  { return a.required("query") }
func readIDs(a *arguments) any    { return a.list("ids") }

func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`{"query":"a"}`, `null`, `"{}"`, `[1]`, `{"ids":"[\"a\"]"}`, `{"limit":"1e3"}`, `{"ids":[[["a"]]]}`, `{`, ``} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			t.Skip() // the SDK hands on valid JSON only
		}
		a, err := readArguments(raw)
		if err != nil {
			return
		}
		for _, read := range []func(*arguments) any{readLimit, readBudget, readVerify, readQuery, readIDs} {
			read(a)
		}
		if n := a.budget(2000); n < 200 || n > 8000 {
			t.Errorf("budget %d", n)
		}
	})
}

func TestLanguageOfAnswers(t *testing.T) {
	for _, c := range []struct {
		query, accept string
		want          lang
	}{
		{"token budget", "", "en"},
		{"幻觉 引用", "", "zh"},
		{"token 预算", "", "zh"},
		{"React useState 的", "", "en"},
		{"how to 引用", "", "en"},
		{"", "zh-CN,en;q=0.8", "zh"},
		{"", "en,zh", "en"},
		{"", "", "en"},
	} {
		if got := langOf(c.query, c.accept); got != c.want {
			t.Errorf("langOf(%q, %q) = %s, want %s", c.query, c.accept, got, c.want)
		}
	}
}
