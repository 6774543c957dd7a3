package repair

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"evergreen/internal/repair/jsonvalue"
)

// TestLimits calls right at each bound and one beyond it.
func TestLimits(t *testing.T) {
	cat := catalogue(t, append(testTools(t), hostileTools()...))
	pad := func(params string, size int) string { return params + strings.Repeat(" ", size-len(params)) }
	entry := `{"name":"get_entry","arguments":{"id":"x"}}`
	nest := func(n int) string {
		return `{"name":"no_schema","arguments":{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}}`
	}
	encode := func(n int) string {
		text := `{"id":"x"}`
		for range n {
			b, err := json.Marshal(text)
			if err != nil {
				t.Fatal(err)
			}
			text = string(b)
		}
		return `{"name":"get_entry","arguments":` + text + `}`
	}
	keys := func(n int) string {
		var b strings.Builder
		for i := range n - 1 {
			fmt.Fprintf(&b, `"k%d":1,`, i)
		}
		return `{"name":"files__read_text","arguments":{` + b.String() + `"file":"/a"}}`
	}
	name := func(n int) string {
		return `{"name":"get_entry<|` + strings.Repeat("x", n-11) + `","arguments":{"id":"x"}}`
	}
	items := func(n int) string {
		return `{"name":"get_section","arguments":{"ids":[` + strings.TrimSuffix(strings.Repeat("1,", n), ",") + `]}}`
	}
	for _, c := range []struct {
		bound, within, beyond string
	}{
		{"body", pad(entry, maxBody), pad(entry, maxBody+1)},
		{"nesting", nest(jsonvalue.MaxNesting - 2), nest(jsonvalue.MaxNesting + 1)},
		{"decoding", encode(maxDecode), encode(maxDecode + 3)},
		{"keys", keys(maxKeys), keys(maxKeys + 1)},
		{"name", name(maxName), name(maxName + 1)},
		{"steps", items(maxSteps / 2), items(2 * maxSteps)},
	} {
		if got := Call([]byte(c.within), cat); got.Outcome == Refused {
			t.Errorf("%s: refused within its bound: %s", c.bound, got.Refusal)
		}
		if got := Call([]byte(c.beyond), cat); got.Outcome != Refused {
			t.Errorf("%s: %s beyond its bound", c.bound, got.Outcome)
		}
	}
}

// TestManyKeysAreExact checks that the bound on keys is one of repair only.
func TestManyKeysAreExact(t *testing.T) {
	var b strings.Builder
	for i := range 4 * maxKeys {
		fmt.Fprintf(&b, `"k%d":1,`, i)
	}
	raw := `{"name":"files__read_text","arguments":{` + b.String() + `"path":"/a"}}`
	if got := Call([]byte(raw), catalogue(t, testTools(t))); got.Outcome != Exact {
		t.Errorf("%s", got.Refusal)
	}
}

func TestTextBounds(t *testing.T) {
	cat := catalogue(t, testTools(t))
	long := strings.Repeat("wörd ", 400)
	for _, params := range []string{
		`{"name":"searchContext","args":{"q":"` + long + `","max_results":"5","a` + long + `":1,"b` + long + `":1}}`,
		`{"name":"` + long[:300] + `","arguments":{}}`,
		`{"name":"tracker__create_ticket","arguments":{"` + long + `":1,"title":5,"labels":[1,2,3,4,5,6,7,8,9,{}],"options":{"x":"` + long + `"}}}`,
		`{"name":"files__read_text","arguments":{"file":"/a","list":[` + strings.Repeat(`"`+long+`",`, 50) + `1]}}`,
	} {
		got := Call([]byte(params), cat)
		if len(got.Hint) > maxHint || len(got.Short) > maxShort || len(got.Refusal) > maxRefusal || len(got.AfterError()) > maxHint {
			t.Errorf("%d, %d, %d bytes", len(got.Hint), len(got.Short), len(got.Refusal))
		}
		if got.Outcome == Repaired && !strings.Contains(got.Hint, `Canonical call: {"name":"`+got.Name) {
			t.Errorf("the hint lost its call: %s", got.Hint)
		}
		if n := strings.Count(got.Refusal, "\n- "); n > maxFaults {
			t.Errorf("%d faults", n)
		}
	}
}
