package pack

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"evergreen"
	"evergreen/internal/text"
)

// rankedSection is a section of a document whose text has about the given
// tokens, in paragraphs.
func rankedSection(doc, name string, score float64, tokens int) evergreen.PackedEntry {
	var body strings.Builder
	for i := 0; text.Tokens(body.String()) < tokens; i++ {
		fmt.Fprintf(&body, "Paragraph %d says nothing.\n\n", i)
	}
	e := evergreen.Entry{ID: "c::" + doc + "::" + name + "#2", Title: name, Body: body.String(), Collection: "c", DocPath: doc}
	e.Tokens = text.Tokens(e.Title + "\n" + e.Body)
	return evergreen.PackedEntry{Entry: e, Score: score}
}

func titles(list []evergreen.PackedEntry) string {
	var out []string
	for _, p := range list {
		title := p.Title
		if p.Partial != nil {
			title += "…"
		}
		out = append(out, title)
	}
	return strings.Join(out, " ")
}

func TestFillShared(t *testing.T) {
	curated, also := entry("K", 100), entry("L", 100)
	curated.Score, also.Score = 9, 8.5
	for _, tt := range []struct {
		name          string
		ranked        []evergreen.PackedEntry
		budget, limit int
		packed, left  string
		truncated     bool
	}{
		{"what fits is whole",
			[]evergreen.PackedEntry{rankedSection("a", "A", 9, 500), rankedSection("a", "B", 8, 500), rankedSection("b", "C", 7, 500)}, 2000, 0,
			"A B C", "", false},
		{"a long best section leaves room for others",
			[]evergreen.PackedEntry{rankedSection("a", "A", 9, 5000), rankedSection("b", "B", 8, 200), rankedSection("c", "C", 7, 200)}, 2000, 0,
			"A… B C", "", true},
		{"what is left over goes to the best",
			[]evergreen.PackedEntry{rankedSection("a", "A", 9, 900), rankedSection("b", "B", 8, 900), rankedSection("c", "C", 7, 900)}, 2000, 0,
			"A B… C…", "", true},
		{"another document goes before the third section of one",
			[]evergreen.PackedEntry{rankedSection("a", "A", 9, 50), rankedSection("a", "B", 8, 50), rankedSection("a", "C", 7, 50), rankedSection("b", "D", 5, 50)}, 2000, 3,
			"A B D", "", false},
		{"a much better section goes before another document",
			[]evergreen.PackedEntry{rankedSection("a", "A", 9, 50), rankedSection("a", "B", 9, 50), rankedSection("b", "C", 5, 50)}, 2000, 2,
			"A B", "", false},
		{"curated entries are documents of their own",
			[]evergreen.PackedEntry{curated, also, rankedSection("b", "D", 8, 50)}, 2000, 2,
			"K L", "", false},
		{"the limit is no truncation",
			[]evergreen.PackedEntry{rankedSection("a", "A", 9, 50), rankedSection("b", "B", 8, 50)}, 2000, 1,
			"A", "", false},
		{"smaller ones are tried",
			[]evergreen.PackedEntry{rankedSection("a", "A", 9, 190), rankedSection("b", "B", 8, 300), rankedSection("c", "C", 7, 5)}, 300, 0,
			"A C", "B", true},
		{"a small budget is for the best",
			[]evergreen.PackedEntry{rankedSection("a", "A", 9, 300), rankedSection("b", "B", 8, 100)}, 200, 0,
			"A…", "B", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Fill(tt.ranked, Options{Budget: tt.budget, Limit: tt.limit, Shared: true})
			if err != nil {
				t.Fatal(err)
			}
			if titles(f.Packed) != tt.packed || titles(f.LeftOut) != tt.left || f.Truncated != tt.truncated {
				t.Errorf("packed %q, left out %q, truncated %v", titles(f.Packed), titles(f.LeftOut), f.Truncated)
			}
		})
	}
}

// The passage of a section that is cut is the one with the hits, also when it
// is not the best section.
func TestFillSharedCutsAroundTheHits(t *testing.T) {
	long := rankedSection("b", "B", 8, 3000)
	long.Body += "The needle is here.\n"
	f, err := Fill([]evergreen.PackedEntry{rankedSection("a", "A", 9, 100), long}, Options{Budget: 1000, Shared: true, Terms: []string{"needle"}})
	if err != nil || titles(f.Packed) != "A B…" {
		t.Fatalf("packed %q, %v", titles(f.Packed), err)
	}
	p := f.Packed[1]
	if !strings.Contains(p.Body, "needle") || long.Body[p.Partial.Offset:p.Partial.Offset+p.Partial.Bytes] != p.Body {
		t.Errorf("%+v is %q", *p.Partial, p.Body)
	}
	if f.Used < 900 || f.Used > 1000 {
		t.Errorf("used %d of 1000", f.Used)
	}
}

func TestFillSharedLoadsWhatItPacks(t *testing.T) {
	whole := map[string]evergreen.PackedEntry{}
	var ranked []evergreen.PackedEntry
	for i := range 20 {
		p := rankedSection(string(rune('a'+i)), string(rune('A'+i)), float64(20-i), 150)
		whole[p.ID] = p
		p.Body = ""
		ranked = append(ranked, p)
	}
	loaded := 0
	o := Options{Budget: 1000, Shared: true, Load: func(e *evergreen.Entry) error {
		loaded++
		e.Body = whole[e.ID].Body
		return nil
	}}
	f, err := Fill(ranked, o)
	if err != nil || loaded != len(f.Packed) || loaded < 6 {
		t.Errorf("loaded %d, packed %q, %v", loaded, titles(f.Packed), err)
	}
	broken := errors.New("broken")
	o.Load = func(*evergreen.Entry) error { return broken }
	if _, err := Fill(ranked, o); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

func TestFillSharedHolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		var ranked []evergreen.PackedEntry
		score, total := 100.0, 0
		for i := range rng.IntN(12) {
			score -= rng.Float64() * 5
			p := rankedSection(string(rune('a'+rng.IntN(4))), fmt.Sprint("S", i), score, 1+rng.IntN(700))
			total += p.Tokens + 7
			ranked = append(ranked, p)
		}
		o := Options{Budget: 200 + rng.IntN(2000), Limit: rng.IntN(5), Shared: true, Cost: func(evergreen.PackedEntry) int { return 7 }}
		f, err := Fill(ranked, o)
		if err != nil {
			t.Fatal(err)
		}
		used, cut := 0, 0
		for i, p := range f.Packed {
			used += p.Tokens
			if p.Partial != nil {
				cut++
			}
			if i > 0 && p.Score > f.Packed[i-1].Score {
				t.Fatalf("not in order of rank: %q", titles(f.Packed))
			}
		}
		switch {
		case used != f.Used || used+7*len(f.Packed) > o.Budget:
			t.Fatalf("used %d, said %d, of %d for %d entries", used, f.Used, o.Budget, len(f.Packed))
		case o.Limit > 0 && len(f.Packed) > o.Limit:
			t.Fatalf("%d entries, limit %d", len(f.Packed), o.Limit)
		case f.Truncated != (len(f.LeftOut)+cut > 0):
			t.Fatalf("truncated %v with %d left out and %d cut", f.Truncated, len(f.LeftOut), cut)
		case o.Limit == 0 && total <= o.Budget && (f.Truncated || len(f.Packed) != len(ranked)):
			t.Fatalf("%d of %d packed where everything fits", len(f.Packed), len(ranked))
		case len(ranked) > 0 && len(f.Packed) == 0:
			t.Fatal("nothing was packed")
		}
	}
}
