package websearch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Reported calls of a web search: every one is searched, for what was meant.
func TestReportedCalls(t *testing.T) {
	folder := os.Getenv("EVERGREEN_CORPORA")
	if folder == "" {
		t.Skip("skipped: EVERGREEN_CORPORA is not set")
	}
	data, err := os.ReadFile(filepath.Join(folder, "repair", "malformed.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{c: Default()}
	calls, right := 0, 0
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c struct {
			ID     string
			Params json.RawMessage
			Want   struct {
				Name      string
				Arguments struct{ Query string }
			}
		}
		if json.Unmarshal(lines.Bytes(), &c) != nil || c.Want.Name != "web_search" {
			continue
		}
		calls++
		out, _ := s.hook([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + string(c.Params) + `}`))
		var m struct {
			Params struct{ Arguments json.RawMessage }
		}
		if err := json.Unmarshal(out, &m); err != nil {
			t.Fatal(err)
		}
		f, ok := s.c.extract(m.Params.Arguments)
		if !ok || f.query != c.Want.Arguments.Query {
			t.Errorf("%s: %s searches for %q (%s), want %q", c.ID, c.Params, f.query, f.source, c.Want.Arguments.Query)
			continue
		}
		right++
	}
	if calls == 0 {
		t.Fatal("the corpus holds no call of web_search")
	}
	t.Logf("quality: %d of %d reported searches right", right, calls)
}
