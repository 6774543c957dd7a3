package pack

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"evergreen"
	"evergreen/internal/text"
)

func TestBundle(t *testing.T) {
	first := evergreen.Entry{ID: "EG-202", Category: "rule", Title: "Budgets", Summary: "s", Body: "b", Tokens: 300,
		Confidence: 0.98, Updated: "2026-11-30", Curated: true}
	second := evergreen.Entry{ID: "c::d.md::s#1", Title: "S", Tokens: 400, Collection: "c", Confidence: 1, Tags: []string{"x"}}
	b, err := Bundle(Request{
		Query:            evergreen.Query{Topic: "token 预算", Budget: 600, Category: "rule", Limit: 5, Lang: "auto"},
		Lang:             evergreen.LangChinese,
		Ranked:           []evergreen.PackedEntry{{Entry: first, Score: 9.5, Relevance: 1}, {Entry: second, Score: 1, Relevance: 0.105}},
		Matched:          true,
		Rules:            []string{"标注 [ID]。"},
		KnowledgeVersion: "1.0.0",
		Revision:         "2026-11-30",
		GeneratedAt:      time.Date(2026, 11, 30, 8, 0, 0, 5e8, time.FixedZone("CST", 8*3600)),
		BaseURL:          "https://docs.example.com",
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.MarshalIndent(b, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want := `{
 "query": {
  "topic": "token 预算",
  "budget": 600,
  "category": "rule",
  "limit": 5,
  "lang": "auto"
 },
 "knowledgeVersion": "1.0.0",
 "revision": "2026-11-30",
 "usedTokens": 300,
 "budget": 600,
 "truncated": true,
 "matched": true,
 "entryCount": 1,
 "entries": [
  {
   "id": "EG-202",
   "category": "rule",
   "title": "Budgets",
   "summary": "s",
   "body": "b",
   "tags": [],
   "confidence": 0.98,
   "tokens": 300,
   "updated": "2026-11-30",
   "score": 9.5,
   "relevance": 1
  }
 ],
 "citations": [
  {
   "marker": "[EG-202]",
   "entryId": "EG-202",
   "url": "https://docs.example.com/context.json#EG-202",
   "text": "来源：Budgets",
   "confidence": 0.98
  }
 ],
 "rules": [
  "标注 [ID]。"
 ],
 "leftOut": [
  {
   "id": "c::d.md::s#1",
   "title": "S",
   "marker": "MARK",
   "tokens": 400,
   "score": 1
  }
 ],
 "generatedAt": "2026-11-30T00:00:00Z",
 "source": "api/context"
}`
	want = strings.Replace(want, "MARK", Marker(second), 1)
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBundleOfNothingHasNoNull(t *testing.T) {
	b, err := Bundle(Request{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	// The category alone is null when none was asked for.
	if n := strings.Count(string(got), "null"); n != 1 || b.Query.Category != nil {
		t.Errorf("%s", got)
	}
	if b.Budget != evergreen.DefaultBudget || b.Query.Budget != evergreen.DefaultBudget || b.Truncated {
		t.Errorf("%+v", b)
	}
}

func TestClamp(t *testing.T) {
	for in, want := range map[int]int{
		0: 2000, -1: 200, 1: 200, 199: 200, 200: 200, 201: 201, 7999: 7999, 8000: 8000, 8001: 8000, 1 << 40: 8000,
	} {
		if got := Clamp(in); got != want {
			t.Errorf("Clamp(%d) = %d, want %d", in, got, want)
		}
	}
}

func TestBundleOfAWholeText(t *testing.T) {
	body := strings.Repeat("Raise the budget or narrow the question. ", 12)
	best := evergreen.PackedEntry{Entry: evergreen.Entry{ID: "EG-202", Title: "Budgets", Curated: true}, Score: 2, Relevance: 1}
	best.Tokens = text.Tokens(best.Title + "\n" + body)
	other := best
	other.ID, other.Score = "EG-203", 1
	loads := 0
	r := Request{
		Query: evergreen.Query{Topic: "budget"}, Ranked: []evergreen.PackedEntry{best, other}, Matched: true, WholeText: true,
		Rules: []string{"End every factual claim with the marker of the entry it rests on, written [ID].",
			"Cite only IDs that appear in an answer and never invent one."},
		Load: func(e *evergreen.Entry) error {
			loads++
			e.Body = body
			return nil
		},
	}
	for _, tt := range []struct {
		budget  int
		entries string
		partial bool
		rules   int
	}{
		{2000, "EG-202 EG-203", false, 2},
		{260, "EG-202", false, 2},
		{230, "EG-202", false, 0}, // the best entry stays whole, the rules go
		{200, "EG-202", true, 1},  // a passage anyway: the first rule stays
	} {
		r.Query.Budget = tt.budget
		b, err := Bundle(r)
		if err != nil {
			t.Fatal(err)
		}
		s := Markdown(b, tt.budget, nil)
		if ids(b.Entries) != tt.entries || (b.Entries[0].Partial != nil) != tt.partial {
			t.Errorf("budget %d: %q, partial %v", tt.budget, ids(b.Entries), b.Entries[0].Partial)
		}
		if text.Tokens(s) > tt.budget || !strings.Contains(s, "Raise the budget") {
			t.Errorf("budget %d: %d tokens: %q", tt.budget, text.Tokens(s), s)
		}
		rules := 0
		for _, rule := range r.Rules {
			rules += strings.Count(s, "- "+rule)
		}
		if rules != tt.rules {
			t.Errorf("budget %d: %d rules in %q", tt.budget, rules, s)
		}
	}
	if loads == 0 {
		t.Error("nothing was loaded")
	}
	broken := errors.New("broken")
	r.Load = func(*evergreen.Entry) error { return broken }
	if _, err := Bundle(r); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// No room is kept for saying what was left out when nothing is.
func TestBundleOfAWholeTextUsesTheLastToken(t *testing.T) {
	var ranked []evergreen.PackedEntry
	for i := range 3 {
		p := entry(string(rune('A'+i)), 0)
		p.Body, p.Score = strings.Repeat("Raise the budget. ", 40), float64(9-i)
		p.Tokens = text.Tokens(p.Title + "\n" + p.Body)
		ranked = append(ranked, p)
	}
	r := Request{Query: evergreen.Query{Topic: "budget", Budget: 2000}, Ranked: ranked, Matched: true, WholeText: true}
	b, err := Bundle(r)
	if err != nil {
		t.Fatal(err)
	}
	// Parts are rounded up one by one when they are planned.
	r.Query.Budget = text.Tokens(Markdown(b, 2000, nil)) + 2*len(ranked)
	b, err = Bundle(r)
	if err != nil || b.Truncated || len(b.Entries) != 3 {
		t.Errorf("budget %d: %d entries, %d tokens used, %v", r.Query.Budget, len(b.Entries), b.UsedTokens, err)
	}
}
