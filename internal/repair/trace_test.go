package repair

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTrace(t *testing.T) {
	cat := catalogue(t, testTools(t))
	type step struct{ Stage, Code, After string }
	for _, c := range []struct {
		why, raw string
		outcome  Outcome
		want     []step
	}{
		{"a canonical call changes nothing", `{"name":"get_entry","arguments":{"id":"x"}}`, Exact, nil},
		{"every stage in the order of the ladder", `{"tool":"searchSections","args":"{\"q\":\"x\",\"limit\":\"5\"}"}`, Repaired, []step{
			{"envelope", EnvelopeName, `{"name":"searchSections","arguments":"{\"q\":\"x\",\"limit\":\"5\"}"}`},
			{"name", NameLetters, `{"name":"search_sections","arguments":"{\"q\":\"x\",\"limit\":\"5\"}"}`},
			{"container", ContainerDecoded, `{"name":"search_sections","arguments":{"q":"x","limit":"5"}}`},
			{"key", KeyAlias, `{"name":"search_sections","arguments":{"limit":"5","query":"x"}}`},
			{"value", ValueType, `{"name":"search_sections","arguments":{"limit":5,"query":"x"}}`},
		}},
		{"arguments beside the name are the envelope's", `{"name":"get_entry","id":"x"}`, Repaired, []step{
			{"envelope", EnvelopeFlat, `{"name":"get_entry","arguments":{"id":"x"}}`},
		}},
		{"a wrapper", `{"name":"get_entry","arguments":{"input":{"id":"x"}}}`, Repaired, []step{
			{"wrapper", WrapperPeeled, `{"name":"get_entry","arguments":{"id":"x"}}`},
		}},
		{"what was certain of a refused call", `{"tool":"get_entry","args":{}}`, Refused, []step{
			{"envelope", EnvelopeName, `{"name":"get_entry","arguments":{}}`},
		}},
		{"no JSON", `{"name":`, Refused, nil},
	} {
		res, steps := Trace([]byte(c.raw), cat)
		if res.Outcome != c.outcome {
			t.Errorf("%s: %s, want %s", c.why, res.Outcome, c.outcome)
		}
		var got []step
		for _, s := range steps {
			got = append(got, step{s.Stage, s.Changes[0].Code, string(s.After)})
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s:\n%s", c.why, d)
		}
	}
}

// TestTraceAgreesWithCall holds over every call of the specification by example
// that looking changes nothing, and that the steps form one way.
func TestTraceAgreesWithCall(t *testing.T) {
	in, err := os.ReadFile("testdata/calls.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	cat := catalogue(t, testTools(t))
	stages := map[string]int{}
	for line := range bytes.Lines(in) {
		var call struct{ Params json.RawMessage }
		if json.Unmarshal(line, &call) != nil {
			continue
		}
		var text string
		if json.Unmarshal(call.Params, &text) == nil {
			call.Params = []byte(text)
		}
		res, steps := Trace(call.Params, cat)
		if d := cmp.Diff(Call(call.Params, cat), res); d != "" {
			t.Errorf("%s: Trace finds something else\n%s", call.Params, d)
		}
		if res.Outcome == Repaired && len(steps) == 0 {
			t.Errorf("%s: repaired in no step", call.Params)
		}
		before := []byte(call.Params)
		for _, s := range steps {
			stages[s.Stage]++
			if !bytes.Equal(s.Before, before) {
				t.Errorf("%s: %s begins with %s, after %s", call.Params, s.Stage, s.Before, before)
			}
			before = s.After
		}
		if res.Outcome != Repaired {
			continue
		}
		if again := Call(before, cat); again.Outcome != Exact || again.Name != res.Name || !sameJSON(again.Arguments, res.Arguments) {
			t.Errorf("%s: the last step is %s, the call that runs %s %s", call.Params, before, res.Name, res.Arguments)
		}
	}
	for _, stage := range ladderOrder() {
		if stages[stage] == 0 {
			t.Errorf("no call of the specification shows stage %s", stage)
		}
	}
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && cmp.Equal(x, y)
}
