package main

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The documents show what the results say: after measuring, run make figures.
func TestDocumentsShowTheResults(t *testing.T) {
	stale, err := update(filepath.Join("..", ".."), false)
	if err != nil {
		t.Fatal(err)
	}
	if len(stale) > 0 {
		t.Errorf("%q are not what bench/results says; run make figures", stale)
	}
}

const sample = `# Speed

How fast?

More about it.

| fact | value |
| --- | --- |
| date | today |
| commit | abc |
| command | ` + "`go run`" + ` |

## Rates of 3

| tool | rate | spread | a\|b |
| --- | --- | --- | --- |
| Evergreen | 1,200 (1,100 to 1,300) | x | y |
| floor | >= 5 | – | – |
| peer 2 | 2,400 ms (2 to 3) | x | – |
| slow | 30 of 40 | x | z |

Ahead of Evergreen: peer 2.

Something else.

**Where a peer wins**: page 7.

**Absent: rg**: no apt.
`

func TestParse(t *testing.T) {
	r := parseResult("speed", sample)
	if r.title != "Speed" || r.question != "How fast?" || r.facts["commit"] != "abc" || len(r.tables) != 1 || len(r.absent) != 1 {
		t.Fatalf("%+v", r)
	}
	got, err := r.table("Rates")
	if err != nil || got.note != "Ahead of Evergreen: peer 2.\n\n**Where a peer wins**: page 7." || len(got.rows) != 4 || got.columns[3] != "a|b" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := r.table("Nothing"); err == nil {
		t.Error("a table that is not there is no error")
	}
	if _, err := got.column("nothing"); err == nil {
		t.Error("a column that is not there is no error")
	}
}

func TestValue(t *testing.T) {
	for cell, want := range map[string]float64{"1,234.5 ms": 1234.5, ".97": .97, "12 of 20": 12, "0.4 (.3 to .5)": .4, "2.5e-05": 2.5e-05} {
		if got, ok := value(cell); !ok || got != want {
			t.Errorf("%q is %g, %v, want %g", cell, got, ok, want)
		}
	}
	for _, cell := range []string{"–", "", ">= 5", "yes"} {
		if got, ok := value(cell); ok {
			t.Errorf("%q is %g", cell, got)
		}
	}
}

func TestCompare(t *testing.T) {
	results := map[string]result{"speed": parseResult("speed", sample)}
	for _, c := range []struct {
		line line
		want string // own, peer, name
	}{
		{line{column: "rate"}, "1,200|2,400 ms|peer 2"},
		{line{column: "rate", lower: true}, "1,200|30 of 40|slow"},
		{line{column: "rate", others: []string{"peer 2"}}, "1,200|30 of 40|slow"},
		{line{row: "peer 2", column: "spread", peerColumn: "rate", peer: "p"}, "x|2,400 ms|p"},
	} {
		c.line.file, c.line.heading = "speed", "Rates"
		own, peer, name, err := c.line.compare(results)
		if got := own + "|" + peer + "|" + name; got != c.want || err != nil {
			t.Errorf("%+v: %s, %v, want %s", c.line, got, err, c.want)
		}
	}
	for _, bad := range []line{{file: "none"}, {file: "speed", heading: "None"}, {file: "speed", heading: "Rates", column: "none"}, {file: "speed", heading: "Rates", column: "a|b"},
		{file: "speed", heading: "Rates", column: "rate", row: "none", peerColumn: "rate"}} {
		if _, _, _, err := bad.compare(results); err == nil {
			t.Errorf("%+v compares", bad)
		}
	}
}

func TestView(t *testing.T) {
	results := map[string]result{"speed": parseResult("speed", sample)}
	v := view{file: "speed", heading: "Rates", columns: []string{"tool", "rate"}, rows: []string{"Ever", "slow"}}
	got, err := v.markdown(results)
	want := "**Rates of 3**\n\n| tool | rate |\n| --- | --- |\n| Evergreen | 1,200 |\n| slow | 30 of 40 |\n\nAhead of Evergreen: peer 2.\n\n**Where a peer wins**: page 7.\n"
	if err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	if got := source(results, []view{v, v}); got != "`bench/results/speed.md`: today, commit abc, `go run`. **Absent: rg**: no apt.\n" {
		t.Error(got)
	}
}

// Who stands in the tables is shown once, however many results say so.
func TestPeersAreShownOnce(t *testing.T) {
	peers := "## Peers\n\n| peer | version |\n| --- | --- |\n| rg | 13 (Debian) |\n\n## Rates of 3"
	results := map[string]result{"speed": parseResult("speed", sample), "a": parseResult("a", strings.Replace(sample, "## Rates of 3", peers, 1))}
	results["b"] = results["a"]
	got, err := peersOf(results, []view{{file: "speed"}, {file: "a"}, {file: "b"}})
	if want := "**Peers**\n\n| peer | version |\n| --- | --- |\n| rg | 13 (Debian) |\n\n"; err != nil || got != want {
		t.Errorf("%v\n%q", err, got)
	}
}

func TestRewriteNamesWhatItCannotShow(t *testing.T) {
	const document = "a\n<!-- figures: nothing -->\nold\n<!-- figures end -->\nb\n"
	if _, err := rewrite(document, nil); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Error(err)
	}
	results := map[string]result{"speed": parseResult("speed", sample)}
	once, err := rewrite(strings.Replace(document, "nothing", "programs", 1), results)
	if err != nil || strings.Contains(once, "old") || !strings.Contains(once, "| `speed` | How fast? |") {
		t.Fatalf("%v\n%s", err, once)
	}
	if twice, err := rewrite(once, results); err != nil || twice != once {
		t.Errorf("%v: the second time gives\n%s", err, twice)
	}
}

// A result that no view names is shown whole; a listed one is not.
func TestOthers(t *testing.T) {
	results := map[string]result{"speed": parseResult("speed", sample), "transcript": parseResult("transcript", sample), "search": parseResult("search", sample)}
	got, err := others(results)
	if err != nil || strings.Count(got, "### Speed") != 1 || !strings.Contains(got, "| peer 2 | 2,400 ms | x | – |") {
		t.Errorf("%v\n%s", err, got)
	}
	twice := parseResult("twice", strings.Replace(sample, "**Absent", "## Rates of 3\n\n| tool |\n| --- |\n| another |\n\n**Absent", 1))
	if got, err := others(map[string]result{"twice": twice}); err != nil || strings.Count(got, "| another |") != 1 || strings.Count(got, "| slow |") != 1 {
		t.Errorf("two tables of one heading: %v\n%s", err, got)
	}
	delete(results, "speed")
	if got, err := others(results); err != nil || got != "None.\n" {
		t.Errorf("%v, %q", err, got)
	}
}

// Every region of the documents is known, and every known one is shown.
func TestRegionsAreShown(t *testing.T) {
	shown := map[string]bool{}
	for _, name := range documents() {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range marked.FindAllStringSubmatch(string(text), -1) {
			shown[m[2]] = true
		}
	}
	for name := range regions() {
		if !shown[name] {
			t.Errorf("no document shows %q", name)
		}
	}
}

func TestGrowth(t *testing.T) {
	const curve = "# Growth\n\nHow?\n\n## The curve\n\n| what | 10 sections | 1,000 sections | exponent | of the last step |\n| --- | --- | --- | --- | --- |\n" +
		"| build, s | 0.1 (0.1 to 0.2) | 10 | 1 | 1 |\n| server's memory, MB | 30 | 30 | 0 | 0 |\n"
	want := "```text\nbuild, s: grows with the power 1 of the sections\n10 sections     " + strings.Repeat("█", 10) + " 0.1\n1,000 sections  " + strings.Repeat("█", 30) + " 10\n```\n\n" +
		"```text\nserver's memory, MB: grows with the power 0 of the sections\n10 sections     " + strings.Repeat("█", 10) + " 30\n1,000 sections  " + strings.Repeat("█", 10) + " 30\n```\n"
	if got, err := growth(map[string]result{"growth": parseResult("growth", curve)}); err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	if _, err := growth(nil); err == nil {
		t.Error("growth without a result")
	}
}

func TestLengths(t *testing.T) {
	bars := []bar{{"a", "", 1}, {"b", "", 10}, {"c", "", 100}, {"d", "", 0}}
	if got := lengths(bars, false); !slices.Equal(got, []int{4, 35, 350, 2}) {
		t.Error(got)
	}
	if got := lengths(bars, true); !slices.Equal(got, []int{117, 233, 350, 2}) {
		t.Error(got)
	}
}

// The plot is well-formed, and says in words what it shows.
func TestPlotIsReadable(t *testing.T) {
	results, err := readResults(filepath.Join("..", "..", "bench", "results"))
	if err != nil {
		t.Fatal(err)
	}
	svg, err := draw(results)
	if err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range panels() {
		bars, err := p.bars(results)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(svg, escape(p.title+". "+spoken(bars))) {
			t.Errorf("the description lacks %q", p.title)
		}
	}
}
