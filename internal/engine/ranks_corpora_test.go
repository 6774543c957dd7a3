package engine_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"evergreen/internal/engine"
)

var updateRanks = flag.Bool("update", false, "rewrite the places of the wanted sections in testdata/ranks")

// TestWantedRanks holds where the wanted sections of the judged sets are found:
// a line for each query with its id, the place of the best wanted unit among the
// first 100 sections, how many stand among the first ten, and its id. A change
// of ranking shows as a change of these files.
func TestWantedRanks(t *testing.T) {
	root := os.Getenv("EVERGREEN_CORPORA")
	if root == "" {
		t.Skip("EVERGREEN_CORPORA is not set: the places of wanted sections not checked")
	}
	for _, set := range []struct {
		name   string
		byPage bool
	}{{"cranfield", false}, {"cacm", false}, {"k8s-questions", true}, {"tidb-summaries-zh", true}} {
		t.Run(set.name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString("query\tplace\tof first ten\tsection or page\n")
			dir := filepath.Join(root, "retrieval", set.name)
			_, err := engine.EvalFiles(context.Background(), engine.EvalRequest{
				Corpus:  filepath.Join(dir, "corpus.jsonl.gz"),
				Queries: filepath.Join(dir, "queries.jsonl.gz"),
				ByPage:  set.byPage,
				Each: func(query string, found []engine.EvalPlace) {
					if len(found) == 0 {
						fmt.Fprintf(&b, "%s\t-\t0\t-\n", query)
						return
					}
					ten := 0
					for _, p := range found {
						if p.Rank <= 10 {
							ten++
						}
					}
					fmt.Fprintf(&b, "%s\t%d\t%d\t%s\n", query, found[0].Rank, ten, found[0].ID)
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", "ranks", set.name+".tsv")
			if *updateRanks {
				if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatalf("%v; go test ./internal/engine -run WantedRanks -update writes it", err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
				t.Errorf("places have changed; if that is meant, run this test with -update (-want +got):\n%s", diff)
			}
		})
	}
}
