package site

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"evergreen"
)

// TestSkillBytes: the digest is over what is served, and a given skill is
// served as it is.
func TestSkillBytes(t *testing.T) {
	given := exampleInput()
	given.Options.Skill = []byte("---\nname: own-skill\ndescription: \"Say: \\\"hello\\\".\"\n---\n\nBody.\n")
	for name, in := range map[string]Input{"made": exampleInput(), "given": given} {
		s := must(t, in)
		var index skillIndex
		if err := json.Unmarshal([]byte(read(t, s, "/.well-known/skills/index.json")), &index); err != nil {
			t.Fatal(err)
		}
		entry := index.Skills[0]
		body := read(t, s, strings.TrimPrefix(entry.URL, "https://docs.example.com"))
		sum := sha256.Sum256([]byte(body))
		if entry.Digest != "sha256:"+hex.EncodeToString(sum[:]) || body != string(s.Skill()) {
			t.Errorf("%s: the digest is not of the bytes served", name)
		}
		if name == "given" && (entry.Name != "own-skill" || entry.Description != `Say: "hello".` || body != string(in.Options.Skill)) {
			t.Errorf("given: %+v", entry)
		}
	}
}

func TestYAMLText(t *testing.T) {
	for in, want := range map[string]string{
		"Plain, with Example's API.": "Plain, with Example's API.", "a: b": `"a: b"`, "ends:": `"ends:"`, "x #y": `"x #y"`,
		"- list": `"- list"`, "yes": `"yes"`, "1.0": `"1.0"`, `"q"`: `"\"q\""`, "": `""`, "中文：说明": "中文：说明", "two\nlines": "two lines", "<a> & b": "<a> & b",
	} {
		if got := yamlText(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestSkillName(t *testing.T) {
	for in, want := range map[string]string{
		"Example Docs": "example-docs", "React": "react-docs", "示例文档": "site-docs", "Évergreen": "vergreen-docs",
		strings.Repeat("ab ", 40): strings.TrimSuffix(strings.Repeat("ab-", 22)[:maxSkillName], "-"),
	} {
		if got := skillName(in); got != want || len(got) > maxSkillName {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestCutWords(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"exactly ten", 11, "exactly ten"}, {"exactly ten!", 11, "exactly"}, {"one two, three", 9, "one two"},
		{"字字字字", 3, "字字字"}, {"ab cd", 2, "ab"},
	} {
		if got := cutWords(c.in, c.n); got != c.want || utf8.RuneCountInString(got) > c.n {
			t.Errorf("%q to %d: %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

// TestQuestions: a catalogue needs two to five questions, wherever they are
// from.
func TestQuestions(t *testing.T) {
	many := []string{"a?", "b?", "c?", "d?", "e?", "f?"}
	for _, c := range []struct {
		name      string
		questions map[string][]string
		content   func(*fake)
		want      []string
	}{
		{"own", map[string][]string{"mcp": {"a?", "b?"}, "": {"z?"}}, nil, []string{"a?", "b?"}},
		{"too many", map[string][]string{"mcp": many}, nil, many[:maxQuestions]},
		{"one, and general ones", map[string][]string{"mcp": {"a?"}, "": {"b?", "a?"}}, nil, []string{"a?", "b?"}},
		{"content", nil, func(f *fake) {
			f.document("c", "a.md", "# Title A\n", evergreen.Meta{})
			f.entry("k", evergreen.Entry{ID: "1", Title: "How?", Body: "So."})
		}, []string{"How?", "Title A"}},
		{"nothing", nil, nil, []string{"What is X?", "How do I start with X?"}},
	} {
		f := &fake{}
		if c.content != nil {
			c.content(f)
		}
		s := must(t, Input{Snapshot: f, Options: Options{Subject: "X", Questions: c.questions}})
		if got := s.questions("mcp"); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestOperations: what is described is complete, and only what is served is
// written.
func TestOperations(t *testing.T) {
	s := must(t, exampleInput())
	var doc struct {
		Tags  []struct{ Name string }
		Paths map[string]map[string]struct {
			OperationID          string
			Summary, Description string
			Tags                 []string
			Responses            map[string]any
		}
	}
	if err := json.Unmarshal([]byte(read(t, s, "/openapi.json")), &doc); err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, o := range Operations() {
		got, ok := doc.Paths[o.Path][strings.ToLower(o.Method)]
		if !ok {
			t.Errorf("%s %s is missing", o.Method, o.Path)
			continue
		}
		problem := false
		for status := range got.Responses {
			problem = problem || strings.HasPrefix(status, "4")
		}
		if ids[got.OperationID] || got.Summary == "" || got.Description == "" || got.Responses["200"] == nil || !problem {
			t.Errorf("%s %s: %+v", o.Method, o.Path, got)
		}
		ids[got.OperationID] = true
		if !slices.ContainsFunc(doc.Tags, func(tag struct{ Name string }) bool { return tag.Name == got.Tags[0] }) {
			t.Errorf("tag %s is not described", got.Tags[0])
		}
	}
	for path := range doc.Paths {
		if !s.serves(path) {
			t.Errorf("%s is described, but not served", path)
		}
	}
}

// TestJSONLDCannotEndItsElement: whatever stands in titles stays data.
func TestJSONLDCannotEndItsElement(t *testing.T) {
	f := &fake{}
	f.document("c", "a.md", "# T\n", evergreen.Meta{Title: "</script><script>alert(1)</script> & more"})
	f.entry("k", evergreen.Entry{ID: "1", Title: "<b>?", Body: "a & b", Tags: []string{"faq"}})
	s := must(t, Input{Snapshot: f, Options: Options{Name: "<N>"}})
	graph, err := s.JSONLD(*pageOf(t, s, "c/a.md"))
	if err != nil || !json.Valid(graph) || strings.ContainsAny(string(graph), "<>&") {
		t.Errorf("%v: %s", err, graph)
	}
}

func TestFAQBounds(t *testing.T) {
	f := &fake{}
	for i := range maxFAQ + 1 {
		f.entry("k", evergreen.Entry{ID: fmt.Sprint(i), Title: fmt.Sprintf("Question %d?", i), Body: strings.Repeat("字", maxFAQAnswer+1)})
	}
	f.entry("k", evergreen.Entry{ID: "no", Title: "No question", Body: "x"})
	s := must(t, Input{Snapshot: f})
	if got := s.faq(); len(got) != maxFAQ {
		t.Errorf("%d questions, want %d", len(got), maxFAQ)
	}
	home, _, _ := s.PageAt("/")
	graph, err := s.JSONLD(home)
	if err != nil || strings.Contains(string(graph), strings.Repeat("字", maxFAQAnswer)) || !strings.Contains(string(graph), strings.Repeat("字", maxFAQAnswer-1)+"…") {
		t.Errorf("an answer of more than %d characters stays whole (%v)", maxFAQAnswer, err)
	}
}

func TestBreadcrumbs(t *testing.T) {
	s := must(t, Input{Snapshot: linked(), Options: Options{Name: "N"}})
	for path, want := range map[string]string{
		"/": "N /", "/docs/web": "N /, web /docs/web", "/docs/app/index": "N /, App /docs/app/index",
		"/docs/app/guide/keys":  "N /, App /docs/app/index, Guide /docs/app/guide/index, Keys /docs/app/guide/keys",
		"/docs/app/guide/index": "N /, App /docs/app/index, Guide /docs/app/guide/index",
		"/docs/web/learn/state": "N /, web /docs/web, State /docs/web/learn/state",
	} {
		p, _, ok := s.PageAt(path)
		var got []string
		for _, c := range s.Breadcrumbs(p) {
			got = append(got, c.Name+" "+c.URL)
		}
		if !ok || strings.Join(got, ", ") != want {
			t.Errorf("%s: %s, want %s", path, strings.Join(got, ", "), want)
		}
	}
}

func TestNotFoundForms(t *testing.T) {
	s := must(t, exampleInput())
	n := s.NotFound("/<b>`x`\x00\u202e"+strings.Repeat("字", 300), evergreen.LangChinese)
	if got := len([]rune(n.Path)); got != maxShownPath {
		t.Errorf("%d characters shown, want %d", got, maxShownPath)
	}
	if html := n.HTML(); strings.Contains(html, "<b>") || !strings.Contains(html, `<html lang="zh-CN">`) || strings.Contains(html, "\x00") {
		t.Errorf("HTML: %s", html)
	}
	if markdown := n.Markdown(); !strings.HasPrefix(markdown, "# 404 — Not Found\n\n请求的路径 `/<b>'x'字") {
		t.Errorf("Markdown: %s", markdown)
	}
	problem, err := n.Problem()
	if err != nil || !json.Valid(problem) || !strings.Contains(string(problem), `"title": "A2A agent card"`) {
		t.Errorf("problem: %v %s", err, problem)
	}
}

func TestHeadLinks(t *testing.T) {
	s := must(t, exampleInput())
	p, _, _ := s.PageAt("/guide/keys.html")
	var rels []string
	for _, l := range s.HeadLinks(p) {
		rels = append(rels, l.Rel)
	}
	if got, want := strings.Join(rels, " "), "canonical alternate describedby ai-catalog license"; got != want {
		t.Errorf("head: %s, want %s", got, want)
	}
	if got := LinkHeader(s.MirrorLinks(p)); !strings.HasPrefix(got, `<https://docs.example.com/guide/keys.html>; rel="canonical", `) {
		t.Errorf("mirror: %s", got)
	}
	if got := LinkHeader([]Link{{URL: "https://h/<x>", Rel: "up"}}); got != `<https://h/%3Cx%3E>; rel="up"` {
		t.Errorf("a URL with angle brackets: %s", got)
	}
}

func TestPlainTextIndex(t *testing.T) {
	in := exampleInput()
	in.Options.PlainText = true
	for _, path := range []string{"/llms.txt", "/llms-full.txt", "/docs/docs/llms.txt"} {
		if r, ok := must(t, in).Lookup(path); !ok || r.Type != "text/plain; charset=utf-8" {
			t.Errorf("%s: %q", path, r.Type)
		}
	}
}

func BenchmarkWriteFull(b *testing.B) {
	s, err := New(Input{Snapshot: large(1500), Options: Options{BaseURL: "https://h.example"}})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		c := &countingWriter{w: discard{}}
		if err := s.WriteFull(c, Full{}); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(c.n)
	}
}

func BenchmarkRewriteLinks(b *testing.B) {
	text := strings.Repeat("A line of prose with a [link](other.md#part) and `code` in it.\n\n", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		rewriteLinks(text, func(d string, _ bool) string { return d })
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
