package main

// This file asks the real library about real documentation: thousands of files
// that nobody here wrote, named by EVERGREEN_CORPORA. Nothing is timed.

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"evergreen"
	"evergreen/internal/config"
)

// processStarts is how often the same question is asked by a new process.
const processStarts = 20

// TestQualityOnRealDocs indexes MDN and the Chinese TiDB docs once and asks
// everything of that library.
func TestQualityOnRealDocs(t *testing.T) {
	corpora := corporaFolder(t)
	s := settingsFor(t)
	e := openReal(t, s)
	for _, c := range []struct{ name, tree string }{{"mdn", "mdn-en"}, {"tidb", "tidb-zh"}} {
		indexReal(t, e, c.name, unpackTree(t, corpora, c.tree))
	}
	outlines := map[string]evergreen.Outline{}
	for _, name := range []string{"mdn", "tidb"} {
		outline, err := e.Outline(t.Context(), evergreen.OutlineRequest{Collection: name, Limit: -1})
		if err != nil {
			t.Fatal(err)
		}
		outlines[name] = outline
	}
	t.Run("pages of an outline hold every section once", func(t *testing.T) {
		for _, name := range []string{"mdn", "tidb"} {
			checkOutlinePages(t, e, outlines[name])
		}
	})
	t.Run("pieces add up to the section", func(t *testing.T) {
		for _, name := range []string{"mdn", "tidb"} {
			for _, section := range largestSections(outlines[name], 5) {
				checkPieces(t, e, section)
			}
		}
	})
	t.Run("ids of hits resolve", func(t *testing.T) { checkHitsResolve(t, e, outlines) })
	t.Run("answers keep their budgets", func(t *testing.T) { checkAnswers(t, e, s, outlines) })
	t.Run("every process gives the same bytes", func(t *testing.T) { checkSameBytes(t, s.Library) })
}

// corporaFolder is the folder of the corpora. The test is skipped without one,
// and fails on a name that is none.
func corporaFolder(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("EVERGREEN_CORPORA")
	if folder == "" {
		t.Skip("EVERGREEN_CORPORA is not set: answers from real documentation not checked")
	}
	if info, err := os.Stat(filepath.Join(folder, "docs")); err != nil || !info.IsDir() {
		t.Fatalf("EVERGREEN_CORPORA names %s, which holds no docs", folder)
	}
	return folder
}

// settingsFor are the defaults, with a library of the test's own.
func settingsFor(t *testing.T) config.Settings {
	t.Helper()
	s, err := config.Load(config.Input{
		LookupEnv: func(string) (string, bool) { return "", false }, WorkDir: t.TempDir(), UserData: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func openReal(t *testing.T, s config.Settings) library {
	t.Helper()
	e, err := disk{}.open(t.Context(), s, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func indexReal(t *testing.T, e library, name, source string) evergreen.IndexReport {
	t.Helper()
	report, err := e.Index(t.Context(), evergreen.IndexRequest{Name: name, Source: evergreen.Source{Location: source}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := report.Documents; d.Discovered == 0 || d.Discovered != d.Indexed+d.Unchanged+d.Skipped || report.Truncated {
		t.Fatalf("%s: the report does not add up: %+v", name, report)
	}
	return report
}

// checkOutlinePages follows the cursor and compares with the outline in one
// piece.
func checkOutlinePages(t *testing.T, e library, whole evergreen.Outline) {
	var want, got []string
	for _, d := range whole.Documents {
		for _, section := range d.Sections {
			want = append(want, section.ID)
		}
	}
	for cursor, first := "", true; first || cursor != ""; first = false {
		page, err := e.Outline(t.Context(), evergreen.OutlineRequest{Collection: whole.Collection, Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		sections := 0
		for _, d := range page.Documents {
			sections += max(len(d.Sections), 1)
			for _, section := range d.Sections {
				got = append(got, section.ID)
			}
		}
		if sections == 0 || sections > 500 {
			t.Fatalf("%s: a page of %d sections", whole.Collection, sections)
		}
		cursor = page.NextCursor
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s: the pages hold %d sections, the outline %d, or in another order", whole.Collection, len(got), len(want))
	}
	slices.Sort(want)
	if distinct := len(slices.Compact(want)); distinct != len(got) {
		t.Errorf("%s: %d sections share %d ids", whole.Collection, len(got), distinct)
	}
}

// largestSections are the n sections with the most bytes.
func largestSections(o evergreen.Outline, n int) []evergreen.Section {
	var all []evergreen.Section
	for _, d := range o.Documents {
		all = append(all, d.Sections...)
	}
	slices.SortStableFunc(all, func(a, b evergreen.Section) int {
		return (b.ByteEnd - b.ByteStart) - (a.ByteEnd - a.ByteStart)
	})
	return all[:min(n, len(all))]
}

// checkPieces reads a section piece by piece.
func checkPieces(t *testing.T, e library, section evergreen.Section) {
	whole, err := e.Section(t.Context(), evergreen.SectionRequest{ID: section.ID, Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	if whole.Truncated || !*whole.Verified || len(whole.Markdown) != section.ByteEnd-section.ByteStart || whole.TotalBytes != len(whole.Markdown) {
		t.Errorf("%s: %d of %d bytes, verified %v", section.ID, len(whole.Markdown), whole.TotalBytes, *whole.Verified)
	}
	for _, most := range []int{300, 1000, 8000} {
		var got strings.Builder
		for offset, first := 0, true; first || offset > 0; first = false {
			piece, err := e.Section(t.Context(), evergreen.SectionRequest{ID: section.ID, MaxBytes: most, Offset: offset})
			if err != nil {
				t.Fatal(err)
			}
			if n := len(piece.Markdown); n == 0 || n > most || !utf8.ValidString(piece.Markdown) {
				t.Fatalf("%s from %d: a piece of %d bytes, at most %d", section.ID, offset, n, most)
			}
			got.WriteString(piece.Markdown)
			offset = piece.NextOffset
		}
		if got.String() != whole.Markdown {
			t.Errorf("%s: pieces of %d bytes do not add up", section.ID, most)
		}
	}
}

// titlesOf are n titles, evenly spread over an outline.
func titlesOf(o evergreen.Outline, n int) []string {
	var all []string
	for _, d := range o.Documents {
		for _, section := range d.Sections {
			all = append(all, section.Title)
		}
	}
	var out []string
	for i := range n {
		out = append(out, all[i*len(all)/n])
	}
	return out
}

// checkHitsResolve asks for titles and reads what is found.
func checkHitsResolve(t *testing.T, e library, outlines map[string]evergreen.Outline) {
	found := 0
	for name, outline := range outlines {
		for _, title := range titlesOf(outline, 60) {
			result, err := e.Search(t.Context(), evergreen.SearchRequest{Query: title, Collection: name})
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range result.Hits {
				found++
				section, err := e.Section(t.Context(), evergreen.SectionRequest{ID: h.ID, Verify: true})
				if err != nil || section.ID != h.ID || section.Hint != "" || section.Tokens != h.Tokens || !*section.Verified {
					t.Errorf("%q: %s resolves to %s, hint %q, %d tokens, %v", title, h.ID, section.ID, section.Hint, section.Tokens, err)
				}
			}
		}
	}
	if found < 1000 {
		t.Errorf("120 titles found %d sections", found)
	}
}

// checkSameBytes asks the same by new processes, on one core and on several.
func checkSameBytes(t *testing.T, library string) {
	for _, args := range [][]string{
		{"search", "align items in a flex container", "--json"},
		{"search", "如何创建索引", "-n", "50", "--json"},
		{"context", "how do promises work", "--json"},
		{"context", "TiDB 事务 隔离级别", "--budget", "600"},
	} {
		var first []byte
		for start := range processStarts {
			got, err := runProcess(t.Context(), library, 1+start%max(2, runtime.NumCPU()), args)
			if err != nil {
				t.Fatal(err)
			}
			if start == 0 {
				first = got
			}
			if !bytes.Equal(got, first) {
				t.Fatalf("%q: start %d answers\n%s\nthe first\n%s", args, start+1, got, first)
			}
		}
		if len(first) < 500 {
			t.Errorf("%q answers next to nothing: %s", args, first)
		}
	}
}

// runProcess runs the program, which TestMain put into the PATH.
func runProcess(ctx context.Context, library string, cores int, args []string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "evergreen", args...)
	cmd.Env = append(os.Environ(), "EVERGREEN_LIBRARY="+library, fmt.Sprintf("GOMAXPROCS=%d", cores))
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("evergreen %q: %w: %s", args, err, errs.Bytes())
	}
	return out, nil
}
