package site

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"evergreen"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// everything is all that a site writes, by path; structured data and headers
// under the path of their page.
func everything(t *testing.T, in Input) map[string]string {
	t.Helper()
	s := must(t, in)
	all := map[string]string{}
	for r := range s.Resources() {
		all[r.Path] = read(t, s, r.Path)
	}
	for _, p := range s.Pages() {
		graph, err := s.JSONLD(p)
		if err != nil {
			t.Fatal(err)
		}
		all["jsonld "+p.Path] = string(graph)
		all["links "+p.Path] = LinkHeader(s.Links(p)) + "\n" + LinkHeader(s.MirrorLinks(p)) + "\n" + LinkHeader(s.HeadLinks(p)) + "\n"
	}
	all["header Content-Signal"] = s.ContentSignal() + "\n"
	all["404"] = s.NotFound("/whatever", evergreen.LangEnglish).Text()
	return all
}

// TestOneChange: a change of the input changes every document that names it and
// no other. What changes is found by comparing all documents.
func TestOneChange(t *testing.T) {
	before := everything(t, exampleInput())
	for _, c := range []struct {
		name   string
		change func(*Input)
		want   []string // what changes
		has    string   // what stands in each of them afterwards
	}{
		{"a heading", func(in *Input) {
			f := in.Snapshot.(*fake)
			f.documents[1].Title = "Changing keys"
			f.texts["docs/guide/keys.md"] = strings.Replace(f.texts["docs/guide/keys.md"], "Rotating keys", "Changing keys", 1)
		}, []string{"/context.json", "/guide/keys.html.md", "/llms-full.txt", "/llms.txt", "/docs/docs/llms.txt", "jsonld /guide/keys.html"},
			"hanging"},
		{"the contact", func(in *Input) { in.Policy.Contact = "new@example.org" },
			[]string{"/ai-policy.json", "/ai.txt", "/openapi.json"}, "new@example.org"},
		{"the rate limit", func(in *Input) { in.Policy.Rate.PerMinute = 77 },
			[]string{"/ai-policy.json", "/ai.txt", "/context.json"}, "77"},
		{"the licence", func(in *Input) { in.Policy.Licence = "CC0-1.0" },
			[]string{"/ai-policy.json", "/ai.txt", "/context.json", "/openapi.json", "/.well-known/agent-skills/example-docs/SKILL.md",
				"/.well-known/agent-skills/index.json", "jsonld /", "jsonld /guide/install.html", "jsonld /guide/keys.html",
				"links /", "links /guide/install.html", "links /guide/keys.html"}, ""},
		{"training", func(in *Input) { in.Policy.Training = evergreen.No },
			[]string{"/ai-policy.json", "/ai.txt", "/robots.txt", "header Content-Signal"}, "no"},
		{"a tool's description", func(in *Input) { in.Tools[1].Description = "Returns exactly one entry." },
			[]string{"/.well-known/agent-card.json", "/.well-known/mcp/server-card.json", "/mcp/server-card"}, "exactly one entry"},
		{"one tool less", func(in *Input) { in.Tools = in.Tools[:2] },
			[]string{"/.well-known/agent-card.json", "/.well-known/ard.json", "/.well-known/mcp/server-card.json", "/mcp/server-card",
				"/.well-known/agent-skills/example-docs/SKILL.md", "/.well-known/agent-skills/index.json"}, ""},
		{"the text of a page", func(in *Input) { in.Snapshot.(*fake).texts["docs/guide/keys.md"] += "\nMorewords.\n" },
			[]string{"/context.json", "/guide/keys.html.md", "/llms-full.txt", "404"}, ""},
		{"nothing", func(*Input) {}, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := exampleInput()
			c.change(&in)
			after := everything(t, in)
			var changed []string
			for path, body := range after {
				if body != before[path] {
					changed = append(changed, path)
					if !strings.Contains(body, c.has) {
						t.Errorf("%s changed, but does not name %q:\n%s", path, c.has, cmp.Diff(before[path], body))
					}
				}
			}
			if len(after) != len(before) {
				t.Errorf("%d documents became %d", len(before), len(after))
			}
			slices.Sort(changed)
			want := slices.Sorted(slices.Values(c.want))
			if diff := cmp.Diff(want, changed); diff != "" {
				t.Errorf("changed documents (-want +got):\n%s", diff)
			}
		})
	}
}

// TestGolden shows every document of two sites as it is written.
func TestGolden(t *testing.T) {
	chinese := exampleInput()
	f := &fake{revision: "r2", at: exampleInput().Snapshot.Time()}
	f.document("手册", "index.md", "# 手册\n\n从[安装](指南/安装.md)开始。\n", evergreen.Meta{Lang: "zh"})
	f.document("手册", "指南/安装.md", "---\nupdated: 2026-01-02\n---\n# 安装\n\n先装 `示例`。\n\n## 验证\n\n运行它。\n", evergreen.Meta{Updated: "2026-01-02", Lang: "zh"})
	f.entry("知识", evergreen.Entry{ID: "ZH-001", Category: "fact", Title: "什么是示例？", Body: "一个<任务>服务器 & 更多。", Tags: []string{"faq"}, Updated: "2026-03-04"})
	chinese.Snapshot = f
	chinese.Options.Layout, chinese.Options.Name, chinese.Options.Subject, chinese.Options.Topics = LayoutDocs, "示例文档", "示例", ""
	chinese.Options.Languages, chinese.Options.Questions, chinese.Options.Software = []string{"zh-CN"}, nil, nil
	chinese.Options.Summary = ""
	for name, in := range map[string]Input{"example": exampleInput(), "chinese": chinese} {
		var b strings.Builder
		all := everything(t, in)
		for _, path := range slices.Sorted(maps.Keys(all)) {
			body := all[path]
			if len(body) > 12_000 {
				body = body[:4000] + "\n[...]\n"
			}
			b.WriteString("-- " + path + " --\n" + body)
		}
		file := filepath.Join("testdata", name+".golden.txt")
		if *update {
			if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), b.String()); diff != "" {
			t.Errorf("%s (-want +got; rewrite with -update):\n%s", name, diff)
		}
	}
}

func TestLayers(t *testing.T) {
	s := must(t, exampleInput())
	layers, err := s.Layers()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, l := range layers {
		seen[l.Layer] = true
		if l.Tokens <= 0 || l.Bytes <= 0 {
			t.Errorf("%+v measures nothing", l)
		}
		if body, ok := s.Lookup(l.Path); ok && !body.Streamed && s.o.Count(read(t, s, l.Path)) != l.Tokens {
			t.Errorf("%s: %d tokens", l.Path, l.Tokens)
		}
	}
	for _, want := range []string{"L1", "L2", "L3", "L4", "L5", "L7"} {
		if !seen[want] {
			t.Errorf("no document of layer %s", want)
		}
	}
	if roughly(s.FullTokens()) != "6,400" {
		t.Errorf("the whole text has %d tokens", s.FullTokens())
	}
}
