package web

import (
	"strings"
	"testing"

	"evergreen"
)

func TestEncode(t *testing.T) {
	type inner struct {
		Tags []string `json:"tags"`
	}
	type outer struct {
		Text  string   `json:"text"`
		List  []inner  `json:"list"`
		Ref   *inner   `json:"ref"`
		None  *inner   `json:"none"`
		Gone  []string `json:"gone,omitempty"`
		inner []string
	}
	shared := outer{Text: "<b> & 常青 \u2028", List: []inner{{}}, Ref: &inner{}}
	got, err := Encode(shared, "")
	if err != nil {
		t.Fatal(err)
	}
	want := `{"text":"<b> & 常青 \u2028","list":[{"tags":[]}],"ref":{"tags":[]},"none":null}` + "\n"
	if string(got) != want {
		t.Errorf("got  %swant %s", got, want)
	}
	if shared.List[0].Tags != nil || shared.Ref.Tags != nil || shared.inner != nil {
		t.Error("the value that was written was changed")
	}
	if got, _ := Encode([]evergreen.Collection(nil), ""); string(got) != "[]\n" {
		t.Errorf("a nil slice is written as %s", got)
	}
	got, err = Encode(evergreen.Bundle{}, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range []string{`"entries":[]`, `"citations":[]`, `"rules":[]`} {
		if !strings.Contains(string(got), list) {
			t.Errorf("an empty bundle lacks %s: %s", list, got)
		}
	}
}
