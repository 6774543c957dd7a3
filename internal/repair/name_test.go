package repair

import "testing"

// TestTokenRule holds what counts as a misspelt name, and what as another one.
func TestTokenRule(t *testing.T) {
	yes := true
	var tools []Tool
	for _, name := range []string{"export_data", "import_data", "list_reports", "kanban_block", "brave_image_search", "files__read_text", "get_schemas", "schema_check"} {
		tools = append(tools, Tool{Name: name, ReadOnly: &yes})
	}
	cat := catalogue(t, tools)
	for _, c := range []struct{ why, name, want string }{
		{"one edit", "brave_imgae_search", "brave_image_search"},
		{"one edit, in another style", "braveImageSaerch", "brave_image_search"},
		{"one edit behind a prefix", "mcp__evergreen__brave_imagge_search", "brave_image_search"},
		{"two edits", "brave_imgaee_search", ""},
		{"two tokens", "brvae_imgae_search", ""},
		{"a token more", "brave_image_web_search", ""},
		{"a plural", "list_report", "list_reports"},
		{"a short word", "files__raed_text", ""},
		{"a verb misspelt", "exprot_data", "export_data"},
		{"what may be two verbs", "emport_data", ""},
		{"another verb", "link_reports", ""},
		{"another verb behind", "kanban_unblock", ""},
		{"a word of another tool", "get_schema", "get_schemas"},
		{"a verb's plural", "lists_reports", ""},
	} {
		got := Call([]byte(`{"name":"`+c.name+`","arguments":{}}`), cat)
		if got.Name != c.want {
			t.Errorf("%s: %s reached %q, want %q", c.why, c.name, got.Name, c.want)
		}
	}
}

// TestTieStopsTheClimb checks that a looser level does not decide between two
// tools that a stricter one could not tell apart.
func TestTieStopsTheClimb(t *testing.T) {
	yes := true
	cat := catalogue(t, []Tool{{Name: "get_log", ReadOnly: &yes}, {Name: "get-log", ReadOnly: &yes}, {Name: "x__getlog", ReadOnly: &yes}})
	got := Call([]byte(`{"name":"getLog","arguments":{}}`), cat)
	if got.Error != ErrUnknownTool || len(got.Candidates) != 2 {
		t.Errorf("%+v", got)
	}
}
