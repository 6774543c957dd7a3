package ui_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"evergreen/internal/site"
	"evergreen/internal/ui"
)

func layersOf(t *testing.T, o ui.Options, lang string, files site.Options) string {
	t.Helper()
	s, _ := siteOf(t, exampleFiles(), files)
	b, err := newUI(t, o).Layers(s, lang)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestLayersAreMeasured(t *testing.T) {
	page := layersOf(t, ui.Options{}, "en", site.Options{A2A: true, Operations: site.Operations()})
	for _, want := range []string{
		"L1 Index</h2>", "L2 Markdown mirrors</h2>", "L3 Context API</h2>", "L4 Agent card</h2>", "L6 Structured data</h2>", "L7 Policy and discovery</h2>",
		`<a class="mono" href="https://docs.example.com/llms.txt">/llms.txt</a> <span>text/markdown; charset=utf-8</span>`,
		"*.html.md", "&gt; Documentation of Example Docs.", "# Example Docs", `{
  &#34;@context&#34;`, `href="https://docs.example.com/robots.txt">`,
		"No MCP: an export has no server behind it.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if marks := strings.Count(page, "✓"); marks != 0 {
		t.Errorf("%d marks without a verification", marks)
	}
	if full := regexp.MustCompile(`rect class="used" width="100.00%"`).FindAllString(page, -1); len(full) != 1 {
		t.Errorf("%d bars are whole, want that of the largest", len(full))
	}
}

func TestLayersAreMarked(t *testing.T) {
	asked := ""
	o := ui.Options{Verify: func(base string) ([]ui.Mark, error) {
		asked = base
		return []ui.Mark{{Layer: "L1", OK: true}, {Layer: "", OK: true}, {Layer: "L7", OK: true}, {Layer: "L7", Detail: "GET /robots.txt: got 500; wanted 200"}}, nil
	}}
	page := layersOf(t, o, "en", site.Options{})
	if asked != baseURL {
		t.Errorf("asked %s", asked)
	}
	for _, want := range []string{"1 promises are broken. See what is wrong: <code>evergreen verify https://docs.example.com</code>",
		`<span class="good">✓ kept</span>`, `<span class="bad">✗ broken</span>`, "GET /robots.txt: got 500; wanted 200"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	o.Verify = func(string) ([]ui.Mark, error) { return []ui.Mark{{Layer: "L1", OK: true}, {OK: true}}, nil }
	if page := layersOf(t, o, "zh", site.Options{}); !strings.Contains(page, "✓ 2 项约定全部遵守") {
		t.Error("nothing is said of promises that are kept")
	}
	o.Verify = func(string) ([]ui.Mark, error) { return nil, errors.New("no") }
	s, _ := siteOf(t, exampleFiles(), site.Options{})
	if _, err := newUI(t, o).Layers(s, "en"); err == nil {
		t.Error("a verification that fails is passed over")
	}
}

func TestLayersShowTheFirstLines(t *testing.T) {
	files := exampleFiles()
	for i := range 40 {
		files[fmt.Sprintf("more/%02d.md", i)] = files["index.md"]
	}
	s, _ := siteOf(t, files, site.Options{})
	b, err := newUI(t, ui.Options{}).Layers(s, "en")
	if err != nil {
		t.Fatal(err)
	}
	_, head, _ := strings.Cut(string(b), `: /llms.txt</span></summary><pre tabindex="0">`)
	head, _, _ = strings.Cut(head, "</pre>")
	if lines := strings.Split(head, "\n"); len(lines) != 21 || lines[20] != "…" || lines[0] != "# Example Docs" {
		t.Errorf("%d lines:\n%s", len(lines), head)
	}
}
