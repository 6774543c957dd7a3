package folder

import (
	"path/filepath"
	"testing"
)

func TestDocPath(t *testing.T) {
	tests := []struct{ in, want string }{
		{"a/b.md", "a/b.md"},
		{`a\b.md`, "a/b.md"},
		{"./a.md", "a.md"},
		{"././/a.md", "a.md"},
		{"a//b///c.md", "a/b/c.md"},
		{"/abs/a.md", "/abs/a.md"},
		{"../a.md", "../a.md"},
		{".hidden/a.md", ".hidden/a.md"},
		{"", ""},
	}
	for _, tt := range tests {
		if got := DocPath(tt.in); got != tt.want {
			t.Errorf("DocPath(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestDefaultName(t *testing.T) {
	root := plant(t, "my docs/x.md", "guide.v2/x.md", "notes.md", "kb/context.json", "LICENSE", ".env")
	tests := []struct{ in, want string }{
		{"my docs", "my docs"},
		{"guide.v2", "guide.v2"},
		{"my docs/", "my docs"},
		{"my docs/..", filepath.Base(root)},
		{"notes.md", "notes"},
		{"kb/context.json", "kb"},
		{"LICENSE", "LICENSE"},
		{".env", ".env"},
		{"gone.d", "gone.d"},
	}
	for _, tt := range tests {
		if got := DefaultName(root + "/" + tt.in); got != tt.want {
			t.Errorf("DefaultName(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	if got := DefaultName("/"); got != "root" {
		t.Errorf("the file system's root is called %q", got)
	}
}

func TestNamesKind(t *testing.T) {
	for pattern, want := range map[string]bool{
		"*.json": true, "docs/**/*.rst": true, "*.{yml,yaml}": true, "api/openapi": true, "*.[jt]s": true,
		"docs/**": false, "**": false, "*": false, "*.*": false, "docs/*.?": false,
	} {
		if namesKind(pattern) != want {
			t.Errorf("namesKind(%q) = %v", pattern, !want)
		}
	}
}
