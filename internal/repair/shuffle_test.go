package repair

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// shuffledText writes a value as JSON with the keys of every object in random
// order.
func shuffledText(r *rand.Rand, v any) string {
	var b strings.Builder
	switch v := v.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		for i, k := range keys {
			fmt.Fprintf(&b, "%s%s:%s", []string{",", ""}[max(0, 1-i)], jsonText(k), shuffledText(r, v[k]))
		}
		return "{" + b.String() + "}"
	case []any:
		for i, e := range v {
			fmt.Fprintf(&b, "%s%s", []string{",", ""}[max(0, 1-i)], shuffledText(r, e))
		}
		return "[" + b.String() + "]"
	}
	return jsonText(v)
}

// shuffles repairs samples of broken calls again and again, with the tools and
// the keys of the call in another order each time.
func shuffles(t *testing.T, tools []Tool, samples, times int) {
	r := rand.New(rand.NewSource(3))
	cats := []*Catalogue{catalogue(t, tools)}
	for range 9 {
		other := slices.Clone(tools)
		r.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
		cats = append(cats, catalogue(t, other))
	}
	list := specs(tools)
	for n := 0; n < samples; n++ {
		s := list[r.Intn(len(list))]
		broken := s.mutants(r, s.arguments(r))
		m := broken[r.Intn(len(broken))]
		call := map[string]any{"name": m.name, "arguments": m.args, "_meta": map[string]any{"x": 1}}
		first := Call([]byte(jsonText(call)), cats[0])
		for i := range times {
			raw := shuffledText(r, call)
			got := Call([]byte(raw), cats[i%len(cats)])
			got.Arguments = canonical(t, got.Arguments) // untouched ones keep the caller's order
			if i == 0 {
				first.Arguments = canonical(t, first.Arguments)
			}
			if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", first) {
				t.Fatalf("%s\nfirst %+v\nnow   %+v", raw, first, got)
			}
		}
	}
}

func canonical(t *testing.T, b []byte) []byte {
	t.Helper()
	return []byte(jsonText(decoded(t, b)))
}

func TestShufflesOfOwnTools(t *testing.T) { shuffles(t, ownTools(t), 100, 20) }

func TestShufflesOfRealTools(t *testing.T) {
	shuffles(t, append(asRead(corpusTools(t, "real-tools.jsonl")), ownTools(t)...), 500, 100)
}
