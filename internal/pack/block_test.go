package pack

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func cutStrings(body string, cut func(string, span) []span) []string {
	var out []string
	for _, s := range cut(body, span{0, len(body)}) {
		out = append(out, body[s.start:s.end])
	}
	return out
}

func TestBlocks(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       []string
	}{
		{"empty", "", nil},
		{"paragraphs", "a\nb\n\nc\n", []string{"a\nb\n\n", "c\n"}},
		{"blank lines at the beginning", "\n\na\n", []string{"\n\n", "a\n"}},
		{"a heading needs no blank line", "# A\ntext\n## B\nmore", []string{"# A\ntext\n", "## B\nmore"}},
		{"not a heading", "#a\n####### b\n    # c\n", []string{"#a\n####### b\n    # c\n"}},
		{"fence", "a\n\n```js\nx\n\ny\n```\n\nb", []string{"a\n\n", "```js\nx\n\ny\n```\n\n", "b"}},
		{"fence without blank lines", "a\n~~~\nx\n~~~\nb\n", []string{"a\n", "~~~\nx\n~~~\nb\n"}},
		{"a shorter run does not close", "````\n```\n\nx\n````\n\nb", []string{"````\n```\n\nx\n````\n\n", "b"}},
		{"the other mark does not close", "```\n~~~\n\nx\n```\n\nb", []string{"```\n~~~\n\nx\n```\n\n", "b"}},
		{"a heading in a fence", "```\n\n# no\n```\n", []string{"```\n\n# no\n```\n"}},
		{"backticks in the info string are inline code", "```a`b\n\nc", []string{"```a`b\n\n", "c"}},
		{"unclosed fence", "```\na\n\nb", []string{"```\na\n\nb"}},
		{"indented code", "a\n\n    x\n\n    y\n\nb", []string{"a\n\n    x\n\n    y\n\n", "b"}},
		{"loose list", "- a\n\n- b\n\n  more\n\nc", []string{"- a\n\n", "- b\n\n  more\n\n", "c"}},
		{"fence in a list", "1. a\n\n   ```\n   x\n\n   y\n   ```\n\n   b\n\n2. c", []string{"1. a\n\n   ```\n   x\n\n   y\n   ```\n\n   b\n\n", "2. c"}},
		{"a fence ends with its list item", "- a\n\n  ```\n  x\n\nb\n\nc", []string{"- a\n\n  ```\n  x\n\n", "b\n\n", "c"}},
		{"comment", "a\n\n<!-- x\n\ny\n-->\n\nb", []string{"a\n\n", "<!-- x\n\ny\n-->\n\n", "b"}},
		{"comment on one line", "<!-- x -->\n\nb", []string{"<!-- x -->\n\n", "b"}},
		{"raw HTML", "<PRE class=x>\n\n# y\n</pre>\nb\n\n<prefix>\n\nc", []string{"<PRE class=x>\n\n# y\n</pre>\nb\n\n", "<prefix>\n\n", "c"}},
		{"table", "| a | b |\n|---|---|\n| 1 | 2 |\n\nb", []string{"| a | b |\n|---|---|\n| 1 | 2 |\n\n", "b"}},
		{"CRLF", "a\r\n\r\n```\r\nx\r\n\r\n```\r\n", []string{"a\r\n\r\n", "```\r\nx\r\n\r\n```\r\n"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, cutStrings(tt.body, blocks)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSentences(t *testing.T) {
	for body, want := range map[string][]string{
		"":                 nil,
		"No stop":          {"No stop"},
		"One.  Two! v1.2?": {"One.  ", "Two! ", "v1.2?"},
		"第一句。第二句！第三":       {"第一句。", "第二句！", "第三"},
	} {
		if diff := cmp.Diff(want, cutStrings(body, sentences)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", body, diff)
		}
	}
}

func TestCloseFence(t *testing.T) {
	for body, want := range map[string]string{
		"plain":                  "plain",
		"```js\nx":               "```js\nx\n```",
		"```js\nx\n":             "```js\nx\n```",
		"```\nx\n```":            "```\nx\n```",
		"~~~~\nx\n~~~":           "~~~~\nx\n~~~\n~~~~",
		"- a\n\n  ```\n  x":      "- a\n\n  ```\n  x\n  ```",
		"- a\n\n  ```\n  x\n\nb": "- a\n\n  ```\n  x\n\nb",
		"    ```\n    x":         "    ```\n    x",
		"a\n\n<!-- b\n\nc":       "a\n\n<!-- b\n\nc\n-->",
		"<script>\nx":            "<script>\nx\n</script>",
		"```\n<!--\n```":         "```\n<!--\n```",
	} {
		if got := closeFence(body); got != want {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
}
