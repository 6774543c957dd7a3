package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"evergreen"
	"evergreen/internal/engine"
	"evergreen/internal/testkit"
)

// questions are what is asked of the collection "docs" again and again, by name.
var questions = map[string]func(context.Context, *engine.Engine) (any, error){
	"outline": func(ctx context.Context, e *engine.Engine) (any, error) {
		return e.Outline(ctx, evergreen.OutlineRequest{Collection: "docs", Limit: -1})
	},
	"search": func(ctx context.Context, e *engine.Engine) (any, error) {
		return e.Search(ctx, evergreen.SearchRequest{Collection: "docs", Query: "rotate keys guide"})
	},
	"phrase": func(ctx context.Context, e *engine.Engine) (any, error) {
		return e.Search(ctx, evergreen.SearchRequest{Collection: "docs", Query: `"valid for a day"`})
	},
	"chinese": func(ctx context.Context, e *engine.Engine) (any, error) {
		return e.Search(ctx, evergreen.SearchRequest{Collection: "docs", Query: "幻觉"})
	},
	"weighted": func(ctx context.Context, e *engine.Engine) (any, error) {
		return e.Search(ctx, evergreen.SearchRequest{Collection: "docs", Query: "keys", Mode: evergreen.ModeWeighted})
	},
	"ask": func(ctx context.Context, e *engine.Engine) (any, error) {
		b, err := e.Ask(ctx, evergreen.Query{Collection: "docs", Topic: "how are keys rotated", Budget: 2000})
		b.Revision, b.KnowledgeVersion, b.GeneratedAt = "", "", ""
		return b, err
	},
	"section": func(ctx context.Context, e *engine.Engine) (any, error) {
		return e.Section(ctx, evergreen.SectionRequest{ID: "docs::keys.md::rotating-keys/old-keys#2", Context: true})
	},
	"document": func(ctx context.Context, e *engine.Engine) (any, error) {
		d, text, err := e.Document(ctx, "docs", "zh/install.md")
		return []any{d, string(text)}, err
	},
	"entry": func(ctx context.Context, e *engine.Engine) (any, error) {
		entry, _, err := e.Entry(ctx, "T-1")
		return entry, err
	},
}

// answers asks all questions; an error stands for its answer.
func answers(e *engine.Engine) (texts map[string]string, errs map[string]error) {
	texts, errs = map[string]string{}, map[string]error{}
	for name, ask := range questions {
		got, err := ask(context.Background(), e)
		if err != nil {
			errs[name] = err
			continue
		}
		b, err := json.Marshal(got)
		if err != nil {
			errs[name] = err
		}
		texts[name] = string(b)
	}
	return texts, errs
}

const knowledgeBase = `{"version":"1","entries":[
 {"id":"T-1","category":"test","title":"First","summary":"S","body":"A whole body of keys.","tags":["a"],"confidence":0.9},
 {"id":"T-2","category":"test","title":"Second","summary":"S","body":"Another body.","tags":[],"confidence":0.8}]}`

// twoSources makes the collection "docs" of a folder and a knowledge base, in
// two segments, with a dead document.
func twoSources(t *testing.T) (b *bench, knowledge string) {
	t.Helper()
	b = newBench(t, guide)
	b.write(map[string]string{"gone.md": "# Gone\n\nKeys of the past.\n", "part.mdx": "# Part\n\n<Note>keys</Note>\n"})
	b.index()
	if err := os.Remove(filepath.Join(b.source, "gone.md")); err != nil {
		t.Fatal(err)
	}
	b.index()
	knowledge = filepath.Join(t.TempDir(), "context.json")
	if err := os.WriteFile(knowledge, []byte(knowledgeBase), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := b.e.Index(context.Background(), evergreen.IndexRequest{Source: evergreen.Source{Location: knowledge}, Name: "docs"}, nil); err != nil {
		t.Fatal(err)
	}
	_ = b.e.Close()
	return b, knowledge
}

// A harm is one way to damage a file: of size n, at a place between 0 and n.
type harm struct {
	name string
	do   func(data []byte, at int) []byte
}

var harms = []harm{
	{"bit flip", func(d []byte, at int) []byte { d[at] ^= 1 << (at % 8); return d }},
	{"cut", func(d []byte, at int) []byte { return d[:at] }},
	{"torn: zeros from there on", func(d []byte, at int) []byte { clear(d[at:]); return d }},
	{"torn: a block of zeros", func(d []byte, at int) []byte { clear(d[at:min(at+512, len(d))]); return d }},
}

// TestDamageEverywhere damages each file of a library in many places. Whatever
// is asked then is answered as before or refused as damaged; doctor's check
// sees it; a repair brings every answer back, byte for byte.
func TestDamageEverywhere(t *testing.T) {
	times := testkit.Times(t, "EVERGREEN_FLIPS", 1, 1) // places a harm, file and round
	b, _ := twoSources(t)
	want, errs := answers(b.open(b.e.Root()))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	pristine := t.TempDir()
	if err := os.CopyFS(filepath.Join(pristine, "library"), os.DirFS(b.e.Root())); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	out := testkit.Outcome{Name: "damage"}
	refused := 0
	for _, file := range libraryFiles(t, pristine) {
		for _, h := range harms {
			for range times {
				root := filepath.Join(t.TempDir(), "library")
				if err := os.CopyFS(root, os.DirFS(filepath.Join(pristine, "library"))); err != nil {
					t.Fatal(err)
				}
				where, changed := damageFile(t, filepath.Join(root, file), h, random)
				if !changed {
					continue
				}
				out.Tried++
				what := fmt.Sprintf("%s of %s at %d", h.name, file, where)
				n, ok := checkDamaged(t, b, root, want, what)
				refused += n
				if ok {
					out.Survived++
				} else {
					out.Lost++
				}
			}
		}
	}
	out.Detail = fmt.Sprintf("%d answers refused as damaged, none wrong", refused)
	testkit.Record(t, out)
}

func libraryFiles(t *testing.T, root string) (files []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(filepath.Join(root, "library")), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != "lock" { // the lock is empty
			files = append(files, filepath.FromSlash(name))
		}
		return err
	})
	if err != nil || len(files) < 8 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

func damageFile(t *testing.T, file string, h harm, random *rand.Rand) (at int, changed bool) {
	t.Helper()
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at = random.IntN(len(good))
	bad := h.do(slices.Clone(good), at)
	if err := os.WriteFile(file, bad, 0o644); err != nil {
		t.Fatal(err)
	}
	return at, !slices.Equal(good, bad)
}

// checkDamaged asks, repairs and asks again.
func checkDamaged(t *testing.T, b *bench, root string, want map[string]string, what string) (refused int, ok bool) {
	t.Helper()
	ok = true
	fail := func(format string, args ...any) {
		ok = false
		t.Errorf(what+": "+format, args...)
	}
	e := b.open(root)
	defer e.Close()
	got, errs := answers(e)
	for name, err := range errs {
		refused++
		if evergreen.KindOf(err) != evergreen.Damaged {
			fail("%s: %v (%s)", name, err, evergreen.KindOf(err))
		}
	}
	for name, text := range got {
		if text != want[name] {
			fail("%s is answered wrongly:\n%s", name, cmp.Diff(want[name], text))
		}
	}
	faults, err := e.Check(context.Background(), "docs")
	if len(errs) > 0 && len(faults) == 0 && err == nil {
		fail("the check sees nothing")
	}
	report, err := e.Repair(context.Background(), evergreen.RepairRequest{Name: "docs"}, nil)
	if err != nil || len(report.Missing) > 0 {
		fail("repair: %+v, %v", report, err)
	}
	if len(faults) > 0 && len(report.Found) == 0 {
		fail("the check finds %q and the repair nothing", faults)
	}
	got, errs = answers(e)
	if len(errs) > 0 {
		fail("after the repair: %v", errs)
	}
	for name, text := range got {
		if text != want[name] {
			fail("%s after the repair:\n%s", name, cmp.Diff(want[name], text))
		}
	}
	if faults, err := e.Check(context.Background(), "docs"); len(faults) > 0 || err != nil {
		fail("after the repair the check finds %q, %v", faults, err)
	}
	return refused, ok
}

// TestRepairWithoutSource damages a collection whose folder is gone: what is
// whole stays, what is not is named, and comes back with the source.
func TestRepairWithoutSource(t *testing.T) {
	b, knowledge := twoSources(t)
	away := b.source + ".away"
	for _, from := range []string{b.source, knowledge} {
		if err := os.Rename(from, strings.Replace(from, b.source, away, 1)+".x"); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(b.e.Root(), "collections", "docs", "1.text")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(text), "narwhal")
	text[at] ^= 1
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	b.e = b.open(b.e.Root())
	for range 2 { // the second finds the same still missing
		report, err := b.e.Repair(context.Background(), evergreen.RepairRequest{Name: "docs"}, nil)
		if err != nil || len(report.Missing) != 1 || report.Missing[0].Path != "secret.md" || !strings.Contains(report.Missing[0].Reason, "cannot be read") || report.Kept != 6 {
			t.Fatalf("%+v, %v", report, err)
		}
	}
	if got := b.search("walrus"); len(got) != 1 {
		t.Errorf("what was whole gives %v", got)
	}
	if faults, err := b.e.Check(context.Background(), "docs"); err != nil || len(faults) != 1 || !strings.Contains(faults[0], "secret.md") {
		t.Errorf("the check says %q, %v", faults, err)
	}
	if d := b.e.Damaged(context.Background()); len(d) != 1 || !strings.Contains(d[0].Message, "missing") {
		t.Errorf("damaged: %+v", d)
	}
	if err := os.Rename(away+".x", b.source); err != nil {
		t.Fatal(err)
	}
	b.index()
	if got := b.search("narwhal"); len(got) != 1 {
		t.Errorf("with its source back: %v", got)
	}
	if faults, err := b.e.Check(context.Background(), "docs"); err != nil || len(faults) != 0 {
		t.Errorf("the check says %q, %v", faults, err)
	}
}

// TestIndexKeepsOtherSources damages a collection of two sources and indexes one
// of them: the documents of the other stay, or are said to be missing.
func TestIndexKeepsOtherSources(t *testing.T) {
	for _, c := range []struct{ file, warning string }{
		{"1.text", ""}, // of the folder, which is read again
		{"manifest.json", "context.json are missing"},
		{"*.state", ""},
	} {
		b, _ := twoSources(t)
		matches, err := filepath.Glob(filepath.Join(b.e.Root(), "collections", "docs", c.file))
		if err != nil || len(matches) == 0 {
			t.Fatal(c.file, err)
		}
		if err := os.Truncate(matches[0], 20); err != nil {
			t.Fatal(err)
		}
		b.e = b.open(b.e.Root())
		report := b.index()
		entry, _, err := b.e.Entry(context.Background(), "T-1")
		said := strings.Contains(strings.Join(report.Warnings, "\n"), c.warning)
		if c.warning == "" && (err != nil || entry.ID != "T-1") || c.warning != "" && !said {
			t.Errorf("%s: %+v, %v, warnings %q", c.file, entry, err, report.Warnings)
		}
		if got := b.search("narwhal"); len(got) != 1 {
			t.Errorf("%s: the source that was indexed gives %v", c.file, got)
		}
	}
}

// TestNewerFormatIsLeftAlone wants a collection of a later version refused by
// every write, with its files untouched.
func TestNewerFormatIsLeftAlone(t *testing.T) {
	b, _ := twoSources(t)
	dir := filepath.Join(b.e.Root(), "collections", "docs")
	later := []byte(`{"format":1000,"name":"docs","parts":{}}`)
	if err := os.WriteFile(filepath.Join(dir, "manifest.json"), later, 0o644); err != nil {
		t.Fatal(err)
	}
	before := filesOf(t, dir)
	b.e = b.open(b.e.Root())
	_, indexed := b.e.Index(context.Background(), evergreen.IndexRequest{Source: evergreen.Source{Location: b.source}}, nil)
	_, repaired := b.e.Repair(context.Background(), evergreen.RepairRequest{Name: "docs"}, nil)
	_, searched := b.e.Search(context.Background(), evergreen.SearchRequest{Query: "keys", Collection: "docs"})
	for what, err := range map[string]error{"index": indexed, "repair": repaired, "search": searched} {
		if evergreen.KindOf(err) != evergreen.Conflict || !strings.Contains(err.Error(), "newer Evergreen") {
			t.Errorf("%s gives %v (%s)", what, err, evergreen.KindOf(err))
		}
	}
	if diff := cmp.Diff(before, filesOf(t, dir)); diff != "" {
		t.Errorf("files (-before +after):\n%s", diff)
	}
}

func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		b, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[entry.Name()] = string(b)
	}
	return out
}
