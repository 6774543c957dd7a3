package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/config"
)

// fakeLibrary answers from a handful of fixed values and remembers what it was
// asked.
type fakeLibrary struct {
	collections []evergreen.Collection
	asked       evergreen.Query
	searched    evergreen.SearchRequest
	outlined    evergreen.OutlineRequest
	indexed     []evergreen.IndexRequest
	verified    bool
	err         error
	body        string       // of the entry in a bundle
	revisions   atomic.Int32 // how often the revision was asked for
	changed     []func()
	drafts      bool // how it was opened
	damaged     []evergreen.Damage
	faults      map[string][]string // by collection, until it is repaired
	missing     []evergreen.Skip    // after a repair
	repaired    []string
	report      *evergreen.IndexReport // of every run, instead of the usual one
}

func (f *fakeLibrary) Collections(context.Context) ([]evergreen.Collection, error) {
	return f.collections, f.err
}

func (f *fakeLibrary) Outline(_ context.Context, r evergreen.OutlineRequest) (evergreen.Outline, error) {
	f.outlined = r
	return evergreen.Outline{Collection: r.Collection, Total: 1, Documents: []evergreen.OutlineDocument{{
		Path: "guide.md", Title: "Guide", Sections: []evergreen.Section{
			{ID: "react::guide.md::guide#1", Title: "Guide", Level: 1, Tokens: 1200},
			{ID: "react::guide.md::guide/state#2", Title: "State", Level: 2, Tokens: 80}}}}}, f.err
}

func (f *fakeLibrary) Search(_ context.Context, r evergreen.SearchRequest) (evergreen.SearchResult, error) {
	f.searched = r
	if r.Query == "nothing" {
		return evergreen.SearchResult{Query: r.Query, Mode: "bm25", Suggestions: []string{"something"}}, nil
	}
	return evergreen.SearchResult{Query: r.Query, Mode: "bm25", Total: 12, Matched: true, NextCursor: "c2",
		Hits: []evergreen.Hit{{ID: "react::guide.md::guide/state#2", Collection: "react", DocPath: "guide.md",
			Title: "Guide > State", Score: 1.25, Snippet: "keep\nstate", Tokens: 80}}}, f.err
}

func (f *fakeLibrary) Section(_ context.Context, r evergreen.SectionRequest) (evergreen.SectionText, error) {
	if r.ID == "absent" {
		return evergreen.SectionText{}, evergreen.Errorf(evergreen.NotFound, "nothing has the id %q", r.ID).Near("react::a", "react::b")
	}
	text := evergreen.SectionText{ID: r.ID, Title: "State", Level: 2, Collection: "react", DocPath: "guide.md",
		Markdown: "## State\n\n保持 <state>.\n", TotalBytes: 25, ContentHash: "ab", Tokens: 80}
	if r.MaxBytes == 8 {
		text.Markdown, text.Truncated, text.NextOffset = "## State", true, 8
	}
	if r.Verify {
		text.Verified = &f.verified
	}
	if r.Context {
		text.Context = &evergreen.SectionContext{Ancestors: []evergreen.SectionRef{{ID: "react::guide.md::guide#1", Title: "Guide", Tokens: 1200}}}
	}
	return text, f.err
}

func (f *fakeLibrary) Ask(_ context.Context, q evergreen.Query) (evergreen.Bundle, error) {
	f.asked = q
	entry := evergreen.PackedEntry{Entry: evergreen.Entry{ID: "EG-1", Title: "One", Body: cmp.Or(f.body, "Body."), Tokens: 60, Confidence: 1}}
	return evergreen.Bundle{Query: evergreen.QueryEcho{Topic: q.Topic, Budget: q.Budget}, Budget: 600, UsedTokens: 60,
		Matched: true, EntryCount: 1, Entries: []evergreen.PackedEntry{entry},
		Citations: []evergreen.Citation{{Marker: "[EG-1]", EntryID: "EG-1", URL: "/context.json#EG-1", Text: "Source: One", Confidence: 1}},
		Source:    "api/context", Lang: evergreen.LangEnglish}, f.err
}

func (f *fakeLibrary) Entry(context.Context, string) (evergreen.Entry, string, error) {
	return evergreen.Entry{}, "", f.err
}
func (f *fakeLibrary) PromptPack(context.Context, string, string) (string, error) { return "", f.err }
func (f *fakeLibrary) Metrics(context.Context) (json.RawMessage, error)           { return nil, f.err }
func (f *fakeLibrary) Damaged(context.Context) []evergreen.Damage                 { return f.damaged }

func (f *fakeLibrary) Check(_ context.Context, name string) ([]string, error) {
	return f.faults[name], f.err
}

func (f *fakeLibrary) Repair(_ context.Context, r evergreen.RepairRequest, _ evergreen.Progress) (evergreen.RepairReport, error) {
	f.repaired = append(f.repaired, r.Name)
	if len(f.faults[r.Name]) == 0 && r.Name == "go" {
		return evergreen.RepairReport{}, evergreen.Errorf(evergreen.Damaged, "nothing says where %q came from", r.Name).Fix("index its source again")
	}
	report := evergreen.RepairReport{Collection: r.Name, Found: f.faults[r.Name], Kept: 1, Reread: 2, Missing: f.missing}
	if len(f.missing) == 0 {
		delete(f.faults, r.Name)
	}
	return report, nil
}
func (f *fakeLibrary) Close() error { return nil }

func (f *fakeLibrary) Revision() string {
	f.revisions.Add(1)
	return "r1"
}

func (f *fakeLibrary) OnChange(do func()) { f.changed = append(f.changed, do) }

func (f *fakeLibrary) Index(_ context.Context, r evergreen.IndexRequest, _ evergreen.Progress) (evergreen.IndexReport, error) {
	f.indexed = append(f.indexed, r)
	if r.Source.Location == "absent" {
		return evergreen.IndexReport{}, evergreen.Errorf(evergreen.NotFound, "there is no file or folder absent")
	}
	f.verified = true
	if f.report != nil {
		return *f.report, f.err
	}
	return evergreen.IndexReport{Collection: "docs", Source: r.Source.Location, Sections: 2000, Tokens: 1,
		Documents: evergreen.Counts{Discovered: 3, Indexed: 2, Skipped: 1},
		Skipped:   []evergreen.Skip{{Path: "x.bin", Reason: "binary"}}, Seconds: 0.25}, f.err
}

func (f *fakeLibrary) Delete(_ context.Context, name string) (bool, error) {
	return name == "react", f.err
}

func (f *fakeLibrary) Document(context.Context, string, string) (evergreen.Document, []byte, error) {
	return evergreen.Document{}, nil, f.err
}

// fakeOpener opens the fake.
type fakeOpener struct{ lib *fakeLibrary }

func (o fakeOpener) open(_ context.Context, _ config.Settings, drafts bool) (library, error) {
	o.lib.drafts = drafts
	return o.lib, nil
}
func (o fakeOpener) embedded(context.Context, config.Settings) (library, error) {
	return &fakeLibrary{}, nil
}

func (o fakeOpener) outlineFile(_ context.Context, _ config.Settings, file string, r evergreen.OutlineRequest) (evergreen.Outline, error) {
	return evergreen.Outline{Collection: r.Collection, Documents: []evergreen.OutlineDocument{{Path: filepath.Base(file), Title: "File"}}}, nil
}

func (o fakeOpener) eval(_ context.Context, r evalRequest) (evalResult, error) {
	return evalResult{NDCG10: 0.5, Hit5: 0.75, MRR10: 0.25, Queries: 1000}, nil
}

// newFake holds one collection and a damaged one called react/native.
func newFake() *fakeLibrary {
	return &fakeLibrary{verified: true, collections: []evergreen.Collection{
		{Name: "react", Source: "/src/react", Documents: 1, Sections: 2, Tokens: 1280, IndexedAt: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC),
			Sources: []evergreen.Source{{Kind: "folder", Location: "/src/react"}}},
		{Name: "指南", Source: "/src/zh", IndexedAt: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)},
	}}
}

// command runs one command line on a fake, in a folder of its own.
func command(t *testing.T, lib *fakeLibrary, env map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(env["file"]), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	a := &app{stdin: strings.NewReader(""), stdout: &out, stderr: &errs, world: world{
		lookupEnv: func(name string) (string, bool) {
			if name == "EVERGREEN_CONFIG" && env["file"] != "" {
				return filepath.Join(dir, "config.json"), true
			}
			v, ok := env[name]
			return v, ok
		},
		environ: func() []string {
			var pairs []string
			for name, value := range env {
				pairs = append(pairs, name+"="+value)
			}
			return pairs
		},
		workDir:    func() (string, error) { return dir, nil },
		userConfig: func() (string, error) { return dir, nil },
		opener:     fakeOpener{lib},
	}}
	if env["EVERGREEN_LIBRARY"] == "" {
		args = append([]string{"--library", dir}, args...)
	}
	code = a.run(t.Context(), args)
	return code, out.String(), errs.String()
}
