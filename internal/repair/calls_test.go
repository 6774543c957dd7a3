package repair

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// testTools are our own tools and a few of upstreams that exist nowhere.
func testTools(t testing.TB) []Tool {
	t.Helper()
	b, err := os.ReadFile("testdata/proxied-tools.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	tools, err := ReadTools(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return append(ownTools(t), tools...)
}

// TestCalls is the specification by example: calls.jsonl says why in its ids,
// calls.golden.jsonl what becomes of each.
func TestCalls(t *testing.T) {
	in, err := os.ReadFile("testdata/calls.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Stream(bytes.NewReader(in), &out, catalogue(t, testTools(t))); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/calls.golden.jsonl"
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(out.String(), "\n"), strings.Split(string(want), "\n")
	if len(gotLines) != len(wantLines) {
		t.Errorf("%d lines, want %d", len(gotLines), len(wantLines))
	}
	for i := range min(len(gotLines), len(wantLines)) {
		if gotLines[i] != wantLines[i] {
			t.Errorf("line %d\ngot  %s\nwant %s", i+1, gotLines[i], wantLines[i])
		}
	}
}
