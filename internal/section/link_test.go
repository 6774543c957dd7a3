package section_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"evergreen/internal/section"
)

func TestLinks(t *testing.T) {
	src := "---\ntitle: [no](front.md)\n---\n" +
		"[a](b.md \"t\") [c](<d e.md>) ![alt](img.png) [p](w(x).md) `[code](no.md)`\n\n" +
		"```\n[fence](no.md)\n```\n\n    [indented](no.md)\n\n[r][ref] <https://auto.example/x> [typo](htps://x.example) [e](a&amp;b.md)\n\n[ref]: ../ref.md#top\n\n<!-- [hidden](no.md) -->\n"
	var got []string
	for _, l := range section.Links([]byte(src), 30) {
		s := l.Target
		if l.Image {
			s = "!" + s
		}
		got = append(got, s)
	}
	want := []string{"b.md", "d e.md", "!img.png", "w(x).md", "../ref.md#top", "https://auto.example/x", "htps://x.example", "a&b.md"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("targets (-want +got):\n%s", diff)
	}
}

func TestSuspicion(t *testing.T) {
	for target, bad := range map[string]bool{
		"htps://x": true, "http://x": false, "HTTPS://x": false, "htttp://x": true, "git://x": false, "a:b": false, "c.md": false, "httpz://x": true,
	} {
		if got := (section.Link{Target: target}).Suspicion(); (got != "") != bad {
			t.Errorf("Suspicion(%q) = %q", target, got)
		}
	}
}

func TestRelative(t *testing.T) {
	for _, tc := range []struct {
		target, path, anchor string
		ok                   bool
	}{
		{"b.md", "guide/b.md", "", true},
		{"../x/", "x/", "", true},
		{"./c%20d.md#e", "guide/c d.md", "e", true},
		{"#top", "guide/a.md", "top", true},
		{"/abs.md", "", "", false},
		{"https://x/y", "", "", false},
		{"mailto:a@b", "", "", false},
		{"//host/x", "", "", false},
	} {
		path, anchor, ok := section.Link{Target: tc.target}.Relative("guide/a.md")
		if path != tc.path || anchor != tc.anchor || ok != tc.ok {
			t.Errorf("Relative(%q) = %q, %q, %v, want %q, %q, %v", tc.target, path, anchor, ok, tc.path, tc.anchor, tc.ok)
		}
	}
}

// TestGitHubAnchors holds the anchors that links to GitHub-rendered pages use.
func TestGitHubAnchors(t *testing.T) {
	src := []byte("# foo - bar\n\n# FAQ\n\n# FAQ\n\n# 🎉 emoji test\n\n# snake_case name\n\n# C++ & D\n\n# 中文 标题\n\n# What's new?\n")
	d := section.Split(src, section.Options{})
	names := section.Aliases(src, section.Options{}, d)
	for i, want := range []string{"foo---bar", "faq", "faq-1", "-emoji-test", "snake_case-name", "c--d", "中文-标题", "whats-new"} {
		if got := names[i][len(names[i])-1]; got != want {
			t.Errorf("anchor of %q = %q, want %q", d.Rows[i].Title, got, want)
		}
	}
}
