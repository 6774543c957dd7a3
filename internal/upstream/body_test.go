package upstream

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

func readAll(t *testing.T, contentType, body string) string {
	t.Helper()
	u := &Upstream{}
	out, err := io.ReadAll(u.readAlong(contentType, io.NopCloser(strings.NewReader(body))))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestBodiesPassAsTheyAre(t *testing.T) {
	for _, c := range []struct{ kind, body string }{
		{"application/json", `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`},
		{"application/json", `{"structuredContent":`},
		{"application/json", `{"result":{"text":"\"structuredContent\""}}`},
		{"text/event-stream", "id: 1\r\ndata: {\"a\":1}\r\n\r\nevent: x\ndata: y\n\n: note\n"},
		{"text/event-stream", "data: {\"result\":{}}"},
		{"text/html", `"structuredContent"`},
		{"application/json", ""},
	} {
		if got := readAll(t, c.kind, c.body); got != c.body {
			t.Errorf("%s %q became %q", c.kind, c.body, got)
		}
	}
}

func TestStructuredContentTravelsAsText(t *testing.T) {
	message := `{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"n":12345678901234567890},"_meta":{"a":1}}}`
	for kind, body := range map[string]string{"application/json": message, "text/event-stream": "data: " + message + "\n\n"} {
		got := strings.TrimSpace(strings.TrimPrefix(readAll(t, kind, body), "data:"))
		var m struct {
			Result struct {
				Meta map[string]any `json:"_meta"`
			}
		}
		if err := json.Unmarshal([]byte(got), &m); err != nil || m.Result.Meta[keptKey] != `{"n":12345678901234567890}` || m.Result.Meta["a"] != 1.0 {
			t.Errorf("%s: %s, %v", kind, got, err)
		}
	}
}

// A line longer than the reader's buffer is one line still.
func TestLongLinesOfAStream(t *testing.T) {
	body := "data: {\"text\":\"" + strings.Repeat("x", 3*lineBuffer) + "\"}\n\n"
	if got := readAll(t, "text/event-stream", body); got != body {
		t.Errorf("%d bytes became %d", len(body), len(got))
	}
}

func FuzzStream(f *testing.F) {
	f.Add("data: {\"result\":{\"structuredContent\":{\"a\":1}}}\n\n")
	f.Add(`data: {"method":"notifications/progress","params":{"progressToken":{"a":[1]}}}` + "\n")
	f.Add("data:\n\ndata: notifications/progress \"notifications/progress\"\n")
	f.Fuzz(func(t *testing.T, body string) {
		u := &Upstream{}
		r := &rewritten{body: io.NopCloser(strings.NewReader(body)), lines: bufio.NewReader(strings.NewReader(body)), prefix: []byte("data:"), progress: u.passProgress}
		out, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(out), "\n") < strings.Count(body, "\n") {
			t.Errorf("%q lost lines: %q", body, out)
		}
		if !strings.Contains(body, "structuredContent") && string(out) != body {
			t.Errorf("%q became %q", body, out)
		}
	})
}
