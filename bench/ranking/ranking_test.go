package main

import (
	"strings"
	"testing"

	"evergreen/bench/internal/data"
	"evergreen/bench/internal/report"
	"evergreen/internal/index"
)

func TestAgreement(t *testing.T) {
	table := func(second string) report.Table {
		return report.Table{Columns: []string{"ranking", "one (2)", "two (3)"}, Rows: [][]string{{"itself", "0.5000", "0.2500"}, {"all", "0.5000 (0.4, 0.6)", second}}}
	}
	if got := agreement(table("0.2500 (0.2, 0.3)")); !strings.Contains(got, "agree on every set") {
		t.Error(got)
	}
	if got := agreement(table("0.2600 (0.2, 0.3)")); !strings.Contains(got, "differ** on two (3)") {
		t.Error(got)
	}
}

// Quoted phrases lift a section that holds all of them.
func TestPhrasesLift(t *testing.T) {
	s := &judged{sections: []data.Unit{{Title: "Style", Body: "What you see is what you get."}, {Title: "What you get", Body: "see"}}}
	phrases := index.ParseQuery(`editors, "what you see" and "what you get"`).Phrases()
	if len(phrases) != 2 || !s.holds(0, phrases) || s.holds(1, phrases) {
		t.Errorf("%q: %v, %v", phrases, s.holds(0, phrases), s.holds(1, phrases))
	}
}
