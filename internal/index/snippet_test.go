package index

import (
	"math/rand/v2"
	"strings"
	"testing"

	"evergreen/internal/text"
)

// What a matcher passes over by its first letters must not be asked for: all
// terms of a plain word begin as it does.
func TestPlainWordsBeginAsTheirTerms(t *testing.T) {
	words := strings.Fields("skis skies dying lying tying idly gently ugly early only singly sky news howe atlas cosmos bias andes " +
		"inning outing canning herring earring proceed exceed succeed generously communal arsenal hopping falling ties cries " +
		"Saying buying year Yes eye oxen oedipus agreed feed bled luxuriating abating nationally knightly hoping")
	ends := []string{"", "s", "es", "ies", "ied", "ed", "ing", "ingly", "ly", "ness", "ational", "ization", "fulness", "ment", "y"}
	rng := rand.New(rand.NewPCG(7, 8))
	for range 20_000 {
		var w strings.Builder
		for range 1 + rng.IntN(7) {
			w.WriteByte("aeiouy bcdfghklmnprstvwxz"[rng.IntN(25)])
		}
		words = append(words, strings.ReplaceAll(w.String(), " ", "e")+ends[rng.IntN(len(ends))])
	}
	plain := 0
	for _, w := range words {
		pair, ok := plainFirstTwo(w)
		if !ok {
			continue
		}
		plain++
		terms := text.Expand(w, false)
		for _, term := range append(terms.Base, terms.Extra...) {
			word := strings.TrimLeft(term, text.ExactPrefix+text.PartPrefix+text.WholePrefix)
			if got, ok := firstTwo(word); (!ok || got != pair) && word != strings.ToLower(w[:1]) {
				t.Errorf("%s has the term %q", w, term)
			}
		}
	}
	if plain < len(words)/2 {
		t.Errorf("only %d of %d words are plain", plain, len(words))
	}
}

func TestMatches(t *testing.T) {
	body := "Lying lies: useEffect runs Effects; k8s pods' IP, max_bytes. 防止幻觉 Ids and the Rotated keys, Oed"
	for q, want := range map[string]string{
		"lie":              "Lying lies",
		"effect":           "useEffect Effects",
		"useEffect":        "useEffect Effects",
		"k8s pod":          "k8s pods",
		"max bytes":        "max_bytes",
		"max_bytes":        "max_bytes",
		"幻":                "止幻 幻觉",
		"rotating the key": "Rotated keys",
		"nothing":          "",
		"o":                "Oed",
	} {
		m := ParseQuery(q).Matcher()
		for range 2 { // as remembered, too
			var got []string
			for _, s := range m.Matches(body, 100) {
				got = append(got, body[s.Start:s.End])
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s: %q, want %q", q, strings.Join(got, " "), want)
			}
		}
		if got := m.Matches(body, 1); len(got) > 1 {
			t.Errorf("%s: %v beyond the limit", q, got)
		}
	}
}
