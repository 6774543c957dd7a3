package pack

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"evergreen"
	"evergreen/internal/text"
)

// entry is a curated entry of the given size.
func entry(id string, tokens int) evergreen.PackedEntry {
	return evergreen.PackedEntry{Entry: evergreen.Entry{ID: id, Title: id, Tokens: tokens, Curated: true}}
}

func ids(list []evergreen.PackedEntry) string {
	var out []string
	for _, p := range list {
		out = append(out, p.ID)
	}
	return strings.Join(out, " ")
}

func TestFill(t *testing.T) {
	ranked := []evergreen.PackedEntry{entry("a", 300), entry("b", 250), entry("c", 100), entry("d", 100), entry("e", 1)}
	for _, tt := range []struct {
		name          string
		budget, limit int
		packed, left  string
		used          int
		truncated     bool
	}{
		{"everything", 751, 0, "a b c d e", "", 751, false},
		{"one token short", 750, 0, "a b c d", "e", 750, true},
		{"smaller ones are tried", 401, 0, "a c e", "b d", 401, true},
		{"the best does not fit", 299, 0, "b e", "a c d", 251, true},
		{"the limit is no truncation", 751, 2, "a b", "", 550, false},
		{"the limit counts what is taken", 401, 2, "a c", "b", 400, true},
		{"nothing fits", 0, 0, "", "a b c d e", 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Fill(ranked, Options{Budget: tt.budget, Limit: tt.limit})
			if err != nil {
				t.Fatal(err)
			}
			if ids(f.Packed) != tt.packed || ids(f.LeftOut) != tt.left {
				t.Errorf("packed %q, left out %q", ids(f.Packed), ids(f.LeftOut))
			}
			if f.Used != tt.used || f.Truncated != tt.truncated {
				t.Errorf("used %d, truncated %v", f.Used, f.Truncated)
			}
		})
	}
}

func TestFillNothing(t *testing.T) {
	f, err := Fill(nil, Options{Budget: 200})
	if err != nil || f.Packed == nil || len(f.Packed) != 0 || f.Truncated {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestFillNamesTheFirstLeftOut(t *testing.T) {
	var ranked []evergreen.PackedEntry
	for i := range maxLeftOut + 2 {
		ranked = append(ranked, entry(string(rune('a'+i)), 500))
	}
	f, err := Fill(ranked, Options{Budget: 200})
	if err != nil || ids(f.LeftOut) != "a b c d e" {
		t.Errorf("left out %q, %v", ids(f.LeftOut), err)
	}
}

func TestFillReservesAndCharges(t *testing.T) {
	f, err := Fill([]evergreen.PackedEntry{entry("a", 100), entry("b", 100)}, Options{
		Budget: 240, Reserve: 20, Cost: func(evergreen.PackedEntry) int { return 11 },
	})
	if err != nil || ids(f.Packed) != "a" || f.Used != 100 || !f.Truncated {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestFillLoadsOnlyWhatIsPacked(t *testing.T) {
	var loaded []string
	load := func(e *evergreen.Entry) error {
		loaded = append(loaded, e.ID)
		e.Body = strings.Repeat("word ", 100)
		return nil
	}
	ranked := []evergreen.PackedEntry{entry("a", 150), entry("b", 900), entry("c", 0), entry("d", 20)}
	f, err := Fill(ranked, Options{Budget: 200, Load: load})
	if err != nil {
		t.Fatal(err)
	}
	// c has no known size and must be read to be counted.
	if diff := cmp.Diff([]string{"a", "c", "d"}, loaded); diff != "" {
		t.Errorf("loaded (-want +got):\n%s", diff)
	}
	if ids(f.Packed) != "a d" || f.Packed[0].Body == "" {
		t.Errorf("packed %q", ids(f.Packed))
	}
	if ranked[0].Body != "" {
		t.Error("the caller's entries were changed")
	}
	broken := errors.New("broken")
	if _, err := Fill(ranked, Options{Budget: 200, Load: func(*evergreen.Entry) error { return broken }}); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

func TestFillPacksAPassageOfTheBest(t *testing.T) {
	body := strings.Repeat("Filler text that says nothing.\n\n", 100) + "The needle is here.\n\n" + strings.Repeat("More filler.\n\n", 50)
	best := evergreen.PackedEntry{Entry: evergreen.Entry{ID: "a", Title: "A", Body: body}}
	best.Tokens = text.Tokens(best.Title + "\n" + body)
	second := best
	second.ID = "b"
	o := Options{Budget: 200, Passages: true, Terms: []string{"needle"}}
	f, err := Fill([]evergreen.PackedEntry{best, second, entry("c", 5)}, o)
	if err != nil {
		t.Fatal(err)
	}
	if !f.Truncated || ids(f.LeftOut) != "b c" {
		t.Errorf("truncated %v, left out %q", f.Truncated, ids(f.LeftOut))
	}
	p := f.Packed[0]
	if p.ID != "a" || !strings.Contains(p.Body, "needle") || p.Partial == nil {
		t.Fatalf("packed %+v", p)
	}
	if got := body[p.Partial.Offset : p.Partial.Offset+p.Partial.Bytes]; got != p.Body || p.Partial.Total != len(body) {
		t.Errorf("partial %+v is %q, body %q", *p.Partial, got, p.Body)
	}
	if p.Tokens != text.Tokens("A\n"+p.Body) || f.Used > 200 || p.Tokens < 150 {
		t.Errorf("%d tokens, used %d", p.Tokens, f.Used)
	}
	o.Passages = false
	if f, _ = Fill([]evergreen.PackedEntry{best, entry("c", 5)}, o); ids(f.Packed) != "c" {
		t.Errorf("without passages: packed %q", ids(f.Packed))
	}
}

func TestFillHolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		var ranked []evergreen.PackedEntry
		for i := range rng.IntN(12) {
			ranked = append(ranked, entry(string(rune('a'+i)), 1+rng.IntN(400)))
		}
		o := Options{Budget: 200 + rng.IntN(800), Limit: rng.IntN(5)}
		f, err := Fill(ranked, o)
		if err != nil {
			t.Fatal(err)
		}
		used := 0
		for _, p := range f.Packed {
			used += p.Tokens
		}
		switch {
		case used != f.Used || used > o.Budget:
			t.Fatalf("used %d, said %d, budget %d", used, f.Used, o.Budget)
		case o.Limit > 0 && len(f.Packed) > o.Limit:
			t.Fatalf("%d entries, limit %d", len(f.Packed), o.Limit)
		case f.Truncated != (len(f.LeftOut) > 0):
			t.Fatalf("truncated %v with %d left out", f.Truncated, len(f.LeftOut))
		case !f.Truncated && o.Limit == 0 && len(f.Packed) != len(ranked):
			t.Fatalf("%d of %d packed without truncation", len(f.Packed), len(ranked))
		}
	}
}
