package engine_test

import (
	"context"
	"os"
	"testing"

	"evergreen"
	"evergreen/docs"
	"evergreen/internal/engine"
)

// TestOwnDocumentation asks Evergreen about itself, as a server without any
// source does.
func TestOwnDocumentation(t *testing.T) {
	e, err := engine.OpenEmbedded(context.Background(), engine.Options{}, docs.Files, "evergreen")
	if err != nil {
		t.Fatal(err)
	}
	root := e.Root()
	for _, tc := range []struct {
		topic, collection, first string
		budget                   int
	}{
		{"幻觉 引用", "", "EG-201", 0},
		{"token 预算", "", "EG-202", 600},
		{"幻觉 引用", "kb", "EG-201", 0},
		{"token 预算", "kb", "EG-202", 600},
	} {
		for _, whole := range []bool{false, true} {
			b, err := e.Ask(context.Background(), evergreen.Query{
				Topic: tc.topic, Collection: tc.collection, Budget: tc.budget, WholeText: whole,
			})
			if err != nil {
				t.Fatal(err)
			}
			if b.EntryCount == 0 || b.Entries[0].ID != tc.first || b.Lang != evergreen.LangChinese {
				t.Errorf("%q in %q: %d entries, first %+v, rules in %q", tc.topic, tc.collection, b.EntryCount, b.Entries, b.Lang)
			}
		}
	}
	again, err := engine.OpenEmbedded(context.Background(), engine.Options{}, docs.Files, "evergreen")
	if err != nil {
		t.Fatal(err)
	}
	if again.Revision() != e.Revision() {
		t.Errorf("two starts have the revisions %s and %s", e.Revision(), again.Revision())
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(root); !os.IsNotExist(err) {
		t.Errorf("the temporary library %s is left behind", root)
	}
}
