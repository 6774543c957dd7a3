package engine_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"evergreen"
	"evergreen/internal/engine"
)

const (
	judgedCorpus = `{"id":"a1","page":"guide/otters.md","title":"Otters","body":"Otters swim."}
{"id":"a2","page":"guide/otters.md","title":"Herons","body":"Herons wade where otters swim."}

{"id":"b1","page":"walrus.md","title":"Walrus","body":"A walrus rests in the sun and minds neither birds nor otters nor anything else that passes by."}
`
	judgedQueries = `{"id":"q1","text":"herons","relevant":{"a2":1}}
{"id":"q2","text":"otters","relevant":{"b1":2,"gone":1,"a1":0}}
{"id":"q3","text":"zeppelin","relevant":{"a1":1}}`
)

// judged writes a judged set and names it.
func judged(t *testing.T, corpus, queries string) engine.EvalRequest {
	t.Helper()
	dir := t.TempDir()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(corpus)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	req := engine.EvalRequest{Corpus: filepath.Join(dir, "corpus.jsonl.gz"), Queries: filepath.Join(dir, "queries.jsonl")}
	if err := errors.Join(os.WriteFile(req.Corpus, packed.Bytes(), 0o644), os.WriteFile(req.Queries, []byte(queries), 0o644)); err != nil {
		t.Fatal(err)
	}
	return req
}

// TestEvalMeasures compares the measures of three questions with what they are
// by hand: the second finds one of two wanted sections in third place.
func TestEvalMeasures(t *testing.T) {
	req := judged(t, judgedCorpus, judgedQueries)
	places := map[string][]engine.EvalPlace{}
	req.Each = func(query string, found []engine.EvalPlace) { places[query] = found }
	got, err := engine.EvalFiles(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string][]engine.EvalPlace{"q1": {{Rank: 1, ID: "a2"}}, "q2": {{Rank: 3, ID: "b1"}}, "q3": nil}, places); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	second := (1 / math.Log2(4)) / (1/math.Log2(2) + 1/math.Log2(3))
	want := engine.EvalResult{NDCG10: (1 + second) / 3, Hit5: 2.0 / 3, MRR10: (1 + 1.0/3) / 3, Queries: 3}
	if math.Abs(got.NDCG10-want.NDCG10) > 1e-9 || math.Abs(got.Hit5-want.Hit5) > 1e-9 || math.Abs(got.MRR10-want.MRR10) > 1e-9 || got.Queries != 3 {
		t.Errorf("measured %+v, by hand %+v", got, want)
	}
}

// TestEvalByPage judges pages: each counts once, by its best section, and the
// words of its path count for it.
func TestEvalByPage(t *testing.T) {
	req := judged(t, judgedCorpus, `{"id":"q1","text":"otters","relevant":{"walrus.md":1}}
{"id":"q2","text":"guide","relevant":{"guide/otters.md":1}}`)
	req.ByPage = true
	got, err := engine.EvalFiles(context.Background(), req)
	if err != nil || math.Abs(got.MRR10-0.75) > 1e-9 {
		t.Errorf("%+v, %v", got, err)
	}
	req.Mode = evergreen.ModeWeighted
	if got, err = engine.EvalFiles(context.Background(), req); err != nil || got.Hit5 != 0.5 { // which know titles and paths only
		t.Errorf("by weights: %+v, %v", got, err)
	}
}

func TestEvalRefuses(t *testing.T) {
	done, cancel := context.WithCancel(context.Background())
	cancel()
	for name, tc := range map[string]struct {
		ctx    context.Context
		change func(*engine.EvalRequest)
		kind   evergreen.Kind
		says   string
	}{
		"no corpus":       {change: func(r *engine.EvalRequest) { r.Corpus += "x" }, kind: evergreen.NotFound, says: "corpus.jsonl.gzx"},
		"no queries":      {change: func(r *engine.EvalRequest) { r.Queries += "x" }, kind: evergreen.NotFound, says: "queries.jsonlx"},
		"unknown mode":    {change: func(r *engine.EvalRequest) { r.Mode = "bm26" }, kind: evergreen.Invalid, says: `"bm26"`},
		"line of corpus":  {change: func(r *engine.EvalRequest) { r.Corpus = judged(t, "{}\n\n{\n", "").Corpus }, kind: evergreen.Invalid, says: "line 3"},
		"line of queries": {change: func(r *engine.EvalRequest) { r.Queries = judged(t, "", "{}\n[1]").Queries }, kind: evergreen.Invalid, says: "line 2"},
		"no gzip": {change: func(r *engine.EvalRequest) {
			r.Corpus = r.Queries + ".gz"
			if err := os.Rename(r.Queries, r.Corpus); err != nil {
				t.Fatal(err)
			}
		}, kind: evergreen.Invalid, says: "gzip"},
		"cut gzip": {change: func(r *engine.EvalRequest) {
			if err := os.Truncate(r.Corpus, 40); err != nil {
				t.Fatal(err)
			}
		}, kind: evergreen.Invalid, says: "unexpected EOF"},
		"nobody waits": {ctx: done, change: func(*engine.EvalRequest) {}, kind: evergreen.Invalid, says: "canceled"},
	} {
		t.Run(name, func(t *testing.T) {
			req := judged(t, judgedCorpus, judgedQueries)
			tc.change(&req)
			if tc.ctx == nil {
				tc.ctx = context.Background()
			}
			_, err := engine.EvalFiles(tc.ctx, req)
			if evergreen.KindOf(err) != tc.kind || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%s error %v", evergreen.KindOf(err), err)
			}
		})
	}
}
