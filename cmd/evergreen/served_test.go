package main

// This file reads everything that a server says, over HTTP, before and after a
// change, and follows a Chinese site from end to end.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"evergreen"
	"evergreen/internal/config"

	"github.com/google/go-cmp/cmp"
)

// publicBase is the address that test servers have for others, so that two of them
// say the same.
const publicBase = "https://docs.example.com"

// servedFolder is a folder of documents behind a server.
type servedFolder struct {
	t      *testing.T
	folder string
	lib    library
	base   string
}

// serveFolder serves documents by path.
func serveFolder(t *testing.T, s config.Settings, documents map[string]string) *servedFolder {
	t.Helper()
	s.Library = t.TempDir()
	lib, err := disk{}.open(t.Context(), s, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lib.Close() }) // the folder goes anyway
	f := &servedFolder{t: t, folder: filepath.Join(t.TempDir(), "docs"), lib: lib}
	f.write(documents)
	handler, err := ownHandler(t.Context(), lib, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(handler.Close)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	f.base = server.URL
	return f
}

func (f *servedFolder) write(documents map[string]string) {
	f.t.Helper()
	for name, text := range documents {
		file := filepath.Join(f.folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			f.t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			f.t.Fatal(err)
		}
	}
	if _, err := f.lib.Index(context.Background(), evergreen.IndexRequest{Source: evergreen.Source{Location: f.folder}, Name: "docs"}, nil); err != nil {
		f.t.Fatal(err)
	}
}

// ask returns an answer that must be a 200, with the headers that speak of
// other layers.
func (f *servedFolder) ask(method, path, body string) string {
	f.t.Helper()
	q, err := http.NewRequest(method, f.base+path, strings.NewReader(body))
	if err != nil {
		f.t.Fatal(err)
	}
	if body != "" {
		q.Header.Set("Content-Type", "application/json")
	}
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		f.t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		f.t.Fatalf("%s %s: %d, %v: %.300s", method, path, r.StatusCode, err, b)
	}
	head := "Link: " + r.Header.Get("Link") + "\nContent-Signal: " + r.Header.Get("Content-Signal") + "\n\n"
	said := strings.NewReplacer(f.lib.Revision(), "{revision}", publicBase, "{base}", f.base, "{base}").Replace(head + string(b))
	return regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`).ReplaceAllString(said, "{time}") // of indexing
}

// pages are the paths in the sitemap, as they are sent.
func (f *servedFolder) pages() []string {
	var paths []string
	for _, m := range regexp.MustCompile(`<loc>\{base\}([^<]*)</loc>`).FindAllStringSubmatch(f.ask("GET", "/sitemap.xml", ""), -1) {
		paths = append(paths, m[1])
	}
	return paths
}

// everything is all that the server says, by what was asked.
func (f *servedFolder) everything() map[string]string {
	said := map[string]string{}
	for _, path := range []string{"/llms.txt", "/docs/docs/llms.txt", "/llms-full.txt", "/context.json", "/schema/context.json", "/openapi.json", "/sitemap.xml", "/robots.txt", "/ai.txt",
		"/ai-policy.json", "/.well-known/agent-card.json", "/mcp/server-card", "/.well-known/mcp/server-card.json", "/.well-known/ai-catalog.json", "/.well-known/api-catalog",
		"/.well-known/agent-skills/index.json", "/api/context?topic=signing+key", "/api/prompt-pack"} {
		said[path] = f.ask("GET", path, "")
	}
	said["tools/list"] = f.ask("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	for _, path := range f.pages() {
		said[path] = f.ask("GET", path, "")
		mirror := path + ".html.md"
		if path == "/" {
			mirror = "/index.html.md"
		}
		said[mirror] = f.ask("GET", mirror, "")
	}
	return said
}

// TestOneChangeShowsWhereItIsNamed: after a change of one heading, one policy
// value or one tool, every answer that names it is another, and no other is.
func TestOneChangeShowsWhereItIsNamed(t *testing.T) {
	documents := func() map[string]string {
		return map[string]string{
			"keys.md":  "# Rotating keys\n\nHow to rotate the signing key.\n\n## Run it\n\nRun `example keys rotate`; the old signing key stays valid.\n",
			"other.md": "# Installing\n\nUnpack it and start it.\n",
		}
	}
	settings := func() config.Settings {
		return config.Settings{Config: config.Config{Site: config.Site{BaseURL: publicBase, Name: "Example", Licence: "CC-BY-4.0"}, Server: config.Server{Tools: []string{"docs", "kb"}}}}
	}
	before := serveFolder(t, settings(), documents()).everything()
	for _, tt := range []struct {
		name   string
		change func(*config.Settings, map[string]string)
		old    string // what nobody says afterwards
		want   []string
	}{
		{"one heading", func(_ *config.Settings, d map[string]string) {
			d["keys.md"] = strings.Replace(d["keys.md"], "## Run it", "## Turn it", 1)
		}, "Run it", []string{"/", "/api/context?topic=signing+key", "/context.json", "/docs/docs/keys", "/docs/docs/keys.html.md", "/llms-full.txt"}},
		{"one policy value", func(s *config.Settings, _ map[string]string) { s.Site.Policy.Training = "no" }, "ai-train=yes",
			[]string{"/ai-policy.json", "/ai.txt", "/docs/docs.html.md", "/docs/docs/keys.html.md", "/docs/docs/other.html.md", "/index.html.md", "/robots.txt"}},
		{"one tool", func(s *config.Settings, _ map[string]string) { s.Server.Tools = []string{"docs"} }, "(or the MCP tool",
			[]string{"/.well-known/agent-card.json", "/.well-known/agent-skills/index.json", "/.well-known/ai-catalog.json", "/.well-known/mcp/server-card.json", "/llms.txt", "/docs/docs/llms.txt", "/mcp/server-card", "tools/list"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, d := settings(), documents()
			tt.change(&s, d)
			after := serveFolder(t, s, d).everything()
			var changed []string
			for path, body := range after {
				if strings.Contains(before[path], tt.old) && strings.Contains(body, tt.old) {
					t.Errorf("%s still says %q", path, tt.old)
				}
				if body != before[path] {
					changed = append(changed, path)
				}
			}
			slices.Sort(changed)
			slices.Sort(tt.want)
			if diff := cmp.Diff(tt.want, changed); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
				for _, path := range changed {
					if !slices.Contains(tt.want, path) {
						t.Log(path, cmp.Diff(before[path], after[path]))
					}
				}
			}
		})
	}
}

// TestAChineseSiteRoundTrips: paths, queries, ids, anchors and mirrors of a site
// that has no other letters.
func TestAChineseSiteRoundTrips(t *testing.T) {
	f := serveFolder(t, config.Settings{Config: config.Config{Site: config.Site{Name: "示例文档"}}}, map[string]string{
		"首页.md":    "# 首页\n\n从[安装](指南/安装.md)开始，再看[密钥轮换](指南/密钥.md#怎样轮换)。\n",
		"指南/安装.md": "# 安装\n\n先装示例，再运行它。\n\n## 检查版本：一步\n\n运行 `示例 版本`。\n",
		"指南/密钥.md": "# 密钥\n\n密钥用于签名。\n\n## 怎样轮换\n\n运行 `示例 轮换`，旧密钥在二十四小时内仍然有效。\n",
	})
	if n := len(f.pages()); n < 4 {
		t.Fatalf("%d pages", n)
	}
	for _, path := range f.pages() {
		page := f.ask("GET", path, "")
		decoded, err := url.PathUnescape(path)
		if err != nil {
			t.Fatal(err)
		}
		if path == "/" {
			continue
		}
		for _, form := range []string{path, decoded} { // as the sitemap writes it, and as people do
			if mirror := f.ask("GET", form+".html.md", ""); !strings.Contains(mirror, "\n# ") || !strings.Contains(mirror, "/llms.txt") {
				t.Errorf("%s.html.md: %s", form, mirror)
			}
		}
		if !strings.Contains(page, `<html lang="zh-CN">`) {
			t.Errorf("%s is not said to be Chinese", path)
		}
	}
	const topic = "密钥 怎样轮换"
	var b evergreen.Bundle
	_, body, _ := strings.Cut(f.ask("GET", "/api/context?topic="+url.QueryEscape(topic), ""), "\n\n")
	if err := json.Unmarshal([]byte(body), &b); err != nil || b.Query.Topic != topic || len(b.Entries) == 0 || !strings.Contains(b.Entries[0].Body, "二十四小时") {
		t.Fatalf("%v: %s", err, body)
	}
	first := b.Entries[0]
	if first.ID != "docs::指南/密钥.md::密钥/怎样轮换#2" {
		t.Errorf("id %s", first.ID)
	}
	at, err := url.Parse(strings.TrimPrefix(b.Citations[0].URL, "{base}"))
	if err != nil || !strings.Contains(f.ask("GET", at.EscapedPath(), ""), fmt.Sprintf("id=%q", at.Fragment)) || at.Fragment != "怎样轮换" {
		t.Errorf("%s leads to no heading: %v", b.Citations[0].URL, err)
	}
	call, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": "get_section", "arguments": map[string]any{"ids": []string{first.ID}}}})
	if err != nil {
		t.Fatal(err)
	}
	if said := f.ask("POST", "/mcp", string(call)); !strings.Contains(said, "二十四小时") || strings.Contains(said, `"isError":true`) {
		t.Errorf("get_section of its own id: %s", said)
	}
	for _, want := range []string{"[密钥]({base}/docs/docs/%E6%8C%87%E5%8D%97/%E5%AF%86%E9%92%A5.html.md)", "阅读顺序"} {
		if index := f.ask("GET", "/llms.txt", ""); !strings.Contains(index, want) {
			t.Errorf("llms.txt lacks %s:\n%s", want, index)
		}
	}
	for _, c := range verified(t, f.base).Checks {
		if !c.OK && !strings.HasPrefix(c.Name, "self-") {
			t.Errorf("verify: %s: %s", c.Name, c.Detail)
		}
	}
}
