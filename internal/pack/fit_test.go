package pack

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"evergreen"
	"evergreen/internal/text"
)

// TestMarkdownKeepsEveryBudget is the promise of MCP answers: whatever is in
// the library and whatever is asked, the whole text costs at most its budget,
// by either estimator.
func TestMarkdownKeepsEveryBudget(t *testing.T) {
	estimators := map[string]text.Estimator{"heuristic": text.Tokens, "o200k": text.NewBPE()}
	rng := rand.New(rand.NewPCG(5, 6))
	rounds := 120
	if testing.Short() {
		rounds = 20
	}
	for round := range rounds {
		ranked, topic := randomEntries(rng)
		lang := []string{evergreen.LangEnglish, evergreen.LangChinese}[round%2]
		budget := evergreen.MinBudget + rng.IntN(900)
		if round%10 == 0 {
			budget = evergreen.MinBudget
		}
		for name, estimate := range estimators {
			for _, whole := range []bool{true, false} {
				b, err := Bundle(Request{
					Query: evergreen.Query{Topic: topic, Budget: budget}, Lang: lang, Ranked: ranked, Matched: round%3 > 0,
					Suggestions: []string{topic, "budget"}, Rules: []string{"Cite every claim.", strings.Repeat("规则", rng.IntN(40))},
					WholeText: whole, Estimate: estimate,
				})
				if err != nil {
					t.Fatal(err)
				}
				what := fmt.Sprintf("round %d, %s, whole %v, budget %d", round, name, whole, budget)
				checkText(t, what, b, budget, estimate, len(b.Entries) > 0 || whole && len(ranked) > 0)
			}
		}
	}
}

func checkText(t *testing.T, what string, b evergreen.Bundle, budget int, estimate text.Estimator, some bool) {
	t.Helper()
	s, fitted := Fit(b, budget, estimate)
	if n := estimate(s); n > budget {
		t.Errorf("%s: %d tokens: %q", what, n, s)
	}
	if !utf8.ValidString(s) {
		t.Errorf("%s: not UTF-8: %q", what, s)
	}
	if fitted.EntryCount != len(fitted.Entries) || len(fitted.Citations) != len(fitted.Entries) {
		t.Errorf("%s: %d entries, %d citations, count %d", what, len(fitted.Entries), len(fitted.Citations), fitted.EntryCount)
	}
	if some && len(fitted.Entries) == 0 {
		t.Errorf("%s: nothing is left of %d entries", what, len(b.Entries))
	}
	used := 0
	for i, p := range fitted.Entries {
		used += p.Tokens
		if !strings.Contains(s, fitted.Citations[i].Marker) {
			t.Errorf("%s: %s is not in the text", what, fitted.Citations[i].Marker)
		}
	}
	if used != fitted.UsedTokens {
		t.Errorf("%s: %d tokens used, said %d", what, used, fitted.UsedTokens)
	}
	if fitted.Truncated != (len(fitted.LeftOut) > 0 || len(fitted.Entries) > 0 && fitted.Entries[0].Partial != nil) {
		t.Errorf("%s: truncated %v with %d left out", what, fitted.Truncated, len(fitted.LeftOut))
	}
}

// randomEntries makes curated entries and sections of hostile shapes.
func randomEntries(rng *rand.Rand) (ranked []evergreen.PackedEntry, topic string) {
	parts := []string{"token ", "预算", "\n\n", "```js\n", "# Heading\n", "- item\n", "<!--\n", "𠮷", "| a | b |\n", strings.Repeat("x", 60), strings.Repeat("字", 90), ". ", "\r\n", "\t"}
	some := func(n int) string {
		var s strings.Builder
		for range rng.IntN(n + 1) {
			s.WriteString(parts[rng.IntN(len(parts))])
		}
		return s.String()
	}
	for i := range rng.IntN(9) {
		e := evergreen.Entry{ID: fmt.Sprintf("K-%d", i), Title: some(3), Body: some(1 << rng.IntN(9)), Confidence: 0.5, Curated: true}
		if i%2 == 1 {
			e.ID, e.Curated, e.Collection = fmt.Sprintf("docs::a/%d.md::s#1", i), false, "docs"
		}
		e.Tokens = text.Tokens(e.Title + "\n" + e.Body)
		ranked = append(ranked, evergreen.PackedEntry{Entry: e, Score: float64(100 - i), Relevance: 1})
	}
	return ranked, some(4)
}

func TestFitDropsTheLastEntries(t *testing.T) {
	b := sample()
	b.Entries[0].Body = strings.Repeat("Raise the budget. ", 20)
	b.Entries[0].Tokens, b.UsedTokens = 105, 1415
	b.Entries[1].Body = strings.Repeat("Return a function. ", 240)
	s, fitted := Fit(b, 240, nil)
	if len(fitted.Entries) != 1 || fitted.Entries[0].ID != "EG-202" || fitted.Entries[0].Partial != nil {
		t.Fatalf("left %v", fitted.Entries)
	}
	if !fitted.Truncated || fitted.LeftOut[0].ID != b.Entries[1].ID || fitted.LeftOut[1].ID != "EG-101" || fitted.UsedTokens != 105 {
		t.Errorf("left out %+v, used %d", fitted.LeftOut, fitted.UsedTokens)
	}
	if !strings.Contains(s, "Left out: "+fitted.LeftOut[0].Marker) {
		t.Errorf("the text does not name what was dropped: %q", s)
	}
	if len(b.Entries) != 2 || len(b.LeftOut) != 1 {
		t.Error("the caller's bundle was changed")
	}
}

func TestFitCutsTheFirstEntry(t *testing.T) {
	b := sample()
	b.Entries, b.Citations, b.LeftOut, b.EntryCount = b.Entries[:1], b.Citations[:1], nil, 1
	b.Query.Topic = "needle"
	body := strings.Repeat("Nothing here.\n\n", 100) + "The needle.\n\n" + strings.Repeat("Nothing there.\n\n", 100)
	b.Entries[0].Body, b.Entries[0].Tokens = body, text.Tokens(body)
	s, fitted := Fit(b, 300, nil)
	p := fitted.Entries[0]
	if p.Partial == nil || p.Partial.Total != len(body) || body[p.Partial.Offset:p.Partial.Offset+p.Partial.Bytes] != p.Body {
		t.Fatalf("partial %+v of %q", p.Partial, p.Body)
	}
	if !strings.Contains(s, "The needle.") || !strings.Contains(s, "passage of") || text.Tokens(s) < 200 {
		t.Errorf("%d tokens: %q", text.Tokens(s), s)
	}
}

func TestFitLastResort(t *testing.T) {
	b := sample()
	for i := range b.Citations {
		b.Citations[i].Marker = "[" + strings.Repeat("M", 2000) + "]"
	}
	s, fitted := Fit(b, 200, nil)
	if n := text.Tokens(s); n > 200 || n < 20 || len(fitted.Entries) != 0 {
		t.Errorf("%d tokens, %d entries: %q", n, len(fitted.Entries), s)
	}
	if !strings.HasPrefix(s, "# Results for token 预算\n\nNo entry fits into this budget.\n") {
		t.Errorf("got %q", s)
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add("token 预算", "Budgets", "Raise it.\n\n```js\nx\n", "EG-1", 200, true)
	f.Add("", "\n", strings.Repeat("字", 900), "c::d.md::s#1", 333, false)
	f.Add("\x00", strings.Repeat("t", 900), "<!--", "\xff", 8000, true)
	f.Add("x", "字", "y", strings.Repeat("i字", 300), 200, true)
	f.Fuzz(func(t *testing.T, topic, title, body, id string, budget int, whole bool) {
		if budget < evergreen.MinBudget || budget > evergreen.MaxBudget {
			t.Skip()
		}
		p := evergreen.PackedEntry{Entry: evergreen.Entry{ID: id, Title: title, Body: body, Confidence: 0.5}, Score: 1, Relevance: 1}
		q := p
		q.ID, q.Score = id+"2", 0.5
		b, err := Bundle(Request{
			Query: evergreen.Query{Topic: topic, Budget: budget}, Ranked: []evergreen.PackedEntry{p, q},
			Matched: true, Rules: []string{title}, WholeText: whole,
		})
		if err != nil {
			t.Fatal(err)
		}
		if n := text.Tokens(Markdown(b, budget, nil)); n > budget {
			t.Errorf("%d tokens, budget %d", n, budget)
		}
	})
}

func BenchmarkMarkdown(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 8))
	ranked, topic := randomEntries(rng)
	for b.Loop() {
		bundle, err := Bundle(Request{Query: evergreen.Query{Topic: topic, Budget: 2000}, Ranked: ranked, Matched: true, WholeText: true})
		if err != nil {
			b.Fatal(err)
		}
		Markdown(bundle, 2000, nil)
	}
}
