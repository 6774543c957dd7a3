package report

import (
	"strconv"
	"strings"
	"testing"
)

// fill puts a row of values for each question, by contender.
func fill(c Contest, names []string, rows map[string][]float64, order ...string) *Contest {
	for _, question := range order {
		for i, value := range rows[question] {
			if value >= 0 {
				c.Put(names[i], question, value)
			}
		}
	}
	return &c
}

func TestWins(t *testing.T) {
	names := []string{"us", "a", "b"}
	higher := fill(Contest{Each: "query", Of: "nDCG@10"}, names, map[string][]float64{
		"one": {.5, .4, .6}, "two": {.1, .9, 1}, "three": {1, 1, 1}, "four": {-1, 1, 1}, "five": {.2, .3, -1},
	}, "one", "two", "three", "four", "five")
	level := fill(Contest{Each: "page", Of: "F1"}, names, map[string][]float64{"p": {1, 1, .5}}, "p")
	faster := fill(Contest{Each: "query", Of: "time", Lower: true, Times: true, Format: func(x float64) string { return strconv.Itoa(int(x)) + " ms" }}, names,
		map[string][]float64{"long": {100, 90, -1}, "short": {2, 1, 3}}, "long", "short")
	higher.Remark("b", "two", "at rank 1")
	alone := fill(Contest{Each: "run", Of: "CPU", Lower: true}, names, map[string][]float64{"1": {2, 1}}, "1")
	for _, c := range []struct {
		contests []*Contest
		want     string
	}{
		{[]*Contest{higher}, "**Where a peer wins**: query two: nDCG@10 1 (b, at rank 1), 0.1 (us). Of 4 queries, peers are ahead on 3: a on 2, b on 2."},
		{[]*Contest{level, faster}, "**Where a peer wins**: query short: time 1 ms (a), 2 ms (us). Of 2 queries, peers are ahead on 2: a on 2."},
		{[]*Contest{alone}, "**Where a peer wins**: run 1: CPU 1 (a), 2 (us)."},
		{[]*Contest{level}, "**Where a peer wins**: nowhere in this table; looked at: the F1 of 1 page by 2 peers."},
		{[]*Contest{{Each: "page", Of: "F1"}}, "**Where a peer wins**: no peer was there."},
	} {
		if got := Wins("us", c.contests...); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestPeersAreATable(t *testing.T) {
	var r Report
	r.Peers(Peer{"a", "1.2", "defaults", "it has no others"})
	want := "\n## Peers\n\n| peer | version | options | why |\n| --- | --- | --- | --- |\n| a | 1.2 | defaults | it has no others |\n"
	if len(r.parts) != 1 || "\n"+r.parts[0] != want {
		t.Errorf("%q", r.parts)
	}
}

func TestQuoteIsOneShortLine(t *testing.T) {
	for text, want := range map[string]string{
		" how\n do I  ":          "“how do I”",
		strings.Repeat("长", 130): "“" + strings.Repeat("长", 120) + "…”",
	} {
		if got := Quote(text); got != want {
			t.Errorf("%q", got)
		}
	}
}
