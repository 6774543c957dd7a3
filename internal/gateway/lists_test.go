package gateway

import (
	"testing"

	"evergreen"
	"evergreen/internal/repair"

	"github.com/google/go-cmp/cmp"
)

func TestListsOfTools(t *testing.T) {
	tickets := listen(t, fakeServer("tickets", fakeTool{name: "find_ticket", readOnly: true}, fakeTool{name: "close_ticket"}))
	silent := listen(t, fakeServer("silent"))
	st := build(t, FaceOptions{}, at("tickets", tickets, nil), at("silent", silent, nil))
	if diff := cmp.Diff([]List{{Tools: 4}, {Name: "tickets", Tools: 2}}, st.face.Lists()); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct {
		list, call string
		outcome    repair.Outcome
		name       string
	}{
		{"", `{"name":"searchDocs","arguments":{"query":"x"}}`, repair.Repaired, "search_docs"},
		{"", `{"name":"findTicket","arguments":{"query":"x"}}`, repair.Repaired, "tickets__find_ticket"},
		{"tickets", `{"name":"findTicket","arguments":{"query":"x"}}`, repair.Repaired, "tickets__find_ticket"},
		{"tickets", `{"name":"searchDocs","arguments":{"query":"x"}}`, repair.Refused, ""},
	} {
		cat, err := st.face.Catalogue(c.list)
		if err != nil {
			t.Fatal(err)
		}
		if res := repair.Call([]byte(c.call), cat); res.Outcome != c.outcome || res.Name != c.name {
			t.Errorf("%s by %q: %s %s, want %s %s", c.call, c.list, res.Outcome, res.Name, c.outcome, c.name)
		}
	}
	for _, list := range []string{"silent", "nowhere"} {
		if _, err := st.face.Catalogue(list); evergreen.KindOf(err) != evergreen.NotFound {
			t.Errorf("list %s: %v", list, err)
		}
	}
}

func TestReadersSeeListsOfWhatTheyMayCall(t *testing.T) {
	tickets := listen(t, fakeServer("tickets", fakeTool{name: "find_ticket", readOnly: true}, fakeTool{name: "close_ticket"}))
	st := build(t, FaceOptions{ReadOnly: true}, at("tickets", tickets, nil))
	if lists := st.face.Lists(); len(lists) != 2 || lists[1].Tools != 1 {
		t.Errorf("lists %+v", lists)
	}
	cat, err := st.face.Catalogue("tickets")
	if err != nil {
		t.Fatal(err)
	}
	if res := repair.Call([]byte(`{"name":"tickets__close_ticket","arguments":{"query":"x"}}`), cat); res.Outcome != repair.Refused || res.Error != repair.ErrUnavailable {
		t.Errorf("a tool that readers may not call: %s %s", res.Outcome, res.Error)
	}
}
