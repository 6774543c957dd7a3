package ui_test

// This file holds evergreen.mjs equal to the server: the same bundle, byte for
// byte, from the same knowledge bases and questions.

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"evergreen"
	"evergreen/docs"
	"evergreen/internal/engine"
	"evergreen/internal/kb"
	"evergreen/internal/offline"
	"evergreen/internal/pack"
)

// questions is how many are asked of each knowledge base; -short asks fewer.
const questions, fewQuestions = 10_000, 1_000

func TestBrowserAnswersEqualTheServers(t *testing.T) {
	n := startNode(t)
	g := newGenerator(1)
	own, err := docs.Files.ReadFile(docs.KnowledgeFile)
	if err != nil {
		t.Fatal(err)
	}
	count := questions
	if testing.Short() {
		count = fewQuestions
	}
	bases := []*base{
		newBase(t, map[string][]byte{"kb": own}),
		newBase(t, map[string][]byte{"gen": g.knowledge(48, "GEN"), "other": g.knowledge(24, "GEN")}),
	}
	var asked shares
	for i, b := range bases {
		n.call(map[string]any{"op": "knowledge", "data": b.data(t)})
		list := make([]map[string]any, count)
		for q := range list {
			list[q] = g.question(b.categories, b.collections)
		}
		go func() {
			for _, params := range list {
				n.send(map[string]any{"op": "ask", "base": i, "params": params})
			}
		}()
		for _, params := range list {
			bundle, text := b.ask(t, params)
			asked.count(params["topic"].(string), bundle)
			text = strings.Replace(text, `"source":"api/context"`, `"source":"local-fallback"`, 1)
			if got := n.receive(); got != text {
				t.Fatalf("%v\n%s", params, cmp.Diff(pretty(text), pretty(got)))
			}
		}
	}
	t.Log(&asked)
	if asked.ties == 0 || asked.surrogates == 0 || asked.truncated == 0 || asked.empty == 0 {
		t.Error("the questions leave out a kind that they are there for")
	}
}

// base is a library of knowledge bases on both sides.
type base struct {
	engine                  *engine.Engine
	knowledge               offline.Knowledge
	categories, collections []string
}

func newBase(t *testing.T, files map[string][]byte) *base {
	t.Helper()
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	e, err := engine.Open(engine.Options{Root: t.TempDir(), Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	b := &base{engine: e}
	for name, data := range files {
		file := filepath.Join(t.TempDir(), "context.json")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		req := evergreen.IndexRequest{Source: evergreen.Source{Location: file}, Name: name}
		if _, err := e.Index(context.Background(), req, nil); err != nil {
			t.Fatal(err)
		}
		var about offline.Base
		if err := json.Unmarshal(data, &about); err != nil {
			t.Fatal(err)
		}
		about.Name = name
		b.knowledge.Collections = append(b.knowledge.Collections, about)
		b.collections = append(b.collections, name)
	}
	slices.Sort(b.collections)
	published, err := e.Publish()
	if err != nil {
		t.Fatal(err)
	}
	defer published.Close()
	b.knowledge.Revision, b.knowledge.GeneratedAt = published.Revision(), published.Time()
	b.knowledge.Entries = published.Entries()
	for _, entry := range b.knowledge.Entries {
		if !slices.Contains(b.categories, entry.Category) {
			b.categories = append(b.categories, entry.Category)
		}
	}
	return b
}

// data is what the browser gets.
func (b *base) data(t *testing.T) string {
	t.Helper()
	var w strings.Builder
	if err := offline.WriteKnowledge(&w, b.knowledge); err != nil {
		t.Fatal(err)
	}
	return w.String()
}

// ask asks the engine as /api/context does, and writes the answer as it does.
func (b *base) ask(t *testing.T, p map[string]any) (evergreen.Bundle, string) {
	t.Helper()
	text := func(name string) string { s, _ := p[name].(string); return s }
	q := evergreen.Query{
		Topic: text("topic"), Category: text("category"), Collection: text("collection"),
		Mode: text("mode"), Lang: text("lang"), AcceptLang: text("acceptLanguage"),
	}
	q.Limit, _ = p["limit"].(int)
	asked, given := p["budget"].(int)
	if !given {
		asked = evergreen.DefaultBudget
	}
	q.Budget = max(asked, 1)
	bundle, err := b.engine.Ask(context.Background(), q)
	if err != nil {
		t.Fatalf("%v: %v", p, err)
	}
	bundle.Query.Budget = asked
	return bundle, encode(t, bundle)
}

func encode(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func pretty(text string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(text), "", " ") != nil {
		return text
	}
	return b.String()
}

func TestBrowserRefusesWhatTheServerRefuses(t *testing.T) {
	n := startNode(t)
	own, err := docs.Files.ReadFile(docs.KnowledgeFile)
	if err != nil {
		t.Fatal(err)
	}
	n.call(map[string]any{"op": "knowledge", "data": newBase(t, map[string][]byte{"kb": own}).data(t)})
	for name, values := range map[string][]any{
		"budget":     {"abc", "", 1.5, "1e3"},
		"limit":      {0, "-1", "x"},
		"category":   {"nowhere"},
		"collection": {"nowhere"},
		"mode":       {"fuzzy", "bm25"},
		"lang":       {"fr"},
	} {
		for _, value := range values {
			got := n.call(map[string]any{"op": "ask", "params": map[string]any{name: value}, "base": 0})
			if got != "error: "+name {
				t.Errorf("%s=%v: %.100s", name, value, got)
			}
		}
	}
}

func TestBrowserPacksEqualTheServers(t *testing.T) {
	n := startNode(t)
	n.call(map[string]any{"op": "knowledge", "data": newBase(t, map[string][]byte{"kb": newGenerator(2).knowledge(2, "P")}).data(t)})
	for _, lang := range []string{"en", "zh"} {
		for _, s := range kb.Scenarios(lang) {
			want, err := kb.Pack(s.Name, lang)
			if err != nil {
				t.Fatal(err)
			}
			var got string
			if err := json.Unmarshal([]byte(n.call(map[string]any{"op": "pack", "base": 0, "scenario": s.Name, "lang": lang})), &got); err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("%s %s: %s", lang, s.Name, cmp.Diff(want, got))
			}
		}
	}
}

func TestBrowserCitesAsTheServerDoes(t *testing.T) {
	n := startNode(t)
	for _, e := range []evergreen.Entry{
		{ID: "react::guide/a b.md::hooks/use-effect#2", Anchor: "use-effect"},
		{ID: "react::a.b/读我::介绍#1", Anchor: "介绍 (一)!*'\""},
		{ID: "no section", Anchor: "x"},
		{ID: "EG-😀 1", Curated: true},
		{ID: "react::a.md::b#1", Curated: true},
		{ID: "x::a.md::b#1", URL: "/docs/x/a", Anchor: "b?c"},
		{ID: "x::a.md::b#1", URL: "https://example.org/a#z", Anchor: "b"},
	} {
		entry := map[string]any{"id": e.ID, "url": e.URL, "anchor": e.Anchor, "curated": e.Curated}
		got := n.call(map[string]any{"op": "url", "entry": entry, "data": "https://example.org/sub/"})
		if want := pack.CitationURL(e, "https://example.org/sub/") + " " + pack.Marker(e); got != want {
			t.Errorf("%s: got %s, want %s", e.ID, got, want)
		}
	}
}
