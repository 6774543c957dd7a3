package format

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"evergreen"
)

func TestFrontMatterBounds(t *testing.T) {
	tests := []struct {
		name, text, head string // head is the front matter, "" for none
	}{
		{"yaml", "---\na: b\n---\n# T", "---\na: b\n---\n"},
		{"yaml closed by dots", "---\na: b\n...\n# T", "---\na: b\n...\n"},
		{"white space after the fences", "--- \na: b\n---\t\n# T", "--- \na: b\n---\t\n"},
		{"CRLF", "---\r\na: b\r\n---\r\n# T", "---\r\na: b\r\n---\r\n"},
		{"BOM", "\xEF\xBB\xBF---\na: b\n---\n# T", "\xEF\xBB\xBF---\na: b\n---\n"},
		{"closed at the end of the file", "---\na: b\n---", "---\na: b\n---"},
		{"empty", "---\n---\n# T", "---\n---\n"},
		{"an indented fence is data", "---\na: |\n ---\n---\nx", "---\na: |\n ---\n---\n"},
		{"thematic break: a blank line follows", "---\n\n# A\n\n---\n", ""},
		{"thematic break: white space follows", "---\n \t\n# A\n---\n", ""},
		{"thematic break: nothing follows", "---", ""},
		{"unclosed", "---\na: b\n\n# T\n", ""},
		{"four dashes", "----\na: b\n----\n", ""},
		{"indented", " ---\na: b\n---\n", ""},
		{"not on the first line", "\n---\na: b\n---\n", ""},
		{"toml", "+++\na = 'b'\n+++\n# T", "+++\na = 'b'\n+++\n"},
		{"toml with a blank line", "+++\n\na = 'b'\n+++\n# T", "+++\n\na = 'b'\n+++\n"},
		{"toml unclosed", "+++\na = 'b'\n", ""},
		{"json", "{\n \"a\": \"}\"\n}\n\n# T", "{\n \"a\": \"}\"\n}\n"},
		{"json on one line", "{\"a\": 1} \r\n# T", "{\"a\": 1} \r\n"},
		{"text after json", "{\"a\": 1} and so on\n", ""},
		{"json unclosed", "{\"a\": 1\n\n# T\n", ""},
		{"a template", "{{< note >}}\ntext\n", ""},
		{"an MDX comment", "{/* x */}\n# T\n", ""},
		{"empty file", "", ""},
	}
	for _, tt := range tests {
		fm, ok := findFrontMatter([]byte(tt.text))
		if got := tt.text[:fm.end]; got != tt.head || ok != (tt.head != "") {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.head)
		}
	}
}

func TestFrontMatterMeta(t *testing.T) {
	full := evergreen.Meta{Title: "Install: the guide", Description: "How to.", Tags: []string{"a", "b c"}, Category: "howto",
		Confidence: 0.9, Draft: true, Updated: "2026-03-01", Slug: "install", Lang: "en"}
	tests := []struct {
		name, text string
		want       evergreen.Meta
		warning    string // a part of the only one
	}{
		{"yaml", "---\nTitle: 'Install: the guide'\ndescription: >\n  How\n  to.\ntags: [a, b c]\ncategory: howto\nconfidence: 0.9\ndraft: yes\ndate: 2026-03-01T10:00:00Z\nslug: install\nlang: en\nother: {x: [1]}\n---\n", full, ""},
		{"toml", "+++\ntitle = \"Install: the guide\"\ndescription = 'How to.'\ntags = ['a', 'b c']\ncategory = 'howto'\nconfidence = 0.9\ndraft = true\ndate = 2026-03-01T10:00:00Z\nslug = 'install'\nlang = 'en'\n[other]\nx = 1\n+++\n", full, ""},
		{"json", `{"title": "Install: the guide", "description": "How to.", "tags": ["a", "b c"], "category": "howto", "confidence": 0.9, "draft": true, "date": "2026-03-01", "slug": "install", "lang": "en", "other": {"x": 1}}` + "\n", full, ""},
		{"tags by comma", "---\ntags: a, b c\n---\n", evergreen.Meta{Tags: []string{"a", "b c"}}, ""},
		{"a title that is a number or a date", "---\ntitle: 1.10\nslug: 2026-01-02\n---\n", evergreen.Meta{Title: "1.10", Slug: "2026-01-02"}, ""},
		{"nulls", "---\ntitle:\ntags: ~\ndraft:\n---\n", evergreen.Meta{}, ""},
		{"comments only", "---\n# nothing\n---\n", evergreen.Meta{}, ""},
		{"updated before date", "---\ndate: 2020-01-01\nlastmod: 2024-05-06 07:08\n---\n", evergreen.Meta{Updated: "2024-05-06"}, ""},
		{"a spelt-out date", "---\ndate: March 4, 2026\n---\n", evergreen.Meta{Updated: "2026-03-04"}, ""},
		{"published: false is a draft", "---\npublished: false\n---\n", evergreen.Meta{Draft: true}, ""},
		{"hidden is a draft", "---\nhidden: true\n---\n", evergreen.Meta{Draft: true}, ""},
		{"an alias", "---\ndescription: &d hello\ntitle: *d\n---\n", evergreen.Meta{Title: "hello", Description: "hello"}, ""},
		{"a colon without quotes", "---\ntitle: Install: the guide\ntags: [a]\nslug: 'x'\n---\n", evergreen.Meta{Title: "Install: the guide", Slug: "x"}, "mapping values"},
		{"broken toml", "+++\ntitle = x\n+++\n", evergreen.Meta{}, "front matter: "},
		{"not a mapping", "---\njust text\n---\n", evergreen.Meta{}, "no list of fields"},
		{"bad confidence", "---\nconfidence: 95\n---\n", evergreen.Meta{}, `confidence "95"`},
		{"bad date", "---\ndate: soon\n---\n", evergreen.Meta{}, `date "soon" is no date`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := read(t, "a.md", tt.text+"# T\n", Options{})
			if diff := cmp.Diff(tt.want, doc.Meta); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if warnings := strings.Join(doc.Warnings, "; "); (tt.warning == "") != (warnings == "") || !strings.Contains(warnings, tt.warning) {
				t.Errorf("warnings %q, want %q", warnings, tt.warning)
			}
			if doc.FrontMatterEnd != len(tt.text) {
				t.Errorf("ends at %d, want %d", doc.FrontMatterEnd, len(tt.text))
			}
		})
	}
}

func TestHugeFrontMatterIsNotParsed(t *testing.T) {
	for _, n := range []int{maxFrontMatter, maxFrontMatter + 1} {
		body := "title: x\n#"
		body += strings.Repeat("x", n-len(body)-1) + "\n"
		doc := read(t, "a.md", "---\n"+body+"---\n# T\n", Options{})
		if (doc.Meta.Title == "x") != (n == maxFrontMatter) || doc.FrontMatterEnd != len(body)+8 {
			t.Errorf("%d bytes: title %q, end %d, warnings %q", n, doc.Meta.Title, doc.FrontMatterEnd, doc.Warnings)
		}
	}
}

func FuzzFrontMatter(f *testing.F) {
	for _, seed := range []string{"---\na: b\n---\nx", "+++\na = 1\n+++\n", "{\"a\": [1]}\n", "\xEF\xBB\xBF---\r\na: &x [*x]\r\n...\r\n", "---\n\n---\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		fm, ok := findFrontMatter(text)
		if !ok {
			return
		}
		if !(fm.start <= fm.stop && fm.stop <= fm.end && fm.end <= len(text)) {
			t.Fatalf("%+v in %d bytes", fm, len(text))
		}
		if fm.end < len(text) && text[fm.end-1] != '\n' {
			t.Fatalf("ends within a line: %q", text[:fm.end])
		}
		one, _ := fm.fields(text)
		two, _ := fm.fields(bytes.Clone(text))
		a, _ := metaFrom(one)
		b, _ := metaFrom(two)
		if !cmp.Equal(a, b) {
			t.Fatalf("two runs differ: %+v, %+v", a, b)
		}
	})
}

// TestTOMLThatNestsIsRefused: the parser would take the square of it.
func TestTOMLThatNestsIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"a key of many parts":  "+++\n" + strings.Repeat("a.", 300) + "a = 1\n+++\n# T",
		"a table of many":      "+++\n[" + strings.Repeat("a.", 300) + "a]\n+++\n# T",
		"tables in tables":     "+++\na = " + strings.Repeat("{a=", 300) + "\n+++\n# T",
		"arrays line by line":  "+++\na = " + strings.Repeat("[\n", 300) + "\n+++\n# T",
		"hidden behind quotes": "+++\na = [\"\"\"\n' \"\"\", " + strings.Repeat("{a=", 300) + "\n+++\n# T",
	} {
		d, err := Read("a.md", []byte(text), Options{})
		if err != nil || len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], "too many parts") {
			t.Errorf("%s: %q, %v", name, d.Warnings, err)
		}
	}
	fine := "+++\ntitle = 'T'\ndescription = '" + strings.Repeat(".", 250) + "'\ntags = [\n" + strings.Repeat("['a'],\n", 1000) + "]\n+++\n# T"
	if d, err := Read("a.md", []byte(fine), Options{}); err != nil || d.Meta.Title != "T" {
		t.Errorf("within the bound: %+v, %v", d.Meta, err)
	}
}
