package calls

import "testing"

// Every call has exactly one bound, and every tool is called.
func TestAll(t *testing.T) {
	m := Material{Repo: "r", Queries: []string{"q"}, IDs: []string{"a", "b"}, Paths: []string{"p.md"}, Folder: "/f"}
	called := map[string]int{}
	for _, c := range m.All() {
		called[c.Tool]++
		if (c.Tokens > 0) == (c.Bytes > 0) {
			t.Errorf("%s %v is bound by %d tokens and %d bytes", c.Tool, c.Arguments, c.Tokens, c.Bytes)
		}
		if budget, ok := c.Arguments["budget"].(int); ok && (c.Tokens < 200 || c.Tokens > 8000 || budget >= 200 && budget <= 8000 && c.Tokens != budget) {
			t.Errorf("%s: budget %d is bound by %d", c.Tool, budget, c.Tokens)
		}
	}
	if len(called) != 11 {
		t.Errorf("%d tools are called: %v", len(called), called)
	}
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		call  Call
		size  int
		limit string
	}{
		{Call{Tokens: 200}, 3, "200 tokens"},
		{Call{Bytes: 600}, 7, "600 bytes"},
	} {
		if got := c.call.Size("汉字 "); got != c.size {
			t.Errorf("size %d, want %d", got, c.size)
		}
		if got := c.call.Limit(); got != c.limit {
			t.Errorf("limit %s, want %s", got, c.limit)
		}
	}
}
