package web

import (
	"os"
	"strings"
	"testing"
)

// TestNegotiate reads the table of the contract.
func TestNegotiate(t *testing.T) {
	table, err := os.ReadFile("testdata/accept.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(table)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		accept, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if got := negotiate(accept); string(got) != want {
			t.Errorf("%q: %s, want %s", accept, got, want)
		}
		rows++
	}
	if rows < 29 {
		t.Errorf("%d rows", rows)
	}
}

func TestNegotiateBeyondTheTable(t *testing.T) {
	for accept, want := range map[string]form{
		"text/markdown;q=2, text/html":                          formMarkdown,
		"text/html;q=NaN, text/markdown":                        formHTML,
		"text/markdown ; q = 0.4 , text/html;q=.3":              formMarkdown,
		"text/plain;q=0":                                        formHTML,
		"text/plain, text/markdown;q=0":                         formHTML,
		"text/html;q=0, text/markdown;q=0.1":                    formMarkdown,
		"application/xhtml+xml;q=0.2, text/html, text/markdown": formHTML,
		"*/*;q=0.1, text/*;q=0.9, text/markdown;q=0.5":          formHTML,
	} {
		if got := negotiate(accept); got != want {
			t.Errorf("%q: %s, want %s", accept, got, want)
		}
	}
}

func TestCodingFor(t *testing.T) {
	for _, tt := range []struct{ accept, kind, want string }{
		{"", typeHTML, ""},
		{"gzip", typeHTML, "gzip"},
		{"gzip, deflate, br, zstd", typeHTML, "zstd"},
		{"gzip;q=1, zstd;q=0.5", typeMarkdown, "gzip"},
		{"zstd;q=0", typeJSON, ""},
		{"*", typeProblem, "zstd"},
		{"*;q=0, gzip", "image/svg+xml", "gzip"},
		{"br", typeText, ""},
		{"identity, gzip;q=0.5", typeText, ""},
		{"gzip", "image/png", ""},
		{"gzip", "application/octet-stream", ""},
	} {
		if got := codingFor(tt.accept, tt.kind); got != tt.want {
			t.Errorf("%q of %s: %q, want %q", tt.accept, tt.kind, got, tt.want)
		}
	}
}
