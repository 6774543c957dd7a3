package robots

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestAllowed(t *testing.T) {
	tests := []struct {
		name, file, agent, path string
		want                    bool
	}{
		{"no file", "", "evergreen", "/a", true},
		{"prefix", "User-agent: *\nDisallow: /a", "evergreen", "/abc", false},
		{"prefix needs its slash", "User-agent: *\nDisallow: /a/", "evergreen", "/a", true},
		{"paths keep their case", "User-agent: *\nDisallow: /A", "evergreen", "/a", true},
		{"empty disallow allows all", "User-agent: *\nDisallow:", "evergreen", "/a", true},
		{"the longest match wins", "User-agent: *\nDisallow: /\nAllow: /docs/", "evergreen", "/docs/a", true},
		{"the longest match wins in any order", "User-agent: *\nAllow: /docs/\nDisallow: /docs/private/", "evergreen", "/docs/private/a", false},
		{"allow wins a tie", "User-agent: *\nDisallow: /page\nAllow: /page", "evergreen", "/page", true},
		{"length is the pattern's, not the match's", "User-agent: *\nDisallow: /*.html\nAllow: /docs", "evergreen", "/docs/long/name.html", false},
		{"star", "User-agent: *\nDisallow: /*/edit", "evergreen", "/wiki/x/edit", false},
		{"star matches nothing too", "User-agent: *\nDisallow: /a*b", "evergreen", "/ab", false},
		{"leading star", "User-agent: *\nDisallow: *.pdf", "evergreen", "/x.pdf?a", false},
		{"end", "User-agent: *\nDisallow: /*.pdf$", "evergreen", "/x.pdf?a", true},
		{"end matches", "User-agent: *\nDisallow: /*.pdf$", "evergreen", "/x.pdf", false},
		{"end takes the last place", "User-agent: *\nDisallow: /*a$", "evergreen", "/a/b/a", false},
		{"end without star", "User-agent: *\nDisallow: /a$", "evergreen", "/ab", true},
		{"dollar inside is itself", "User-agent: *\nDisallow: /a$b", "evergreen", "/a$b", true},
		{"encoded dollar and star are themselves", "User-agent: *\nDisallow: /a%24b%2a", "evergreen", "/a$b*", false},
		{"query belongs to the path", "User-agent: *\nDisallow: /*?", "evergreen", "/a?b=c", false},
		{"encoding does not matter", "User-agent: *\nDisallow: /%7Ejoe/caf\u00e9", "evergreen", "/~joe/caf%c3%a9", false},
		{"an encoded slash is no slash", "User-agent: *\nDisallow: /a%2Fb", "evergreen", "/a/b", true},
		{"robots.txt is always allowed", "User-agent: *\nDisallow: /", "evergreen", "/robots.txt", true},

		{"own group hides everyone's", "User-agent: *\nDisallow: /\n\nUser-agent: evergreen\nDisallow: /x", "evergreen", "/a", true},
		{"own group hides everyone's in any order", "User-agent: evergreen\nDisallow: /x\n\nUser-agent: *\nDisallow: /", "evergreen", "/a", true},
		{"equal groups are merged", "User-agent: evergreen\nDisallow: /a\n\nUser-agent: other\nDisallow: /\n\nUser-agent: evergreen\nDisallow: /b", "evergreen", "/b", false},
		{"several agents share a group", "User-agent: other\nUser-agent: evergreen\nDisallow: /a", "evergreen", "/a", false},
		{"blank lines and comments do not end a group", "User-agent: evergreen\n\n# note\n\nDisallow: /a", "evergreen", "/a", false},
		{"unknown lines do not end the list of agents", "User-agent: evergreen\nHost: x\nCrawl-delay: 1\nUser-agent: other\nDisallow: /a", "evergreen", "/a", false},
		{"sitemap does not end a group", "User-agent: evergreen\nSitemap: https://x/s.xml\nDisallow: /a", "evergreen", "/a", false},
		{"agent without case", "User-Agent: EverGreen\nDisallow: /a", "evergreen", "/a", false},
		{"agent with version", "User-agent: evergreen/1.0\nDisallow: /a", "Evergreen/2.3 (+https://x)", "/a", false},
		{"agent is no prefix", "User-agent: ever\nDisallow: /", "evergreen", "/a", true},
		{"an empty group allows its agent all", "User-agent: *\nDisallow: /\n\nUser-agent: evergreen", "evergreen", "/a", true},

		{"byte order mark", "\ufeffUser-agent: *\nDisallow: /a", "evergreen", "/a", false},
		{"CR only", "User-agent: *\rDisallow: /a", "evergreen", "/a", false},
		{"CRLF", "User-agent: *\r\nDisallow: /a\r\n", "evergreen", "/a", false},
		{"comment behind a rule", "User-agent: * # all\nDisallow: /a # no", "evergreen", "/a", false},
		{"forgotten colon", "User-agent *\nDisallow /a", "evergreen", "/a", false},
		{"usual misspelling", "Useragent: *\nDisalow: /a", "evergreen", "/a", false},
		{"rule before any agent", "Disallow: /\nUser-agent: *\nAllow: /", "evergreen", "/a", true},
		{"HTML page", "<!DOCTYPE html><p>User-agent: *\nDisallow: /", "evergreen", "/a", true},
		{"NUL bytes", "User-agent: *\nDisallow: /a\x00", "evergreen", "/a", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, _ := Parse([]byte(tt.file))
			got, rule := f.For(tt.agent).Allowed(tt.path)
			if got != tt.want {
				t.Errorf("Allowed(%q) = %v by %+v, want %v", tt.path, got, rule, tt.want)
			}
		})
	}
}

func TestFromResponse(t *testing.T) {
	const forbids = "User-agent: *\nDisallow: /"
	tests := []struct {
		status int
		body   string
		want   bool
	}{
		{200, forbids, false},
		{200, "", true},
		{404, forbids, true},
		{401, forbids, true},
		{403, forbids, true},
		{302, forbids, true},
		{500, "", false},
		{503, "", false},
		{0, "", false},
	}
	for _, tt := range tests {
		f, _ := FromResponse(tt.status, []byte(tt.body))
		if got, _ := f.For("evergreen").Allowed("/a"); got != tt.want {
			t.Errorf("status %d: allowed = %v, want %v", tt.status, got, tt.want)
		}
	}
}

func TestParseStopsAtTheLimit(t *testing.T) {
	head := "User-agent: *\n"
	last := "Disallow: /kept\n"
	filler := strings.Repeat("#", MaxBytes-len(head)-len(last)-1) + "\n"
	fits := head + filler + last
	if len(fits) != MaxBytes {
		t.Fatalf("the file has %d bytes", len(fits))
	}
	f, diagnostics := Parse([]byte(fits))
	if allowed, _ := f.For("x").Allowed("/kept"); allowed || len(diagnostics) > 0 {
		t.Errorf("a file of exactly the limit: allowed %v, diagnostics %v", allowed, diagnostics)
	}
	// One byte more: the rule is cut by the limit and must not turn into a
	// broader one.
	f, diagnostics = Parse([]byte(head + "#" + filler + last))
	if allowed, _ := f.For("x").Allowed("/kept"); !allowed || len(diagnostics) == 0 {
		t.Errorf("a file over the limit: allowed %v, diagnostics %v", allowed, diagnostics)
	}
}

func TestCrawlDelay(t *testing.T) {
	tests := map[string]time.Duration{
		"2": 2 * time.Second, "0.5": 500 * time.Millisecond, "10s": 10 * time.Second,
		"-1": 0, "fast": 0, "NaN": 0, "3600": time.Hour, "3601": time.Hour, "1e300": time.Hour,
	}
	for value, want := range tests {
		f, _ := Parse([]byte("User-agent: *\nCrawl-delay: " + value + "\nDisallow:"))
		if got := f.For("x").CrawlDelay; got != want {
			t.Errorf("Crawl-delay: %s = %v, want %v", value, got, want)
		}
	}
}

func TestParseReadsTheRest(t *testing.T) {
	f, diagnostics := Parse([]byte("# Welcome\n# all\nSitemap: https://x/a.xml\nUser-agent: a\nContent-Signal: search=yes\nAllow: /\nNoindex: /b\nSitemap: https://x/b.xml?c=d\n"))
	want := &File{
		Comment:  "Welcome\nall",
		Groups:   []Group{{Agents: []string{"a"}, ContentSignal: "search=yes", Rules: []Rule{{Allow: true, Pattern: "/"}}}},
		Sitemaps: []string{"https://x/a.xml", "https://x/b.xml?c=d"},
	}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Diagnostic{{7, `unknown directive "noindex"`}}, diagnostics); diff != "" {
		t.Error(diff)
	}
}

func TestDiagnosticsAreBounded(t *testing.T) {
	_, diagnostics := Parse([]byte(strings.Repeat("no directive here\n", maxDiagnostics+1)))
	if len(diagnostics) != maxDiagnostics {
		t.Errorf("%d diagnostics, want %d", len(diagnostics), maxDiagnostics)
	}
}

func TestFormat(t *testing.T) {
	f := &File{
		Comment: "Example Docs: agents are welcome.",
		Groups: []Group{
			{Agents: []string{"GPTBot", "*"}, ContentSignal: "search=yes, ai-input=yes, ai-train=no", Rules: []Rule{{Allow: true, Pattern: "/"}}},
			{Agents: []string{"CCBot"}, CrawlDelay: 1500 * time.Millisecond, Rules: []Rule{{Pattern: "/"}, {Allow: true, Pattern: "/a#b\nAllow: /"}}},
			{Rules: []Rule{{Pattern: "/nobody"}}},
		},
		Sitemaps: []string{"https://docs.example.com/sitemap.xml"},
	}
	want, err := os.ReadFile(filepath.Join("testdata", "formatted.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(f.Format())); diff != "" {
		t.Error(diff)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /*a$\nAllow: /b\n", "/b")
	f.Add("\ufeff# x\r\nuser-agent: evergreen\rcrawl-delay: 1\nSitemap: y", "/%7e%ff*")
	f.Fuzz(func(t *testing.T, text, target string) {
		first, _ := Parse([]byte(text))
		again, _ := Parse(first.Format())
		for _, agent := range []string{"evergreen", "nobody"} {
			a, _ := first.For(agent).Allowed(target)
			if b, _ := again.For(agent).Allowed(target); a != b {
				t.Errorf("%q for %s: allowed %v, after writing and reading %v", target, agent, a, b)
			}
		}
	})
}

func BenchmarkAllowed(b *testing.B) {
	f, _ := Parse([]byte("User-agent: *\n" + strings.Repeat("Disallow: /*/private/*.html$\nAllow: /docs/\n", 50)))
	policy := f.For("evergreen")
	for b.Loop() {
		policy.Allowed("/docs/guide/install.html?lang=en")
	}
}
