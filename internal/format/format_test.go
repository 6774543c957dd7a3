package format

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/unicode"

	"evergreen"
)

// read reads a document that must be readable.
func read(t testing.TB, path, data string, opts Options) Doc {
	t.Helper()
	doc, err := Read(path, []byte(data), opts)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return doc
}

func TestTextIsKeptByteForByte(t *testing.T) {
	for name, data := range map[string]string{
		"empty":                 "",
		"plain Markdown":        "# T\n\ntext\n",
		"no line end":           "# T",
		"CRLF":                  "---\r\ntitle: x\r\n---\r\n# T\r\n\r\ntext\r\n",
		"BOM":                   "\xEF\xBB\xBF# T\n",
		"BOM and setext":        "\xEF\xBB\xBFT\n===\n",
		"BOM and front matter":  "\xEF\xBB\xBF---\ntitle: x\n---\n# T\n",
		"a replacement rune":    "a\uFFFDb",
		"control characters":    "a\x0c\x1bb",
		"Chinese":               "# 安装 指南\n\n说明。\n",
		"MDX":                   "import A from 'a'\n\n# T\n\n<A x={1}/>\n",
		"thematic break on top": "---\n\n# A\n\n---\n",
	} {
		for _, path := range []string{"a.md", "a.mdx", "a.txt"} {
			doc := read(t, path, data, Options{})
			if string(doc.Text) != data || len(doc.Warnings) > 0 {
				t.Errorf("%s as %s: text %q, warnings %q", name, path, doc.Text, doc.Warnings)
			}
			if doc.Outline != nil && len(doc.Outline) != len(doc.Text) {
				t.Errorf("%s as %s: outline of %d bytes for %d", name, path, len(doc.Outline), len(doc.Text))
			}
		}
	}
}

func TestBOMChangesNothingElse(t *testing.T) {
	for _, data := range []string{"# T\n", "---\ntitle: x\n---\n# T\n", "T\n===\n", "+++\ntitle = 'x'\n+++\nT\n"} {
		without := read(t, "a.md", data, Options{})
		with := read(t, "a.md", "\xEF\xBB\xBF"+data, Options{})
		if !cmp.Equal(without.Meta, with.Meta) || string(with.Text) != "\xEF\xBB\xBF"+data {
			t.Errorf("%q: %+v and %+v", data, without.Meta, with.Meta)
		}
		if without.FrontMatterEnd > 0 && with.FrontMatterEnd != without.FrontMatterEnd+3 {
			t.Errorf("%q: front matter ends at %d and %d; the BOM counts", data, without.FrontMatterEnd, with.FrontMatterEnd)
		}
	}
}

func TestEncodings(t *testing.T) {
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String("---\ntitle: 指南\n---\n# 安装\n")
	if err != nil {
		t.Fatal(err)
	}
	doc := read(t, "a.md", utf16, Options{})
	if string(doc.Text) != "---\ntitle: 指南\n---\n# 安装\n" || doc.Meta.Title != "指南" || len(doc.Warnings) > 0 {
		t.Errorf("UTF-16: %q %+v %q", doc.Text, doc.Meta, doc.Warnings)
	}
	doc = read(t, "a.md", "# Caf\xE9\n", Options{})
	if string(doc.Text) != "# Café\n" || len(doc.Warnings) != 1 {
		t.Errorf("guessed: %q %q", doc.Text, doc.Warnings)
	}
	doc = read(t, "a.md", "# Caf\xC3\xA9\xFF\n", Options{})
	if string(doc.Text) != "# Café\uFFFD\n" || len(doc.Warnings) != 1 {
		t.Errorf("invalid UTF-8: %q %q", doc.Text, doc.Warnings)
	}
	doc = read(t, "p", "<meta charset=gbk><p>\xD6\xD0\xCE\xC4", Options{ContentType: "text/html"})
	if string(doc.Text) != "中文\n" {
		t.Errorf("GBK page: %q", doc.Text)
	}
}

func TestUnreadable(t *testing.T) {
	tests := []struct{ path, data, contentType, why string }{
		{"a.md", "text\x00more", "", "binary"},
		{"a.md", strings.Repeat("x", sniffBytes-1) + "\x00", "", "binary"},
		{"a.html", "%PDF-1.7 ...", "text/html", "unsupported: a PDF"},
		{"a.txt", "PK\x03\x04...", "", "unsupported: a ZIP archive or office file"},
		{"a", "anything", "image/svg+xml", "unsupported type image/svg+xml"},
		{"context.json", "{", "", "no valid JSON at line 1, column 2: unexpected end of JSON input"},
	}
	for _, tt := range tests {
		_, err := Read(tt.path, []byte(tt.data), Options{ContentType: tt.contentType})
		if evergreen.KindOf(err) != evergreen.Invalid || err.Error() != tt.why {
			t.Errorf("%s: %v, want %s", tt.path, err, tt.why)
		}
	}
	beyond := strings.Repeat("x", sniffBytes) + "\x00"
	if doc := read(t, "a.md", beyond, Options{}); string(doc.Text) != beyond {
		t.Error("a NUL byte beyond the sniffed part makes a file binary")
	}
}

func TestKindOf(t *testing.T) {
	const page = "<!-- x -->\n<!DOCTYPE HTML><p>hi"
	tests := []struct {
		path, contentType, data string
		mdx                     bool
		want                    kind
	}{
		{"a.md", "", "", false, kindMarkdown},
		{"A.MARKDOWN", "", "", false, kindMarkdown},
		{"a.md", "", "", true, kindMDX},
		{"a.mdx", "", "", false, kindMDX},
		{"a.txt", "", "", true, kindPlain},
		{"a.xhtml", "", "", false, kindHTML},
		{"x/context.json", "", "", false, kindKnowledge},
		{"x/other.json", "", "", false, kindPlain},
		{"a.rst", "", "", false, kindPlain},
		{"guide", "text/html; charset=utf-8", "", false, kindHTML},
		{"guide.md", "text/html", page, false, kindHTML},
		{"guide.md", "text/html", "# Markdown", false, kindMarkdown},
		{"guide.md", "application/octet-stream", "# Markdown", false, kindMarkdown},
		{"guide.txt", "text/html", page, false, kindHTML},
		{"guide", "text/markdown", "", false, kindMarkdown},
		{"guide.mdx", "text/markdown", "", false, kindMDX},
		{"guide.html", "text/plain", "", false, kindHTML},
		{"guide", "application/xhtml+xml", "", false, kindHTML},
		{"a.md", "", page, false, kindMarkdown},
	}
	for _, tt := range tests {
		if got := kindOf(tt.path, []byte(tt.data), Options{MDX: tt.mdx, ContentType: tt.contentType}); got != tt.want {
			t.Errorf("%s as %q: %d, want %d", tt.path, tt.contentType, got, tt.want)
		}
	}
}

func TestPlainTextOpensNoHeadings(t *testing.T) {
	doc := read(t, "notes.txt", "---\ntitle: x\n---\n# T\n", Options{})
	if !doc.Plain || doc.FrontMatterEnd != 0 || doc.Meta.Title != "" {
		t.Errorf("%+v", doc)
	}
	if doc := read(t, "a.md", "# T", Options{}); doc.Plain {
		t.Error("Markdown is plain")
	}
}

func TestURLIsKept(t *testing.T) {
	doc := read(t, "a.md", "---\nurl: /x\n---\n", Options{URL: "https://docs.example.com/a"})
	if doc.Meta.URL != "https://docs.example.com/a" {
		t.Errorf("%q", doc.Meta.URL)
	}
}
