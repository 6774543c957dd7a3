package console

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"evergreen/internal/ui"

	"github.com/google/go-cmp/cmp"
)

func TestTheLabShowsEveryStage(t *testing.T) {
	b := newBench(t)
	call := `{"tool":"searchDocs","args":"{\"q\":\"<x>\",\"limit\":\"5\"}"}`
	for _, how := range []func() (*http.Response, string){
		func() (*http.Response, string) { return b.ask("GET", local, "/lab?call="+url.QueryEscape(call), "") },
		func() (*http.Response, string) {
			return b.ask("POST", local, "/lab", url.Values{"call": {call}}.Encode())
		},
	} {
		r, page := how()
		if r.StatusCode != http.StatusOK {
			t.Fatalf("%d", r.StatusCode)
		}
		has(t, page, "Repaired: it runs in its canonical form.", "tool → name", "searchDocs → search_docs", "JSON text → object", "q → query", "string → number",
			"<ins>+     &#34;limit&#34;: 5,</ins>", "[evergreen] Repaired:", "&#34;query&#34;: &#34;&lt;x&gt;&#34;")
	}
	_, page := b.ask("GET", local, "/lab?lang=zh&call="+url.QueryEscape(call), "")
	has(t, page, "已修复：以规范形式执行。", "信封：名称与参数在哪里")
	_, page = b.ask("GET", local, "/lab", "")
	has(t, page, "Paste a call, or choose an example.", "two readings", `name="call"`)
	if strings.Contains(page, `name="tools"`) {
		t.Error("one list of tools needs no choice")
	}
}

func TestTheLabForPrograms(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct {
		why, body, outcome, readAs, run, told string
	}{
		{"canonical", `{"name":"search_docs","arguments":{"query":"x"}}`, "exact", "", `{"name":"search_docs","arguments":{"query":"x"}}`, ""},
		{"a message", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_docs","arguments":{"q":"x"}}}`, "repaired", "message",
			`{"name":"search_docs","arguments":{"query":"x"}}`, "q → query"},
		{"a message without a call", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "exact", "other", "", ""},
		{"a message without params", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, "refused", "message", "", "was not run"},
		{"no JSON, but nearly", `{name: 'search_docs', arguments: {query: 'x',}}`, "repaired", "text", `{"name":"search_docs","arguments":{"query":"x"}}`, "Canonical call"},
		{"nothing of a call", `hello`, "refused", "text", "", "was not run"},
		{"two readings", `{"name":"search_docs","arguments":{"q":"a","text":"b"}}`, "refused", "", "", "could be any of"},
	} {
		asked, _ := json.Marshal(map[string]string{"call": c.body})
		r, text := b.ask("POST", local, "/lab.json", string(asked))
		var got labAnswer
		if err := json.Unmarshal([]byte(text), &got); err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %v %s", c.why, r.StatusCode, err, text)
		}
		run := compact(t, got.Run)
		if got.Outcome != c.outcome || got.ReadAs != c.readAs || run != c.run || !strings.Contains(got.Told, c.told) || c.told == "" && got.Told != "" {
			t.Errorf("%s: %s %s %s %q, want %s %s %s %q", c.why, got.Outcome, got.ReadAs, run, got.Told, c.outcome, c.readAs, c.run, c.told)
		}
	}
	for body, status := range map[string]int{`{"call":""}`: 400, `{"call":"{}","tools":"nowhere"}`: 404, `{"call":1}`: 400,
		`{"call":"` + strings.Repeat("x", maxCall+1) + `"}`: 500} {
		if r, text := b.ask("POST", local, "/lab.json", body); r.StatusCode != status && !(status == 500 && r.StatusCode == 413) {
			t.Errorf("%.40s: %d %s", body, r.StatusCode, text)
		}
	}
	if r, _ := b.ask("POST", local, "/lab.json", `{"call":"`+strings.Repeat("x", maxCall)+`"}`); r.StatusCode != http.StatusOK {
		t.Errorf("a call at the bound: %d", r.StatusCode)
	}
}

func compact(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	if len(raw) == 0 {
		return ""
	}
	var v struct {
		Name      string         `json:"name"`
		Arguments map[string]any `json:"arguments"`
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestExamplesAreWhatTheDocumentationSpeaksOf holds the examples to the shapes that
// docs/gateway.md names.
func TestExamplesAreWhatTheDocumentationSpeaksOf(t *testing.T) {
	doc, err := os.ReadFile("../../docs/gateway.md")
	if err != nil {
		t.Fatal(err)
	}
	has(t, string(doc), "`searchSections`", "arguments beside the name", `{"q": "x"}`, `{"limit": "5"}`)
	seen := map[string]bool{}
	for _, e := range Examples() {
		if seen[e.Shape] || e.Call == "" {
			t.Errorf("example %+v", e)
		}
		seen[e.Shape] = true
	}
}

func TestDifference(t *testing.T) {
	show := func(lines []ui.DiffLine) string {
		var b strings.Builder
		for _, l := range lines {
			b.WriteString(l.Sign + l.Text + "\n")
		}
		return b.String()
	}
	for _, c := range []struct{ before, after, want string }{
		{"a\nb", "a\nb", ""},
		{"a\nb\nc", "a\nx\nc", " a\n-b\n+x\n c\n"},
		{"", "a", "-\n+a\n"},
		{"1\n2\n3\n4\n5\n6\n7\n8\n9", "1\nx\n3\n4\n5\n6\n7\n8\ny", " 1\n-2\n+x\n 3\n 4\n …\n 7\n 8\n-9\n+y\n"},
	} {
		if diff := cmp.Diff(c.want, show(difference(c.before, c.after))); diff != "" {
			t.Errorf("%q to %q:\n%s", c.before, c.after, diff)
		}
	}
	long := strings.Repeat("x\n", maxDiffLines-1)
	if got := difference(long, long+"y"); len(got) > 10 {
		t.Errorf("at the bound %d lines are compared, not shown", len(got))
	}
	if got := difference(long+"\n", long+"\ny"); len(got) != 2*maxDiffLines {
		t.Errorf("beyond the bound: %d lines", len(got))
	}
}
