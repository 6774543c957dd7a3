package repair

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"evergreen/internal/repair/jsonvalue"
)

// corpus opens one file of the repair corpus. Without EVERGREEN_CORPORA the
// test is skipped; with it, a missing file is a failure.
func corpus(t testing.TB, name string) []byte {
	t.Helper()
	root := os.Getenv("EVERGREEN_CORPORA")
	if root == "" {
		t.Skip("EVERGREEN_CORPORA is not set: the recorded corpus of calls is not tested")
	}
	b, err := os.ReadFile(filepath.Join(root, "repair", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func corpusTools(t testing.TB, name string) []Tool {
	t.Helper()
	tools, err := ReadTools(bytes.NewReader(corpus(t, name)))
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

func catalogue(t testing.TB, tools []Tool) *Catalogue {
	t.Helper()
	cat, err := NewCatalogue(tools, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

// decoded is JSON text as a comparable value that keeps numbers apart.
func decoded(t testing.TB, b []byte) any {
	t.Helper()
	if len(b) == 0 {
		return map[string]any{}
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	return v
}

func TestCorpusMalformed(t *testing.T) {
	cat := catalogue(t, corpusTools(t, "tools.jsonl"))
	lines := bufio.NewScanner(bytes.NewReader(corpus(t, "malformed.jsonl")))
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		var c struct {
			ID, Cat string
			Params  json.RawMessage
			Want    struct {
				Name       string
				Arguments  json.RawMessage
				Error      string
				Candidates []string
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		n++
		t.Run(c.ID, func(t *testing.T) {
			got := Call(c.Params, cat)
			if c.Want.Error != "" {
				if got.Error != c.Want.Error {
					t.Fatalf("%s %s: got %+v, want error %s", c.Cat, c.Params, got, c.Want.Error)
				}
				if len(c.Want.Candidates) > 0 && (len(got.Candidates) > 3 || !slices.Contains(got.Candidates, c.Want.Candidates[0])) {
					t.Errorf("candidates %q lack %s", got.Candidates, c.Want.Candidates[0])
				}
				t.Log(got.Refusal)
				return
			}
			if got.Outcome == Refused || got.Name != c.Want.Name {
				t.Fatalf("%s %s: got %+v, want %s %s", c.Cat, c.Params, got, c.Want.Name, c.Want.Arguments)
			}
			if diff := cmp.Diff(decoded(t, c.Want.Arguments), decoded(t, got.Arguments)); diff != "" {
				t.Errorf("%s %s (-want +got):\n%s", c.Cat, c.Params, diff)
			}
			if len(got.Hint) > maxHint {
				t.Errorf("hint of %d bytes", len(got.Hint))
			}
			t.Log(got.Hint)
		})
	}
	if n < 60 {
		t.Errorf("only %d cases", n)
	}
}

func TestCorpusValid(t *testing.T) {
	cat := catalogue(t, corpusTools(t, "tools.jsonl"))
	lines := bufio.NewScanner(bytes.NewReader(corpus(t, "valid.jsonl")))
	n := 0
	for lines.Scan() {
		var c struct{ ID, Params, Why string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		n++
		var p struct{ Arguments json.RawMessage }
		if err := json.Unmarshal([]byte(c.Params), &p); err != nil {
			t.Fatal(err)
		}
		got := Call([]byte(c.Params), cat)
		if got.Outcome != Exact || !bytes.Equal(got.Arguments, p.Arguments) || got.Hint != "" || len(got.Changes) > 0 {
			t.Errorf("%s (%s): %+v\narguments %s", c.ID, c.Why, got, got.Arguments)
		}
	}
	if n < 10 {
		t.Errorf("only %d cases", n)
	}
}

// TestCorpusAbsent takes every recorded name out in turn and calls it: hardly
// any may reach another tool, none a destructive one.
func TestCorpusAbsent(t *testing.T) {
	names := strings.Fields(string(corpus(t, "tool-names.txt")))
	yes := true
	wrong, destructive := 0, 0
	for _, absent := range names {
		var tools []Tool
		for _, n := range names {
			if n != absent {
				tools = append(tools, Tool{Name: n, ReadOnly: &yes})
			}
		}
		cat := catalogue(t, tools)
		got := Call([]byte(`{"name":`+string(jsonvalue.AppendQuoted(nil, absent))+`,"arguments":{}}`), cat)
		if got.Outcome != Refused {
			wrong++
			if class, _ := cat.ClassOf(got.Name); class == Destructive {
				destructive++
			}
			t.Logf("%s reached %s", absent, got.Name)
		}
	}
	t.Logf("%d of %d absent tools reached another, %d a destructive one", wrong, len(names), destructive)
	if float64(wrong) > 0.005*float64(len(names)) || destructive > 0 {
		t.Error("too many")
	}
}
