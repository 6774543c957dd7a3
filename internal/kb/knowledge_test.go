package kb_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"evergreen"
	"evergreen/docs"
	"evergreen/internal/kb"
	"evergreen/internal/text"
)

// This file holds Evergreen's own knowledge base to what it promises.

type knowledge struct {
	Version    string
	Revision   string
	License    string
	Categories []struct{ ID, Label, Description string }
	Entries    []evergreen.Entry
}

func ownKnowledge(t *testing.T) knowledge {
	t.Helper()
	raw, err := docs.Files.ReadFile(docs.KnowledgeFile)
	if err != nil {
		t.Fatal(err)
	}
	var k knowledge
	if err := json.Unmarshal(raw, &k); err != nil {
		t.Fatal(err)
	}
	return k
}

func TestOwnKnowledgeAnswers(t *testing.T) {
	k := ownKnowledge(t)
	for topic, want := range map[string]string{
		"幻觉 引用":                         "EG-201",
		"token 预算":                      "EG-202",
		"what is Evergreen":             "EG-001",
		"Evergreen 是什么":                 "EG-001",
		"which commands are there":      "EG-002",
		"几次请求":                          "EG-003",
		"seven layers":                  "EG-101",
		"七层协议":                          "EG-101",
		"MCP tools":                     "EG-102",
		"MCP 工具":                        "EG-102",
		"stable section id":             "EG-103",
		"小节寻址":                          "EG-103",
		"cite claims":                   "EG-201",
		"budget truncated":              "EG-202",
		"置信度 过期":                        "EG-203",
		"stale entries":                 "EG-203",
		"citable density":               "EG-301",
		"可引用密度":                         "EG-301",
		"how does ranking work":         "EG-302",
		"排序":                            "EG-302",
		"order of calls":                "EG-401",
		"调用顺序":                          "EG-401",
		"do I need retrieval":           "EG-402",
		"什么时候需要检索":                      "EG-402",
		"my call failed with an error":  "EG-403",
		"修复出错的调用":                       "EG-403",
		"misconceptions about llms.txt": "EG-501",
		"常见误解":                          "EG-501",
	} {
		ranked, matched := kb.Rank(k.Entries, topic)
		if !matched || ranked[0].ID != want {
			t.Errorf("%q gives %s (%.3f), want %s; matched %v", topic, ranked[0].ID, ranked[0].Score, want, matched)
		}
		if ranked[0].Tokens > 600 {
			t.Errorf("%s does not fit into a budget of 600", ranked[0].ID)
		}
	}
}

func TestOwnKnowledgeIsWellFormed(t *testing.T) {
	k := ownKnowledge(t)
	if k.License != "CC-BY-4.0" || k.Version == "" {
		t.Errorf("licence %q, version %q", k.License, k.Version)
	}
	if len(k.Entries) < 15 {
		t.Errorf("%d entries", len(k.Entries))
	}
	categories := map[string]bool{}
	for _, c := range k.Categories {
		categories[c.ID] = true
	}
	var ids []string
	for _, e := range k.Entries {
		ids = append(ids, e.ID)
		if !categories[e.Category] {
			t.Errorf("%s: category %q is not listed", e.ID, e.Category)
		}
		if !(e.Confidence > 0 && e.Confidence <= 1) {
			t.Errorf("%s: confidence %v", e.ID, e.Confidence)
		}
		updated, err := time.Parse(time.DateOnly, e.Updated)
		if err != nil || e.Updated > k.Revision {
			t.Errorf("%s: updated %v, revision %s: %v", e.ID, updated, k.Revision, err)
		}
		counted := text.Tokens(e.Title + "\n" + e.Body)
		if off := counted - e.Tokens; 5*off > counted || 5*off < -counted {
			t.Errorf("%s: %d tokens said, %d counted", e.ID, e.Tokens, counted)
		}
		if n := utf8.RuneCountInString(e.Summary); n == 0 || n > 300 {
			t.Errorf("%s: summary of %d characters", e.ID, n)
		}
		english, chinese, ok := strings.Cut(e.Body, "\n\n")
		if !ok || langOf(t, english) != evergreen.LangEnglish || langOf(t, chinese) != evergreen.LangChinese {
			t.Errorf("%s: not an English and a Chinese paragraph", e.ID)
		}
	}
	if !slices.IsSorted(ids) || len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Errorf("ids are not sorted and distinct: %v", ids)
	}
}

func langOf(t *testing.T, s string) string {
	t.Helper()
	lang, err := kb.Lang(evergreen.LangAuto, s, "")
	if err != nil {
		t.Fatal(err)
	}
	return lang
}
