package format

import (
	"bytes"
	"strings"
	"testing"
)

// outlineOf blanks a text that is MDX.
func outlineOf(t testing.TB, text string) string {
	t.Helper()
	out, ok := blankMDX([]byte(text), 0)
	if !ok {
		t.Fatalf("%q is taken for something else than MDX", text)
	}
	if out == nil {
		return text
	}
	return string(out)
}

func TestBlankMDX(t *testing.T) {
	// Each case is the text with «what is to be blanked» in guillemets.
	tests := []struct{ name, marked string }{
		{"import", "«import A from './a'»\n\n# T\n"},
		{"imports of all forms", "«import 'a.css'»\n«import {A, B} from \"a\"»\n«import * as C from 'c'»\n«import D, {E} from 'd'»\n«import type {F} from 'f'»\n\ntext\n"},
		{"export with braces and blank lines", "«export const x = {»\n«  a: [1,»\n\n«  '}', 2],»\n«}»\n\n# T\n"},
		{"export of a function", "«export default function A({children}) {»\n«  return <p>{`}${children}`}</p> // }»\n«}»\n\n# T\n"},
		{"unbalanced export ends with a blank line", "«export const x = {»\n«  a: 1»\n\n# T\n"},
		{"a heading ends a declaration", "«import A from 'a'»\n# T\n"},
		{"prose that starts with the words", "import the module first\n\nexport your data\n\nimport from the menu\n"},
		{"a paragraph goes on with import", "To use it\nimport A from 'a'\n"},
		{"indented import is prose", "  import A from 'a'\n"},

		{"tags", "«<Note type=\"tip\">»\ntext\n«</Note>»\n"},
		{"fragment", "«<>»text«</>»\n"},
		{"self-closing", "a «<Icon name='x' size={12} {...rest} />» b\n"},
		{"attributes over lines", "«<A»\n«  b={{c: '}'}}»\n«  d»\n«>»\n## T\n"},
		{"lower-case tags show what is in them", "«<div className=\"x\">»\n# T\n«</div>»\n"},
		{"heading within a component", "«<Sandpack>»\n\n## T\n\n«</Sandpack>»\n"},
		{"expressions", "a «{props.b}» c «{`${'}'}`}» d\n"},
		{"comment after a heading", "## T «{/*t*/}»\n"},
		{"comment over lines", "«{/*»\n«# hidden»\n«*/}»\n\n# T\n"},
		{"an apostrophe within an expression", "«{a && <p>Don't}»\ntext}\n"},
		{"heading id stays", "## T {#t}\n"},
		{"element within an attribute", "«<A b={<C d=\"}\"/>}>»text«</A>»\n"},

		{"autolinks and comparisons", "<https://a.example/b> <me@a.example> a < b, x<5, <- and 1 <2>\n"},
		{"escapes", "\\<A> \\{b}\n"},
		{"unclosed", "a {b and <C d=\"e\n"},
		{"HTML comment", "<!-- <A> {b}\n# hidden -->\ntext «<A>»\n"},
		{"raw elements", "<pre>\n# x {y} <B>\n</pre>\n<script>\nif (a < b) {}\n</script>\n«<p>»\n"},

		{"code span", "`<A>` and ``{b} ` <C>`` and «<D/>»\n"},
		{"unclosed code span ends with its paragraph", "a ` b «<A>»\n\n«<B>» ` c\n"},
		{"fence", "```jsx title=\"a\"\nimport React from 'react'\n<A>{b}</A>\n```\n«<A>»\n"},
		{"tilde fence with backticks in it", "~~~\n```\n<A>\n~~~\n«<B>»\n"},
		{"longer fence", "````\n```\n<A>\n```\n````\n«<B>»\n"},
		{"fence deep within a component", "«<A>»\n      ```js\n      <B>\n      ```\n«</A>»\n"},
		{"fence in a list", "- a\n- ```js\n  import x from 'x'\n  ```\n«<B>»\n"},
		{"fence in a numbered list", "1. ```\n   {a}\n   ```\n"},
		{"fence in a quote ends with it", "> ```\n> {a}\n«{b}»\n"},
		{"unclosed fence", "```\n<A>\n{b}\n"},
		{"no fence: backticks in its info", "``` a`b\n«<A>»\n"},
		{"CRLF", "«import A from 'a'»\r\n\r\n«<A»\r\n«/>»\r\n# T\r\n"},
		{"Chinese", "«<提示>»说明«</提示>»\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, want := unmark(tt.marked)
			if got := outlineOf(t, text); got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

// unmark returns the text without guillemets, and with what they hold blanked.
func unmark(marked string) (text, blanked string) {
	for marked != "" {
		before, rest, _ := strings.Cut(marked, "«")
		inside, after, _ := strings.Cut(rest, "»")
		text += before + inside
		blanked += before + strings.Repeat(" ", len(inside))
		marked = after
	}
	return text, blanked
}

func TestMDXDocument(t *testing.T) {
	text := "---\ntitle: <A> {b}\n---\nimport A from 'a'\n\n# T\n"
	doc := read(t, "a.mdx", text, Options{})
	if string(doc.Outline) != strings.Replace(text, "import A from 'a'", strings.Repeat(" ", 17), 1) {
		t.Errorf("outline %q", doc.Outline)
	}
	if doc := read(t, "a.md", text, Options{}); doc.Outline != nil {
		t.Errorf("Markdown has an outline: %q", doc.Outline)
	}
	if doc := read(t, "a.md", text, Options{MDX: true}); doc.Outline == nil {
		t.Error("Markdown read as MDX has no outline")
	}
	if doc := read(t, "a.mdx", "# T\n", Options{}); doc.Outline != nil {
		t.Errorf("nothing to blank, but an outline: %q", doc.Outline)
	}
}

func TestMDXConstructBound(t *testing.T) {
	for _, n := range []int{maxConstruct, maxConstruct + 1} {
		text := "{" + strings.Repeat("x", n-2) + "}"
		if blanked := outlineOf(t, text)[0] == ' '; blanked != (n == maxConstruct) {
			t.Errorf("expression of %d bytes: blanked %v", n, blanked)
		}
	}
}

func TestMDXFailureBound(t *testing.T) {
	for _, n := range []int{maxFailures - 1, maxFailures} {
		// Each "{ " fails at the end of the text.
		text := "<A/>" + strings.Repeat("{ ", n) + "<B/>"
		got := outlineOf(t, text)
		if got[0] != ' ' || (got[len(got)-2] == ' ') != (n < maxFailures) {
			t.Errorf("after %d failures: %q", n, got)
		}
	}
}

func TestTangledTextIsNoMDX(t *testing.T) {
	tangled := strings.Repeat("<a", maxPasses+1) + strings.Repeat(">", maxPasses+1)
	if out, ok := blankMDX([]byte(tangled), 0); ok || out != nil {
		t.Errorf("%q, %v", out, ok)
	}
	doc := read(t, "a.mdx", tangled, Options{})
	if doc.Outline != nil || len(doc.Warnings) != 1 {
		t.Errorf("outline %q, warnings %q", doc.Outline, doc.Warnings)
	}
	outlineOf(t, strings.Repeat("<a", maxPasses-2)+strings.Repeat(">", maxPasses-2))
}

func TestHostileMDXStaysLinear(t *testing.T) {
	// Quadratic work on any of these would run for hours.
	for _, unit := range []string{"{", "<a {", "<!--", "<pre>\n", "`x``", "<a b=\"", "import {", "import {\n\n", "{/*", `{"\"`, "export const a = `", "<a\n", "> ```\n", "{`${"} {
		text := []byte(strings.Repeat(unit, 1<<20/len(unit)))
		if out, _ := blankMDX(text, 0); out != nil && len(out) != len(text) {
			t.Errorf("%q: %d bytes for %d", unit, len(out), len(text))
		}
	}
}

func FuzzBlankMDX(f *testing.F) {
	for _, seed := range []string{
		"import A from 'a'\n\n# T\n<A b={c}/>\n```\n{x}\n```\n", "export const x = {\n\n}\n\n", "> ```\n> a\nb {c}",
		"<a<b>>", "<A>```js", "{`${`}`}`}", "- ```\n  {a}\n  ```", "<!-- <A> -->\r\n<pre>{</pre>", "\\<a>`{`",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		out, ok := blankMDX([]byte(text), 0)
		if !ok || out == nil {
			return
		}
		if len(out) != len(text) {
			t.Fatalf("%d bytes for %d", len(out), len(text))
		}
		for i := range out {
			if out[i] != text[i] && (out[i] != ' ' || text[i] == '\n' || text[i] == '\r') {
				t.Fatalf("byte %d: %q became %q", i, text[i], out[i])
			}
		}
		if again, ok := blankMDX(out, 0); !ok || again != nil {
			t.Fatalf("not idempotent: %q, then %q", out, again)
		}
	})
}

func FuzzMDXFence(f *testing.F) {
	f.Add("import A from 'a'\n<A>{b}</A>")
	f.Add("`` ` ```x")
	f.Fuzz(func(t *testing.T, code string) {
		for line := range strings.Lines(code) {
			if strings.HasPrefix(strings.TrimLeft(line, " \t\r"), "~~~") {
				return
			}
		}
		fence := "~~~jsx\n" + code + "\n~~~\n"
		out, _ := blankMDX([]byte("<A>\n\n"+fence+"\n</A>\n"), 0)
		if !bytes.Contains(out, []byte(fence)) || !bytes.HasPrefix(out, []byte("   \n")) || !bytes.HasSuffix(out, []byte("    \n")) {
			t.Fatalf("%q", out)
		}
	})
}

func BenchmarkBlankMDX(b *testing.B) {
	text := []byte(strings.Repeat("import A from 'a'\n\n## T {/*t*/}\n\nSome `code` and <A b=\"c\">text</A>.\n\n```js\nconst a = {b}\n```\n\n", 1000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		blankMDX(text, 0)
	}
}
