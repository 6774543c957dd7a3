package main

// This file holds that ranking does not depend on how the library came to be:
// read at once, or edit by edit.

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"evergreen"

	"github.com/google/go-cmp/cmp"
)

const edits = 20

func TestQualityAfterEditsRanksLikeAFreshIndex(t *testing.T) {
	source := copyTree(t, corporaFolder(t), "vue-en")
	grown := openReal(t, settingsFor(t))
	indexReal(t, grown, "vue", source)
	r := rand.New(rand.NewPCG(11, 7))
	for n := range edits {
		what := editTree(t, r, source, n)
		if d := indexReal(t, grown, "vue", source).Documents; d.Indexed+d.Removed == 0 {
			t.Fatalf("edit %d (%s) went unnoticed: %+v", n, what, d)
		}
	}
	fresh := openReal(t, settingsFor(t))
	indexReal(t, fresh, "vue", source)
	outline, err := fresh.Outline(t.Context(), evergreen.OutlineRequest{Collection: "vue", Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	other, err := grown.Outline(t.Context(), evergreen.OutlineRequest{Collection: "vue", Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(outline, other); diff != "" {
		t.Errorf("outlines, -fresh +grown:\n%s", diff)
	}
	for _, query := range append(titlesOf(outline, 80), "edit number 3", "how do components talk to each other", `"single file" components`) {
		request := evergreen.SearchRequest{Query: query, Limit: 50}
		want, err := fresh.Search(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		got, err := grown.Search(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		want.NextCursor, got.NextCursor = "", "" // they name the library's state
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q, -fresh +grown:\n%s", query, diff)
		}
	}
}

// editTree changes one file at random and says what it did.
func editTree(t *testing.T, r *rand.Rand, source string, n int) string {
	t.Helper()
	files := markdownFiles(t, source)
	file := files[r.IntN(len(files))]
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	paragraph := fmt.Sprintf("\n\n## Edit number %d\n\nComponents were edited, reactivity too.\n", n)
	switch n % 5 {
	case 0:
		write(file, string(text)+paragraph)
		return "append to " + file
	case 1:
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		return "remove " + file
	case 2:
		write(filepath.Join(filepath.Dir(file), fmt.Sprintf("new-%d.md", n)), "# New page"+paragraph+string(text[:len(text)/2]))
		return "new beside " + file
	case 3:
		if err := os.Rename(file, strings.TrimSuffix(file, ".md")+fmt.Sprintf("-%d.md", n)); err != nil {
			t.Fatal(err)
		}
		return "rename " + file
	}
	write(file, paragraph+string(text[len(text)/2:]))
	return "cut the first half of " + file
}

func markdownFiles(t *testing.T, source string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(source, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) < edits {
		t.Fatalf("%d files in %s, %v", len(files), source, err)
	}
	slices.Sort(files)
	return files
}
