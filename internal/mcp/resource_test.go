package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"evergreen"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestURIs(t *testing.T) {
	for _, c := range []struct{ given, want string }{
		{"evergreen://react/learn/state.md", "evergreen://react/learn/state.md"},
		{"evergreen://react/指南/状态.md", "evergreen://react/%E6%8C%87%E5%8D%97/%E7%8A%B6%E6%80%81.md"},
		{"evergreen://react/%E6%8C%87%e5%8d%97/状态.md", "evergreen://react/%E6%8C%87%E5%8D%97/%E7%8A%B6%E6%80%81.md"},
		{"evergreen://react/a%2Fb.md", "evergreen://react/a/b.md"},
		{"evergreen://my docs/a b.md", "evergreen://my%20docs/a%20b.md"},
		{"evergreen://react/a.md#section", "evergreen://react/a.md"},
		{"evergreen://react/c%23.md", "evergreen://react/c%23.md"},
		{"EVERGREEN://react/a.md", "evergreen://react/a.md"},
		{"evergreen://react/100%.md", "evergreen://react/100%25.md"},
		{"evergreen://react", "evergreen://react"},
		{"skill://docs/SKILL.md", "skill://docs/SKILL.md"},
	} {
		if got := canonicalURI(c.given); got != c.want {
			t.Errorf("canonicalURI(%q) = %q, want %q", c.given, got, c.want)
		}
		if again := canonicalURI(c.want); again != c.want {
			t.Errorf("canonicalURI(%q) = %q: not a fixed point", c.want, again)
		}
	}
}

func FuzzURI(f *testing.F) {
	f.Add("react", "指南/状态.md")
	f.Add("a b", "c#d?e%f.md")
	f.Fuzz(func(t *testing.T, collection, path string) {
		if collection == "" || path == "" {
			t.Skip()
		}
		c, p, ok := splitURI(documentURI(collection, path))
		if !ok || c != collection || p != path {
			t.Errorf("%q %q came back as %q %q", collection, path, c, p)
		}
	})
}

func TestReadResource(t *testing.T) {
	f := smallLibrary()
	session := connect(t, serve(t, f), nil)
	const want = "# 状态\n\n状态是记忆。\n"
	for _, uri := range []string{"evergreen://react/指南/状态.md", documentURI("react", "指南/状态.md")} {
		r, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			t.Fatal(err)
		}
		c := r.Contents[0]
		if c.Text != want || c.MIMEType != "text/markdown" || c.URI != documentURI("react", "指南/状态.md") {
			t.Errorf("%s: %+v", uri, c)
		}
		if r.TTLMs != readTTL || r.CacheScope != "public" {
			t.Errorf("may be cached %d ms, %q", r.TTLMs, r.CacheScope)
		}
	}
	_, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "evergreen://react/nothing.md"})
	if err == nil || !strings.Contains(err.Error(), "Resource not found; nearest: learn/state.md") {
		t.Errorf("unknown document: %v", err)
	}
}

func TestReadResourceIsBounded(t *testing.T) {
	f := smallLibrary()
	for _, size := range []int{maxResourceBytes, maxResourceBytes + 1} {
		session := connect(t, serve(t, f), nil) // a client keeps what it has read
		f.texts["learn/state.md"] = strings.Repeat("a", size)
		r, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "evergreen://react/learn/state.md"})
		if err != nil {
			t.Fatal(err)
		}
		got := r.Contents[0].Text
		cutShort := strings.Contains(got, fmt.Sprintf("%d of %d bytes shown", maxResourceBytes, size))
		if cutShort != (size > maxResourceBytes) || len(got) > maxResourceBytes+200 {
			t.Errorf("%d bytes: answered %d, cut %v", size, len(got), cutShort)
		}
	}
}

// All documents are listed once, in order, over as many pages as it takes.
func TestListResources(t *testing.T) {
	f := &fakeEngine{revision: "1", collections: []evergreen.Collection{{Name: "b"}, {Name: "a"}}, texts: map[string]string{}}
	want := []string{"skill://evergreen-docs/SKILL.md"}
	for _, c := range []string{"a", "b"} {
		for i := range resourcePage + 7 {
			path := fmt.Sprintf("%04d/文.md", i)
			f.documents = append(f.documents, evergreen.Document{Collection: c, Path: path, Title: "T", Bytes: 9,
				Sections: []evergreen.Section{{ID: evergreen.SectionID(c, path, "t#1")}, {ID: evergreen.SectionID(c, path, "t/u#2")}}})
			want = append(want, documentURI(c, path))
		}
	}
	f.meta = evergreen.Meta{Updated: "2026-11-30", Description: "About."}
	s := serve(t, f)
	session := connect(t, s, nil)
	var got []string
	pages := 0
	for cursor, first := "", true; first || cursor != ""; first = false {
		list, err := session.ListResources(t.Context(), &sdk.ListResourcesParams{Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		if len(list.Resources) > resourcePage || list.TTLMs != listTTL || list.CacheScope != "public" {
			t.Fatalf("page of %d, cache %d %q", len(list.Resources), list.TTLMs, list.CacheScope)
		}
		for _, r := range list.Resources {
			got = append(got, r.URI)
		}
		last := list.Resources[len(list.Resources)-1]
		if last.MIMEType != "text/markdown" || last.Annotations == nil || last.Annotations.LastModified != "2026-11-30" || last.Size != 9 || last.Description != "About." {
			t.Fatalf("last resource %+v", last)
		}
		cursor = list.NextCursor
		pages++
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if pages != 3 {
		t.Errorf("%d pages", pages)
	}
	if _, err := session.ListResources(t.Context(), &sdk.ListResourcesParams{Cursor: "nonsense"}); err == nil {
		t.Error("a foreign cursor was accepted")
	}
}

func TestTemplatesAndPromptsAreListed(t *testing.T) {
	session := connect(t, serve(t, smallLibrary()), nil)
	templates, err := session.ListResourceTemplates(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(templates.ResourceTemplates) != 1 || templates.ResourceTemplates[0].URITemplate != "evergreen://{collection}/{+doc_path}" || templates.CacheScope != "public" {
		t.Errorf("templates %+v", templates)
	}
	prompts, err := session.ListPrompts(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(prompts.Prompts) != 4 || prompts.Prompts[0].Name != "chat" || prompts.TTLMs != listTTL {
		t.Errorf("prompts %+v", prompts)
	}
	pack, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "coding", Arguments: map[string]string{"lang": "zh"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := pack.Messages[0].Content.(*sdk.TextContent).Text; got != "pack coding zh" {
		t.Errorf("prompt %q", got)
	}
	if _, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "chat", Arguments: map[string]string{"lang": "fr"}}); err == nil {
		t.Error("an unknown language was accepted")
	}
}

func TestCompletions(t *testing.T) {
	session := connect(t, serve(t, smallLibrary()), nil)
	document := &sdk.CompleteReference{Type: "ref/resource", URI: documentTemplate}
	for _, c := range []struct {
		ref             *sdk.CompleteReference
		argument, typed string
		collection      string
		want            []string
	}{
		{document, "collection", "", "", []string{"vue", "react"}},
		{document, "collection", "RE", "", []string{"react"}},
		{document, "doc_path", "", "react", []string{"learn/state.md", "指南/状态.md"}},
		{document, "doc_path", "状态", "react", []string{"指南/状态.md"}},
		{document, "doc_path", "", "nothing", []string{}},
		{document, "doc_path", "", "", []string{}},
		{&sdk.CompleteReference{Type: "ref/prompt", Name: "chat"}, "lang", "z", "", []string{"zh"}},
	} {
		p := &sdk.CompleteParams{Ref: c.ref, Argument: sdk.CompleteParamsArgument{Name: c.argument, Value: c.typed}}
		if c.collection != "" {
			p.Context = &sdk.CompleteContext{Arguments: map[string]string{"collection": c.collection}}
		}
		r, err := session.Complete(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, r.Completion.Values); diff != "" {
			t.Errorf("%s %q: -want +got:\n%s", c.argument, c.typed, diff)
		}
	}
}

// What is listed, what its digest says and what is read are the same bytes.
func TestSkillIsTheSameEverywhere(t *testing.T) {
	s := serve(t, smallLibrary(), func(o *Options) { o.Title, o.BaseURL = "Example: Docs", "https://docs.example.com" })
	session := connect(t, s, nil)
	r, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "skill://example-docs/SKILL.md"})
	if err != nil {
		t.Fatal(err)
	}
	got := r.Contents[0].Text
	sum := sha256.Sum256([]byte(got))
	entry := s.skill.Resources[0]
	if entry.Digest != "sha256:"+hex.EncodeToString(sum[:]) || entry.Size != len(got) || got != string(s.Skill()) {
		t.Errorf("digest %s and size %d are not of the text that is read", entry.Digest, entry.Size)
	}
	for _, want := range []string{"---\nname: example-docs\ndescription: ", "https://docs.example.com/api/context"} {
		if !strings.Contains(got, want) {
			t.Errorf("the skill lacks %q:\n%s", want, got)
		}
	}
	if d, _ := s.skill.Frontmatter["description"].(string); !strings.Contains(d, "Search Example: Docs and") {
		t.Errorf("description %q", d)
	}
}

func TestBadSkillIsRefused(t *testing.T) {
	for _, bad := range []string{"# No front matter", "---\nname: A B\ndescription: d\n---\n", "---\nname: a\n---\n", "---\n: :\n---\n"} {
		if _, err := New(Options{Engine: &fakeEngine{}, Skill: []byte(bad)}); err == nil {
			t.Errorf("accepted %q", bad)
		}
	}
}
