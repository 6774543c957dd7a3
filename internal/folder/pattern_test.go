package folder

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each verdict is git's own (git check-ignore).
var ignoreCases = []struct {
	rules, path string // a path with a final slash is a folder
	want        bool
}{
	{"*.txt", "a.txt", true},
	{"*.txt", "sub/a.txt", true},
	{"*.txt", "a.txt.md", false},
	{"/a.txt", "a.txt", true},
	{"/a.txt", "sub/a.txt", false},
	{"sub/a.txt", "sub/a.txt", true},
	{"sub/a.txt", "x/sub/a.txt", false},
	{"sub/*.txt", "sub/a.txt", true},
	{"sub/*.txt", "sub/x/a.txt", false},
	{"build/", "build/", true},
	{"build/", "build", false},
	{"build/", "x/build/", true},
	{"/build/", "x/build/", false},
	{"a/b/", "a/b/", true},
	{"**/foo", "foo", true},
	{"**/foo", "a/b/foo", true},
	{"**/foo/bar", "a/foo/bar", true},
	{"foo/**", "foo/a", true},
	{"foo/**", "foo/a/b", true},
	{"foo/**", "foo/", false},
	{"a/**/b", "a/b", true},
	{"a/**/b", "a/x/b", true},
	{"a/**/b", "a/x/y/b", true},
	{"a/**/b", "x/a/b", false},
	{"a/**/b/**/c", "a/b/x/b/c", true},
	{"**", "a/b", true},
	{"/**", "a", true},
	{"a**b", "axxb", true},
	{"a**b/c", "ax/b/c", false},
	{"*", "a", true},
	{"?.md", "a.md", true},
	{"?.md", "ab.md", false},
	{"a?b/c", "a/b/c", false},
	{"[abc].md", "b.md", true},
	{"[!abc].md", "b.md", false},
	{"[^abc].md", "d.md", true},
	{"[a-c]x", "bx", true},
	{"[c-a]x", "bx", false},
	{"[]-]x", "]x", true},
	{"[]-]x", "-x", true},
	{"[a-]x", "-x", true},
	{"[[:digit:]]x", "5x", true},
	{"[[:digit:]]x", "ax", false},
	{"[![:space:]]x", "ax", true},
	{"[a", "[a", false},
	{`[\]]x`, "]x", true},
	{`\*.md`, "*.md", true},
	{`\*.md`, "a.md", false},
	{`\#a`, "#a", true},
	{"#a", "#a", false},
	{`\!a`, "!a", true},
	{"a ", "a", true},
	{`a\ `, "a ", true},
	{`a\ `, "a", false},
	{"a\r\nb\r\n", "b", true},
	{"\xEF\xBB\xBFa", "a", true},
	{"", "a", false},
	{"/", "a", false},
	{"!", "a", false},
	{"*.md\n!a.md", "a.md", false},
	{"!a.md\n*.md", "a.md", true},
	{"*.md\n!a.md\na.md", "a.md", true},
	{"*.md\n!/a.md", "x/a.md", true},
	{"{a,b}.md", "a.md", false},
	{"{a,b}.md", "{a,b}.md", true},
	{"安装*.md", "x/安装指南.md", true},
	{"A.md", "a.md", false},
}

func TestIgnorePatterns(t *testing.T) {
	for _, tt := range ignoreCases {
		r := (*rules)(nil).add(rules{name: ignoreFile, patterns: parsePatterns([]byte(tt.rules))})
		path, dir := strings.CutSuffix(tt.path, "/")
		if got := r.ignore(path, dir) != ""; got != tt.want {
			t.Errorf("%q on %q: ignored %v, want %v", tt.rules, tt.path, got, tt.want)
		}
	}
}

func TestManyStarsStayCheap(t *testing.T) {
	name := strings.Repeat("a", 5000)
	if matchName(strings.Repeat("*a", 500)+"b", name) || matchSegments(strings.Split(strings.Repeat("**/a/", 200)+"b", "/"), strings.Split(strings.Repeat("a/", 2000)+"c", "/")) {
		t.Error("matched what it must not")
	}
}

func TestIgnoreFileIsReadToItsBound(t *testing.T) {
	name := filepath.Join(t.TempDir(), ignoreFile)
	for _, tt := range []struct {
		padding int
		want    int
	}{{maxIgnoreBytes - 2, 1}, {maxIgnoreBytes, 0}} {
		if err := os.WriteFile(name, []byte(strings.Repeat("\n", tt.padding)+"a\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		patterns, err := readPatterns(name)
		if err != nil || len(patterns) != tt.want {
			t.Errorf("after %d bytes: %d patterns, %v", tt.padding, len(patterns), err)
		}
	}
}

func FuzzIgnore(f *testing.F) {
	for _, tt := range ignoreCases {
		f.Add(tt.rules, tt.path)
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		for _, p := range parsePatterns([]byte(text)) {
			p.match(path, true)
			if p.match(path, false) && !p.match(path, true) {
				t.Fatalf("%q matches a file but not a folder", text)
			}
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		var escaped strings.Builder
		for _, c := range []byte(name) {
			escaped.WriteString("\\" + string([]byte{c}))
		}
		if p, ok := parsePattern("/" + escaped.String()); ok && !strings.ContainsAny(name, "\n\r") && !p.match(name, false) {
			t.Fatalf("the escaped name %q does not match itself", name)
		}
	})
}
