package afdocs

import "testing"

func TestPlainMarkdown(t *testing.T) {
	for _, tt := range []struct{ markdown, want string }{
		{"# Title\n\nSome *words* and **more** of_them.", "title some words and more of_them."},
		{"- [Link](https://a.example/x_(y)): a sentence", "link: a sentence"},
		{"1. first\n2. second", "first second"},
		{"Call `mcp__evergreen__search` - it is `a*b*c`.", "call mcp__evergreen__search - it is a*b*c."},
		{"```sh\nls *.md\n# no title\n```\n", "ls *.md # no title"},
		{"| a | b |\n| - | - |\n| c_d | e |", "a b - - c_d e"},
		{"![alt text](x.png) <b>bold</b> and &lt;tag&gt;", "alt text bold and tag"},
		{"> quoted\n> twice", "quoted twice"},
		{`\*not emphasis\* and \_this\_`, "*not emphasis* and _this_"},
		{"a “quote” – and…", `a "quote" - and...`},
	} {
		if got := normalize(plainMarkdown(tt.markdown)); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.markdown, got, tt.want)
		}
	}
}

func TestCompare(t *testing.T) {
	page, mirror := "<main><nav><p>Navigation of this page, long enough</p></nav>", "# Title\n\n"
	for _, s := range []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"} {
		page += "<p>Paragraph number " + s + " of this page.</p>"
		if s != "ten" {
			mirror += "Paragraph number *" + s + "* of this page.\n\n"
		}
	}
	if missing, of, first := compare(page+"</main><footer><p>All rights are reserved here.</p></footer>", mirror); missing != 1 || of != 11 || first != "Paragraph number ten of this page." {
		t.Errorf("%d of %d, %q", missing, of, first)
	}
	if missing, of, _ := compare("<p>One paragraph that is not there.", "Other."); missing != 0 || of != 1 {
		t.Errorf("a short page: %d of %d", missing, of)
	}
}

func TestOpenFence(t *testing.T) {
	for text, line := range map[string]int{
		"a\n```go\nx\n```\n": 0, "a\n```go\nx\n": 2, "~~~\n```\n~~~\n": 0, "````\n```\n````\n": 0, "> ```\n> x\n> ```\n": 0,
		"- ```\n  x\n  ```\n": 0, "use ```x``` here": 0, "```a `b` c\n": 0, "```\n~~~\n": 1,
	} {
		if got := openFence(text); got != line {
			t.Errorf("%q: line %d, want %d", text, got, line)
		}
	}
}

func TestBegins(t *testing.T) {
	prose := "This is a sentence of prose that is long enough to count as content of a page."
	for _, tt := range []struct {
		text string
		at   int
	}{
		{"# Title\n\n" + prose, 0},
		{"[Home](/)\n[Docs](/docs)\n\n# Title\n\n" + prose, 25},
		{"# Menu\n\n## Menu\n\n# Title\n\n" + prose, 17},
		{"var a = 1;\n" + prose, 11},
		{"", 0},
	} {
		if got := begins(tt.text); got != tt.at {
			t.Errorf("%.40q begins at %d, want %d", tt.text, got, tt.at)
		}
	}
}

func TestCoefficients(t *testing.T) {
	if grade(100) != "A+" || grade(99) != "A" || grade(90) != "A" || grade(89) != "B" || grade(70) != "C" || grade(60) != "D" || grade(59) != "F" {
		t.Error("grades")
	}
	if chars("a幻😀") != 4 {
		t.Errorf("%d", chars("a幻😀"))
	}
}
