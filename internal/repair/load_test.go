package repair

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"evergreen"
	"github.com/google/go-cmp/cmp"
)

func TestReadTools(t *testing.T) {
	yes, no := true, false
	const schema = `{"type":"object"}`
	mcp := `{"name":"a","annotations":{"readOnlyHint":true},"inputSchema":` + schema + `}`
	want := []Tool{{Name: "a", Schema: []byte(schema), ReadOnly: &yes}}
	for why, in := range map[string]string{
		"lines":               mcp + "\n\n",
		"a byte order mark":   "\ufeff" + mcp,
		"an array":            "[" + mcp + "]",
		"a tools/list result": `{"tools":[` + mcp + `],"nextCursor":"x"}`,
		"a tools/list answer": `{"jsonrpc":"2.0","id":1,"result":{"tools":[` + mcp + `]}}`,
		"our own form":        `{"name":"a","ro":1,"schema":` + schema + `}`,
	} {
		got, err := ReadTools(strings.NewReader(in))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", why, err, diff)
		}
	}
	in := `{"name":"x__y","ro":0,"destructive":true,"primary":"q","class":"write","repair":"safe","own":true,"disabled":1,"upstream":"x","aliases":["z"]}
{"name":"c","annotations":null,"inputSchema":` + schema + `}`
	got, err := ReadTools(strings.NewReader(in))
	full := []Tool{
		{Name: "x__y", ReadOnly: &no, Destructive: &yes, Primary: "q", Class: Write, Policy: PolicySafe, Own: true, Hidden: true, Upstream: "x", Aliases: []string{"z"}},
		{Name: "c", Schema: []byte(schema)},
	}
	if diff := cmp.Diff(full, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
}

func TestReadToolsFails(t *testing.T) {
	for in, want := range map[string]string{
		"{\"name\":\"a\"}\nnonsense": "line 2", `[{"name":5}]`: "no list", `{"tools":5}`: "no list", `{"name":"a","ro":"x"}` + "\n{}": "line 1",
	} {
		_, err := ReadTools(strings.NewReader(in))
		if evergreen.KindOf(err) != evergreen.Invalid || !strings.Contains(err.Error(), want) || len(evergreen.Hints(err)) == 0 {
			t.Errorf("%q: %v", in, err)
		}
	}
	if _, err := ReadTools(iotest.ErrReader(errors.New("gone"))); err == nil {
		t.Error("a broken reader is no error")
	}
	line := append(bytes.Repeat([]byte(" "), 1<<20-1), '\n')
	big := append(bytes.Repeat(line, maxRegistry>>20), '\n')
	if _, err := ReadTools(bytes.NewReader(big)); evergreen.KindOf(err) != evergreen.TooLarge {
		t.Errorf("beyond the bound: %v", err)
	}
	if tools, err := ReadTools(bytes.NewReader(big[1:])); err != nil || len(tools) != 0 {
		t.Errorf("at the bound: %v", err)
	}
}

func TestStreamFails(t *testing.T) {
	cat := catalogue(t, testTools(t))
	good := `{"id":1,"params":{"name":"get_metrics"}}`
	for in, want := range map[string]string{
		good + "\n[]":         "line 2",
		good + "\n{\"id\":1}": "line 2",
		"\n\n" + good + "\n{": "line 4",
	} {
		var out bytes.Buffer
		err := Stream(strings.NewReader(in), &out, cat)
		if evergreen.KindOf(err) != evergreen.Invalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", in, err)
		}
		if n := strings.Count(out.String(), "\n"); n != 1 {
			t.Errorf("%q: %d lines were written before the fault", in, n)
		}
	}
	if err := Stream(strings.NewReader(good), brokenWriter{}, cat); err == nil {
		t.Error("a broken writer is no error")
	}
	if err := Stream(strings.NewReader(strings.Repeat("x", maxLine+1)), &bytes.Buffer{}, cat); evergreen.KindOf(err) != evergreen.TooLarge {
		t.Errorf("an endless line: %v", err)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("gone") }

// TestStreamWithoutID checks what a script sees of odd ids.
func TestStreamWithoutID(t *testing.T) {
	var out bytes.Buffer
	in := `{"params":{"name":"get_metrics"}}` + "\r\n" + `{"id":{"a":[1.0]},"params":"{\"name\":\"get_metrics\",\n\"arguments\":{\n}}"}`
	if err := Stream(strings.NewReader(in), &out, catalogue(t, testTools(t))); err != nil {
		t.Fatal(err)
	}
	want := `{"id":null,"outcome":"exact","name":"get_metrics","arguments":{},"changes":[]}
{"id":{"a":[1.0]},"outcome":"exact","name":"get_metrics","arguments":{ },"changes":[]}
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}
