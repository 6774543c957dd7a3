package format

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"evergreen"
)

func TestKnowledge(t *testing.T) {
	data := "\xEF\xBB\xBF" + `{
	  "version": "1.2.0", "revision": "2026-09-02", "license": "CC-BY-4.0",
	  "site": {"name": "Docs", "canonicalUrl": "https://docs.example.com/", "rateLimit": {"requestsPerMinute": 120}},
	  "categories": [{"id": "fact", "label": "Facts", "description": "What is so."}],
	  "entries": [
	    {"id": "EX-1", "category": "fact", "title": "甲", "summary": "s", "body": " 乙 b\n", "tags": ["x", "y"], "confidence": 0.9, "tokens": 4, "updated": "2026-08-28", "extra": 1},
	    {"id": "EX-2", "title": "bare"}
	  ]}`
	doc := read(t, "kb/context.json", data, Options{})
	want := []evergreen.Entry{
		{ID: "EX-1", Category: "fact", Title: "甲", Summary: "s", Body: " 乙 b\n", Tags: []string{"x", "y"}, Confidence: 0.9, Tokens: 4, Updated: "2026-08-28", Anchor: "EX-1", Curated: true},
		{ID: "EX-2", Title: "bare", Tags: []string{}, Confidence: 1, Tokens: 2, Anchor: "EX-2", Curated: true},
	}
	if diff := cmp.Diff(want, doc.Entries); diff != "" {
		t.Errorf("entries -want +got\n%s", diff)
	}
	about := &Knowledge{Version: "1.2.0", Revision: "2026-09-02", License: "CC-BY-4.0", SiteName: "Docs", SiteURL: "https://docs.example.com/",
		Categories: []Category{{"fact", "Facts", "What is so."}}}
	if diff := cmp.Diff(about, doc.Knowledge); diff != "" {
		t.Errorf("about -want +got\n%s", diff)
	}
	if len(doc.Warnings) > 0 || string(doc.Text) != data || !doc.Plain || doc.Meta.Title != "Docs" {
		t.Errorf("warnings %q, plain %v, title %q", doc.Warnings, doc.Plain, doc.Meta.Title)
	}
}

func TestKnowledgeWarnings(t *testing.T) {
	ok := `{"id": "A", "title": "t", "body": "b"}`
	tests := []struct {
		name, entries string
		ids           string
		warning       string
	}{
		{"no id", `{"title": "t"}, ` + ok, "A", "entries[0].id: missing; the entry is left out"},
		{"no title", ok + `, {"id": "B", "title": " "}`, "A", `entries[1].title: missing; the entry "B" is left out`},
		{"twice the same id", ok + `, {"id": "B", "title": "t"}, {"id": "A", "title": "u"}`, "A B", `entries[2].id: "A" is that of entries[0] already; the entry is left out`},
		{"no object", ok + `, 5`, "A", "entries[1]: not an object"},
		{"null", ok + `, null`, "A", "entries[1]: null; the entry is left out"},
		{"a number as id", `{"id": 7, "title": "t"}`, "7", ""},
		{"wrong type", `{"id": "A", "title": "t", "body": ["b"]}`, "A", "entries[0].body: not a string"},
		{"tags with commas", `{"id": "A", "title": "t", "tags": "a, b"}`, "A", ""},
		{"tags of another kind", `{"id": "A", "title": "t", "tags": {"a": 1}}`, "A", "entries[0].tags: not a list of strings"},
		{"a tag that is no string", `{"id": "A", "title": "t", "tags": ["a", 1]}`, "A", "entries[0].tags: holds what is no string"},
		{"confidence in quotes", `{"id": "A", "title": "t", "confidence": "0.5"}`, "A", ""},
		{"confidence as per cent", `{"id": "A", "title": "t", "confidence": 95}`, "A", "entries[0].confidence: 95 is above 1; taken as 1"},
		{"confidence of nothing", `{"id": "A", "title": "t", "confidence": 0}`, "A", "entries[0].confidence: 0 is not above 0; taken as 0.01"},
		{"confidence that is no number", `{"id": "A", "title": "t", "confidence": "high"}`, "A", "entries[0].confidence: not a number"},
		{"bad date", `{"id": "A", "title": "t", "updated": "soon"}`, "A", `entries[0].updated: "soon" is no date`},
		{"unknown category", `{"id": "A", "title": "t", "category": "rumour"}`, "A", `entries[0].category: "rumour" is not among the file's categories`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := read(t, "context.json", `{"categories": [{"id": "fact"}], "entries": [`+tt.entries+`]}`, Options{})
			var ids []string
			for _, e := range doc.Entries {
				ids = append(ids, e.ID)
			}
			if got := strings.Join(ids, " "); got != tt.ids {
				t.Errorf("entries %q, want %q", got, tt.ids)
			}
			if got := strings.Join(doc.Warnings, "; "); got != tt.warning {
				t.Errorf("warnings %q, want %q", got, tt.warning)
			}
		})
	}
}

func TestKnowledgeTokens(t *testing.T) {
	body := strings.Repeat("字", 98) // with "t" and a newline: 98 + 2 x 0.28, so 99
	for own, want := range map[string]int{"": 99, "99": 99, "80": 80, "118": 118, "79": 99, "119": 99, "99.5": 99, `"90"`: 90} {
		field := ""
		if own != "" {
			field = `, "tokens": ` + own
		}
		doc := read(t, "context.json", `{"entries": [{"id": "A", "title": "t", "body": "`+body+`"`+field+`}]}`, Options{})
		if got := doc.Entries[0].Tokens; got != want {
			t.Errorf("own count %s: %d, want %d", own, got, want)
		}
		doubtful := want == 99 && own != "" && own != "99"
		if (len(doc.Warnings) > 0) != doubtful {
			t.Errorf("own count %s: warnings %q", own, doc.Warnings)
		}
	}
}

func TestKnowledgeErrors(t *testing.T) {
	tests := []struct{ data, want string }{
		{"", "no valid JSON at line 1, column 1: unexpected end of JSON input"},
		{"{\n  \"字\": x\n}", "no valid JSON at line 2, column 8: invalid character 'x' looking for beginning of value"},
		{"[]", "no knowledge base: it is no JSON object"},
		{"{}", `no knowledge base: it has no list "entries"`},
		{`{"entries": null}`, `no knowledge base: it has no list "entries"`},
		{`{"entries": {}}`, `no knowledge base: it has no list "entries"`},
	}
	for _, tt := range tests {
		_, err := Read("context.json", []byte(tt.data), Options{})
		if evergreen.KindOf(err) != evergreen.Invalid || err.Error() != tt.want {
			t.Errorf("%q: %v, want %s", tt.data, err, tt.want)
		}
	}
	if doc := read(t, "context.json", `{"entries": []}`, Options{}); doc.Knowledge == nil || len(doc.Entries) != 0 {
		t.Errorf("no entries: %+v", doc)
	}
}

func TestKnowledgeAbout(t *testing.T) {
	doc := read(t, "context.json", `{"version": 2, "license": {"id": "MIT"}, "site": "x", "categories": [{"label": "y"}, {"id": "z"}], "entries": []}`, Options{})
	if k := doc.Knowledge; k.Version != "2" || k.License != "MIT" || len(k.Categories) != 1 {
		t.Errorf("%+v", k)
	}
	want := []string{"site: not an object", "categories[0].id: missing"}
	if diff := cmp.Diff(want, doc.Warnings); diff != "" {
		t.Error(diff)
	}
}

func TestKnowledgeWarningsAreBounded(t *testing.T) {
	for n, want := range map[int]int{maxWarnings: maxWarnings, maxWarnings + 3: maxWarnings + 1} {
		doc := read(t, "context.json", `{"entries": [{}`+strings.Repeat(", {}", n-1)+`]}`, Options{})
		if len(doc.Warnings) != want {
			t.Errorf("%d faults: %d warnings", n, len(doc.Warnings))
		}
		if last := doc.Warnings[len(doc.Warnings)-1]; n > maxWarnings && last != fmt.Sprintf("%d more warnings", n-maxWarnings) {
			t.Errorf("the last is %q", last)
		}
	}
}

func FuzzKnowledge(f *testing.F) {
	f.Add([]byte(`{"version": 1, "site": {"name": "x"}, "entries": [{"id": "A", "title": "t", "tags": "a,b", "tokens": "3"}, null, 5]}`))
	f.Add([]byte("\xEF\xBB\xBF{\"entries\":[{\"id\":1,\"title\":2,\"confidence\":\"x\"}]}"))
	f.Add([]byte(`{"entries":[{"id":"A","title":"t","confidence":-1},{"id":"A","title":"u","confidence":7},{"id":"B"},{"title":"v"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := readKnowledge(data)
		if err != nil {
			return
		}
		ids := map[string]bool{}
		for _, e := range doc.Entries {
			if e.ID == "" || e.Title == "" || ids[e.ID] || !(e.Confidence > 0 && e.Confidence <= 1) || e.Tokens < 1 || e.Tags == nil {
				t.Fatalf("%+v", e)
			}
			ids[e.ID] = true
		}
	})
}
