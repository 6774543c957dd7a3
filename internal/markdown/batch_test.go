package markdown

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
)

func TestBatch(t *testing.T) {
	convert := func(html string) string { return FromHTML(html, "https://e.org/d/") }
	ms := regexp.MustCompile(`"ms":[0-9.]+`)
	for _, c := range []struct {
		name, in, want string
		lines, failed  int
	}{
		{"in order", `{"id":"b","html":"<p>a <b>b</b></p>"}` + "\n" + `{"id":"a","html":"<a href=x>l</a>"}`,
			`{"id":"b","markdown":"a **b**\n","ms":0}` + "\n" + `{"id":"a","markdown":"[l](https://e.org/d/x)\n","ms":0}` + "\n", 2, 0},
		{"ids as they came", `{"id":7,"html":"a"}` + "\r\n\n" + `{"id":1.50e3,"html":"a"}` + "\n" + `{"html":"a"}` + "\n",
			`{"id":7,"markdown":"a\n","ms":0}` + "\n" + `{"id":1.50e3,"markdown":"a\n","ms":0}` + "\n" + `{"id":null,"markdown":"a\n","ms":0}` + "\n", 3, 0},
		{"bad lines between good ones", `{"id":"1","html":"a"}` + "\n<p>\n" + `{"id":2,"html":3}` + "\n" + `{"id":3}` + "\n" + `{"id":{},"html":"a"}` + "\n" + `{"id":"5","html":"b"}`,
			`{"id":"1","markdown":"a\n","ms":0}` + "\n" +
				`{"id":null,"error":"invalid character '<' looking for beginning of value"}` + "\n" +
				`{"id":2,"error":"html must be a string"}` + "\n" +
				`{"id":3,"error":"html is missing"}` + "\n" +
				`{"id":null,"error":"id must be a string or a number"}` + "\n" +
				`{"id":"5","markdown":"b\n","ms":0}` + "\n", 6, 4},
		{"nothing", "", "", 0, 0},
	} {
		var out bytes.Buffer
		lines, failed, err := Batch(strings.NewReader(c.in), &out, convert)
		got := ms.ReplaceAllString(out.String(), `"ms":0`)
		if err != nil || lines != c.lines || failed != c.failed || got != c.want {
			t.Errorf("%s: %d lines, %d failed, %v\n got %s\nwant %s", c.name, lines, failed, err, got, c.want)
		}
	}
}

// What was converted before reading fails is not lost.
func TestBatchKeepsWhatIsDone(t *testing.T) {
	var out bytes.Buffer
	in := io.MultiReader(strings.NewReader(`{"id":"1","html":"a"}`+"\n"), iotest.ErrReader(errors.New("gone")))
	lines, _, err := Batch(in, &out, func(html string) string { return html })
	if err == nil || lines != 1 || !strings.HasSuffix(out.String(), "}\n") {
		t.Errorf("%d lines, %v, %q", lines, err, out.String())
	}
}
