package repair

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"reflect"
	"slices"
	"testing"

	"evergreen/internal/repair/jsonvalue"
)

// This file measures repairs against broken calls to recorded schemas: most are
// put right, none is put wrong.

func ownTools(t testing.TB) []Tool {
	t.Helper()
	b, err := os.ReadFile("testdata/own-tools.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	tools, err := ReadTools(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

// tally counts what became of mutants.
type tally struct{ calls, right, refused, wrong int }

type tallies map[string]*tally

func (ts tallies) of(kind string) *tally {
	if ts[kind] == nil {
		ts[kind] = &tally{}
	}
	return ts[kind]
}

func (ts tallies) sum() tally {
	var all tally
	for _, t := range ts {
		all.calls += t.calls
		all.right += t.right
		all.refused += t.refused
		all.wrong += t.wrong
	}
	return all
}

func (t tally) String() string {
	return fmt.Sprintf("%6d calls, %6d right (%.2f %%), %5d refused, %d wrong", t.calls, t.right, 100*float64(t.right)/float64(max(1, t.calls)), t.refused, t.wrong)
}

// untouched fails when a valid call is not exact.
func untouched(t *testing.T, cat *Catalogue, name string, args map[string]any) {
	t.Helper()
	raw := `{"name":` + jsonText(name) + `,"arguments":` + jsonText(args) + `}`
	if got := Call([]byte(raw), cat); got.Outcome != Exact || string(got.Arguments) != jsonText(args) {
		t.Fatalf("a valid call was touched: %s\n%+v", raw, got)
	}
}

// judge runs one mutant and says whether it was right, refused or wrong. A
// mutant that is still valid is no mutant.
func judge(cat *Catalogue, s spec, m mutant) (res Result, verdict string) {
	raw := []byte(`{"name":` + jsonText(m.name) + `,"arguments":` + jsonText(m.args) + `}`)
	res = Call(raw, cat)
	if v, err := jsonvalue.Parse([]byte(jsonText(m.args))); err == nil && m.name == s.name && v.Kind == jsonvalue.Object && cat.byName[s.name].root.Valid(v) {
		if cat.ungated || len(misspelt(cat.byName[s.name].root, v)) == 0 {
			return res, "valid"
		}
	}
	switch {
	case res.Outcome == Refused:
		return res, "refused"
	case res.Name == s.name && reflect.DeepEqual(mustDecode(res.Arguments), mustDecode([]byte(jsonText(m.want)))):
		return res, "right"
	}
	return res, "wrong"
}

func mustDecode(b []byte) any {
	if len(b) == 0 {
		b = []byte("{}")
	}
	v, err := jsonvalue.Parse(b)
	if err != nil {
		panic(string(b))
	}
	return comparableOf(v)
}

// comparableOf is v as plain Go values with numbers as their literals.
func comparableOf(v *jsonvalue.Value) any {
	switch v.Kind {
	case jsonvalue.Number:
		return "number " + v.Text
	case jsonvalue.List:
		out := []any{}
		for _, e := range v.Items {
			out = append(out, comparableOf(e))
		}
		return out
	case jsonvalue.Object:
		out := map[string]any{}
		for _, f := range v.Fields {
			out[f.Name] = comparableOf(f.Value)
		}
		return out
	}
	return v.Plain()
}

// campaign breaks valid calls until enough mutants are judged.
func campaign(t *testing.T, cat *Catalogue, tools []Tool, enough int) tallies {
	r := rand.New(rand.NewSource(7))
	list, out, shown := specs(tools), tallies{}, 0
	for round := 0; out.sum().calls < enough; round++ {
		s := list[round%len(list)]
		args := s.arguments(r)
		if v, err := jsonvalue.Parse([]byte(jsonText(args))); err != nil || !cat.byName[s.name].root.Valid(v) {
			continue
		}
		if !cat.ungated {
			untouched(t, cat, s.name, args)
		}
		for _, m := range s.mutants(r, args) {
			res, verdict := judge(cat, s, m)
			n := out.of(m.kind)
			switch verdict {
			case "valid":
				continue
			case "right":
				n.right++
			case "refused":
				n.refused++
				if n.refused <= 3 && testing.Verbose() {
					t.Logf("refused (%s) %s %s\n%s", m.kind, m.name, jsonText(m.args), res.Refusal)
				}
			case "wrong":
				n.wrong++
				if shown++; shown <= 10 && !cat.ungated {
					t.Errorf("wrong (%s) %s %s\ngot  %s %s\nwant %s %s\n%+v", m.kind, m.name, jsonText(m.args), res.Name, res.Arguments, s.name, jsonText(m.want), res.Changes)
				}
			}
			n.calls++
		}
	}
	return out
}

// asRead gives the tools the operator's word that they only read.
func asRead(tools []Tool) []Tool {
	tools = slices.Clone(tools)
	for i := range tools {
		if tools[i].Destructive == nil || !*tools[i].Destructive {
			tools[i].Class = Read
		}
	}
	return tools
}

func report(t *testing.T, ts tallies) tally {
	for _, kind := range slices.Sorted(maps.Keys(ts)) {
		t.Logf("%-26s %s", kind, *ts[kind])
	}
	all := ts.sum()
	t.Logf("%-26s %s", "all", all)
	return all
}

func TestMutationsOfOwnTools(t *testing.T) {
	tools := ownTools(t)
	all := report(t, campaign(t, catalogue(t, tools), tools, 4000))
	if all.wrong > 0 || all.right*100 < all.calls*90 {
		t.Errorf("%v", all)
	}
}

func TestMutationsOfRealTools(t *testing.T) {
	tools := append(asRead(corpusTools(t, "real-tools.jsonl")), asRead(ownTools(t))...)
	all := report(t, campaign(t, catalogue(t, tools), tools, 45000))
	if all.wrong > 0 || all.right*100 < all.calls*96 {
		t.Errorf("%v, want at least 96 %% right and none wrong", all)
	}
}

// TestMutationsByAnnotation takes the tools as their servers annotate them: two
// in five are not said to be read-only, and names and keys are not guessed.
func TestMutationsByAnnotation(t *testing.T) {
	tools := append(corpusTools(t, "real-tools.jsonl"), ownTools(t)...)
	all := report(t, campaign(t, catalogue(t, tools), tools, 15000))
	if all.wrong > 0 || all.right*100 < all.calls*92 {
		t.Errorf("%v", all)
	}
}

// TestGate shows that the campaigns measure the validation gate: without it
// calls go on wrong.
func TestGate(t *testing.T) {
	tools := ownTools(t)
	cat := catalogue(t, tools)
	cat.ungated = true
	if all := report(t, campaign(t, cat, tools, 2000)); all.wrong == 0 {
		t.Error("no call went wrong with the gate off: the campaign proves nothing")
	}
}
