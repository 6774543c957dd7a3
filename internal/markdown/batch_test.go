package markdown

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"evergreen"
)

func TestBatch(t *testing.T) {
	var out bytes.Buffer
	in := `{"id":"b","html":"<p>a <b>b</b></p>"}` + "\n" + `{"id":"a","html":"<a href=x>l</a>"}`
	if err := Batch(strings.NewReader(in), &out, "https://e.org/d/"); err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile(`"ms":[0-9.]+`).ReplaceAllString(out.String(), `"ms":0`)
	want := `{"id":"b","markdown":"a **b**\n","ms":0}` + "\n" + `{"id":"a","markdown":"[l](https://e.org/d/x)\n","ms":0}` + "\n"
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if err := Batch(strings.NewReader("<p>"), &out, ""); evergreen.KindOf(err) != evergreen.Invalid {
		t.Errorf("error %v", err)
	}
}
