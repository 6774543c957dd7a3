package offline_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/kb"
	"evergreen/internal/offline"
)

func TestKnowledgeIsWrittenInOrder(t *testing.T) {
	var b strings.Builder
	err := offline.WriteKnowledge(&b, offline.Knowledge{
		Revision: "r1", GeneratedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600)),
		Collections: []offline.Base{{Name: "b"}, {Name: "a", Version: "1.0"}},
		Categories:  []string{"rule", "fact"},
		Entries: []evergreen.Entry{
			{ID: "2", Collection: "a", Category: "fact"}, {ID: "1", Collection: "b", Category: "doc"}, {ID: "1", Collection: "a", Title: "<&>"},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "<&>") || strings.Contains(b.String(), "null") {
		t.Errorf("wrote %.400s", b.String())
	}
	var got struct {
		GeneratedAt string
		Collections []offline.Base
		Categories  []string
		Entries     []evergreen.Entry
		Rules       map[string][]string
		Packs       map[string]map[string]string
	}
	if err := json.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, e := range got.Entries {
		order = append(order, e.Collection+e.ID)
	}
	if !slices.Equal(order, []string{"a1", "a2", "b1"}) || got.Collections[0].Name != "a" {
		t.Errorf("the order is %v, %v", order, got.Collections)
	}
	if !slices.Equal(got.Categories, []string{"", "doc", "fact", "rule"}) {
		t.Errorf("categories are %q", got.Categories)
	}
	if got.GeneratedAt != "2026-01-02T02:04:05Z" {
		t.Error(got.GeneratedAt)
	}
	for _, lang := range []string{evergreen.LangEnglish, evergreen.LangChinese} {
		if !slices.Equal(got.Rules[lang], kb.Rules(lang)) || len(got.Packs[lang]) != len(kb.Scenarios(lang)) {
			t.Errorf("%s: %d rules, %d packs", lang, len(got.Rules[lang]), len(got.Packs[lang]))
		}
	}
}
