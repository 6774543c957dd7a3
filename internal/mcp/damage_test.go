package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"evergreen"
)

// Answers say of which collections nothing, or not all, is in them, in words and
// in metadata.
func TestAnswersSayWhatIsMissing(t *testing.T) {
	f := smallLibrary()
	f.damaged = []evergreen.Damage{{Name: "broken", Kind: evergreen.Damaged, Message: "segment 1 of /home/someone/broken is cut short"},
		{Name: "old", Kind: evergreen.NotFound}}
	none := &fakeEngine{damaged: f.damaged, revision: "r"}
	for _, c := range []struct {
		e               *fakeEngine
		tool, arguments string
	}{
		{f, "search_context", `{"query":"how to cite"}`},
		{f, "search_sections", `{"query":"state"}`},
		{f, "list_repos", `{}`},
		{f, "get_toc", `{"repo":"react"}`},
		{none, "search_context", `{"query":"x"}`},
		{none, "search_sections", `{"query":"x"}`},
		{none, "list_repos", `{}`},
	} {
		got := callTool(t, connect(t, serve(t, c.e), nil), c.tool, c.arguments)
		if !strings.Contains(got.text, "damaged") || !strings.Contains(got.text, "broken, old") || strings.Contains(got.text, "is empty") {
			t.Errorf("%s says nothing of the damage:\n%s", c.tool, got.text)
		}
		meta := struct{ Warnings []evergreen.Warning }{}
		if raw, err := json.Marshal(got.meta); err != nil || json.Unmarshal(raw, &meta) != nil {
			t.Fatal(err)
		}
		if len(meta.Warnings) != 2 || meta.Warnings[0].ID != "broken" || meta.Warnings[0].Rule != evergreen.RuleDamaged ||
			!strings.Contains(meta.Warnings[1].Text, "earlier format") {
			t.Errorf("%s: warnings %+v", c.tool, meta.Warnings)
		}
		if raw, _ := json.Marshal(got.meta); strings.Contains(string(raw)+got.text, "someone") && c.tool != "list_repos" {
			t.Errorf("%s tells of this machine's folders: %s", c.tool, raw)
		}
	}
}

// A collection that is called as a hit or an entry is takes no mark of it.
func TestDamageMarksNoPassage(t *testing.T) {
	f := smallLibrary()
	f.damaged = []evergreen.Damage{{Name: "EG-201", Kind: evergreen.Damaged}, {Name: f.hits[0].ID, Kind: evergreen.Damaged}}
	for tool, arguments := range map[string]string{"search_context": `{"query":"how to cite"}`, "search_sections": `{"query":"state"}`} {
		got := callTool(t, connect(t, serve(t, f), nil), tool, arguments)
		if strings.Contains(got.text, "⚠") || strings.Contains(got.text, "addresses you") {
			t.Errorf("%s:\n%s", tool, got.text)
		}
	}
}
