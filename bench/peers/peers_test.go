package main

import (
	"slices"
	"strings"
	"testing"

	"evergreen/bench/internal/report"
)

func TestWordsOfHeadings(t *testing.T) {
	got := wordsOf([]string{"Call useState twice", "`useEffect` and useState", "ReactEurope", "startTransition"})
	if !slices.Equal(got, []string{"useState", "useEffect", "startTransition"}) {
		t.Errorf("%q", got)
	}
}

// The table tells each word's median, and the word with which grep is furthest
// ahead.
func TestGrepTable(t *testing.T) {
	ours, theirs := lookupsOf(2), lookupsOf(2)
	ours.took = []report.Sample{{30, 40, 50}, {20, 20, 20}}
	theirs.took = []report.Sample{{10, 11, 12}, {10, 10, 10}}
	table := grepTable("rg 1", []string{"useState", "useEffect"}, report.Sample{300, 400, 500}, ours, theirs)
	if got := strings.Join(table.Rows[0], "|"); got != "rg 1|10 ms|10 to 11" {
		t.Error(got)
	}
	if got := strings.Join(table.Rows[2], "|"); got != "Evergreen, index|400 ms|300 to 500" {
		t.Error(got)
	}
	if !strings.Contains(table.Note, "query “useState”: time 11 ms (rg 1), 40 ms (Evergreen)") {
		t.Error(table.Note)
	}
}

func TestFiguresAreKeptByQuery(t *testing.T) {
	var f figures
	f.searched(report.Sample{1, 2}, report.Sample{100, 300})
	f.searched(report.Sample{3, 4}, report.Sample{100, 300})
	if len(f.each) != 2 || f.each[1].Median() != 2 || f.each[1].Max() != 4 || f.answer.Median() != 100 {
		t.Errorf("%+v", f)
	}
	if c := costs(f, figures{answer: report.Sample{50}}); !strings.Contains(report.Wins("Evergreen", c), "ten hits as JSON (bytes)") {
		t.Error(report.Wins("Evergreen", c))
	}
}
