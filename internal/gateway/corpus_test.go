package gateway

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"evergreen/internal/repair"

	"github.com/google/go-cmp/cmp"
)

// corpus opens a file of the public corpora, or skips.
func corpus(t *testing.T, name string) []byte {
	t.Helper()
	folder := os.Getenv("EVERGREEN_CORPORA")
	if folder == "" {
		t.Skip("skipped: EVERGREEN_CORPORA is not set")
	}
	data, err := os.ReadFile(filepath.Join(folder, "repair", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func lines(data []byte) [][]byte {
	var out [][]byte
	s := bufio.NewScanner(bytes.NewReader(data))
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		if len(bytes.TrimSpace(s.Bytes())) > 0 {
			out = append(out, slices.Clone(s.Bytes()))
		}
	}
	return out
}

// Reported calls, as whole messages through the hook of the edge.
func TestReportedCallsThroughTheHook(t *testing.T) {
	tools, err := repair.ReadTools(bytes.NewReader(corpus(t, "tools.jsonl")))
	if err != nil {
		t.Fatal(err)
	}
	g, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	face, err := g.Face(FaceOptions{Own: tools})
	if err != nil {
		t.Fatal(err)
	}
	message := func(params []byte) []byte {
		return slices.Concat([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`), params, []byte(`}`))
	}
	right := 0
	calls := lines(corpus(t, "malformed.jsonl"))
	for _, line := range calls {
		var c struct {
			ID     string
			Params json.RawMessage
			Want   struct {
				Name       string
				Arguments  any
				Error      string
				Candidates []string
			}
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		out, notes := face.Hook(message(c.Params))
		n, _ := readNote(notes)
		var sent struct {
			Params struct {
				Name      string
				Arguments any
			}
		}
		if err := json.Unmarshal(out, &sent); err != nil {
			t.Fatalf("%s: %s", c.ID, out)
		}
		switch {
		case c.Want.Error != "":
			if n.Outcome != repair.Refused || n.Error != c.Want.Error || len(c.Want.Candidates) > 0 && !slices.Contains(n.Candidates, c.Want.Candidates[0]) {
				t.Errorf("%s: %s became %+v", c.ID, c.Params, n)
				continue
			}
		case n.Outcome == repair.Refused || sent.Params.Name != c.Want.Name || !cmp.Equal(sent.Params.Arguments, c.Want.Arguments):
			t.Errorf("%s: %s became %s", c.ID, c.Params, out)
			continue
		}
		right++
	}
	t.Logf("quality: %d of %d reported calls right through the hook", right, len(calls))
	for _, line := range lines(corpus(t, "valid.jsonl")) {
		var c struct{ Params string }
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		raw := message([]byte(c.Params))
		if out, notes := face.Hook(raw); !bytes.Equal(out, raw) || len(notes) != 1 || notes[0] != exactNote {
			t.Errorf("valid %s became %s, %q", c.Params, out, notes)
		}
	}
}
