package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"evergreen/internal/engine"
)

// TestRetrievalFloors holds retrieval quality on the judged sets.
func TestRetrievalFloors(t *testing.T) {
	root := os.Getenv("EVERGREEN_CORPORA")
	if root == "" {
		t.Skip("EVERGREEN_CORPORA is not set: retrieval quality not checked")
	}
	for _, set := range []struct {
		name   string
		byPage bool
		floor  float64 // of nDCG@10
		hit5   float64
	}{
		{"cranfield", false, .420, .80},
		{"cacm", false, .528, .90},
		{"k8s-questions", true, .388, .475},
		{"tidb-summaries-zh", true, .903, .935},
	} {
		t.Run(set.name, func(t *testing.T) {
			dir := filepath.Join(root, "retrieval", set.name)
			got, err := engine.EvalFiles(context.Background(), engine.EvalRequest{
				Corpus:  filepath.Join(dir, "corpus.jsonl.gz"),
				Queries: filepath.Join(dir, "queries.jsonl.gz"),
				ByPage:  set.byPage,
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("nDCG@10 %.4f hit@5 %.3f MRR@10 %.3f over %d queries", got.NDCG10, got.Hit5, got.MRR10, got.Queries)
			if got.NDCG10 < set.floor {
				t.Errorf("nDCG@10 %.4f, want at least %.3f", got.NDCG10, set.floor)
			}
			if got.Hit5 < set.hit5 {
				t.Errorf("hit@5 %.4f, want at least %.3f", got.Hit5, set.hit5)
			}
		})
	}
}
