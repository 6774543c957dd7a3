package engines

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"evergreen/bench/internal/data"
	"evergreen/bench/internal/report"
)

// Every Go contender builds, opens and finds what is there, over the lines.
func TestContendersFind(t *testing.T) {
	for _, name := range []string{Ours, "bleve", "fts5"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			units := []data.Unit{
				{ID: "a", Page: "a", Title: "Walrus", Body: "A walrus swims in cold water."},
				{ID: "b", Page: "b", Title: "Heron", Body: "A heron stands in the reeds."},
			}
			file, source, index := filepath.Join(dir, "units.jsonl"), filepath.Join(dir, "pages"), filepath.Join(dir, "index")
			if err := data.WriteLines(file, units); err != nil {
				t.Fatal(err)
			}
			if err := data.WritePages(source, data.Pages(units)); err != nil {
				t.Fatal(err)
			}
			talk(t, name, question{Do: "build", Units: file, Source: source, Index: index, Language: "en"})
			replies := talk(t, name, question{Do: "open", Index: index, Language: "en"},
				question{Do: "search", Query: "where do herons stand?", Limit: 1}, question{Do: "search", Query: "zzxqj", Limit: 1})
			if ids := replies[1].IDs; len(ids) != 1 || !strings.HasPrefix(strings.TrimPrefix(ids[0], "bench::"), "b") {
				t.Errorf("found %q", ids)
			}
			if ids := replies[2].IDs; len(ids) != 0 {
				t.Errorf("found %q for nonsense", ids)
			}
		})
	}
}

// talk asks a new contender.
func talk(t *testing.T, name string, questions ...question) (replies []reply) {
	t.Helper()
	s, ok := inProcess(name)
	if !ok {
		t.Fatalf("there is no %s", name)
	}
	var in, out bytes.Buffer
	for _, q := range questions {
		if err := json.NewEncoder(&in).Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := contend(s, &in, &out); err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(&out); d.More(); {
		var r reply
		if err := d.Decode(&r); err != nil || r.Failed != "" {
			t.Fatalf("%+v, %v", r, err)
		}
		replies = append(replies, r)
	}
	return replies
}

func TestAnUnknownQuestionFails(t *testing.T) {
	if r := answer(&own{}, question{Do: "dance"}); r.Failed == "" {
		t.Errorf("%+v", r)
	}
}

func TestMatchOf(t *testing.T) {
	for _, c := range []struct{ query, language, want string }{
		{`how "do" I-cite?`, "en", `"how" OR "do" OR "I" OR "cite"`},
		{"分布式事务 TiDB", "zh", `"分布式" OR "布式事" OR "式事务" OR "TiD" OR "iDB"`},
		{"?!", "en", ""},
	} {
		if got := matchOf(c.query, c.language); got != c.want {
			t.Errorf("%q: %s, want %s", c.query, got, c.want)
		}
	}
}

// Who is ahead is said below the table.
func TestSpeedTableNamesWhoIsAhead(t *testing.T) {
	one := func(x float64) report.Sample { return report.Sample{x, x, x} }
	all := func(x float64) figures {
		return figures{each: []report.Sample{one(x), one(4 - x)}, rate: one(x), cpu: one(x), peak: one(x), disk: one(x), start: one(x), p50: one(x), p99: one(x), memory: one(x)}
	}
	table := speedTable([]Contender{{name: Ours}, {name: "peer"}}, []figures{all(2), all(3)}, Material{name: "Docs", sections: 1000, queries: []string{"a", "b"}})
	want := "Ahead of Evergreen: build, sections/s: peer.\n\n**Where a peer wins**: query “b”: time 1 ms (peer), 2 ms (Evergreen). Of 2 queries, peers are ahead on 1: peer on 1."
	if table.Note != want || !slices.Contains(table.Rows[1], "3 (3 to 3)") || len(table.Rows[0]) != len(table.Columns) {
		t.Errorf("%+v", table)
	}
}

func TestByLines(t *testing.T) {
	dir := t.TempDir()
	rg := filepath.Join(dir, "rg")
	script := "#!/bin/sh\nprintf 'x/b.md:2\\nx/a.md:2\\nx/c.md:7\\n'\n"
	if err := os.WriteFile(rg, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	got, _, err := byLines(t.Context(), rg, "where is it", dir)
	if err != nil || !slices.Equal(got, []string{"c.md", "a.md", "b.md"}) {
		t.Errorf("%q, %v", got, err)
	}
	if err := os.WriteFile(rg, []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got, _, err := byLines(t.Context(), rg, "where is it", dir); err != nil || len(got) != 0 {
		t.Errorf("nothing matches: %q, %v", got, err)
	}
}
