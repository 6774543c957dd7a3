package audit_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"evergreen"
	"evergreen/internal/audit"
	"evergreen/internal/audit/audittest"
	"evergreen/internal/audit/finding"
	"evergreen/internal/audit/probe"

	"golang.org/x/net/html"
)

func run(t *testing.T, h http.Handler) audit.Report {
	t.Helper()
	server := httptest.NewServer(h)
	defer server.Close()
	client, err := probe.New(server.URL, probe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	report, err := audit.Run(t.Context(), client)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func find(t *testing.T, r audit.Report, name string) finding.Check {
	t.Helper()
	for _, c := range r.Checks {
		if c.Judge+"/"+c.ID == name {
			return c
		}
	}
	t.Fatalf("no check is named %s", name)
	return finding.Check{}
}

func TestACompleteSite(t *testing.T) {
	r := run(t, audittest.New(t))
	for _, c := range r.Checks {
		if c.Status == finding.Fail && !strings.HasPrefix(c.ID, "oauth") && c.ID != "webMcp" {
			t.Errorf("%s/%s: %s: %s", c.Judge, c.ID, c.Requested, c.Got)
		}
	}
	s := r.Score
	if s.Afdocs.Score != 100 || s.Lighthouse.Agentic != 100 || s.Lighthouse.SEO != 100 || s.Lighthouse.Practices != 100 || s.Lint.Errors+s.Lint.Warnings+s.Lint.Broken != 0 {
		t.Errorf("%+v", s)
	}
	// The honest ceiling of an open site without a WebMCP script.
	if c := s.Cloudflare; c.Score != 75 || c.Level != 4 || c.Own != 90 || c.OwnLevel != 5 || c.Passed != 9 || c.Failed != 3 {
		t.Errorf("%+v", c)
	}
	for _, l := range r.Layers {
		if l.Status == finding.Fail || l.Passed == 0 {
			t.Errorf("%+v", l)
		}
	}
	if len(r.NotRun) < 14 {
		t.Errorf("%d audits are named as not run", len(r.NotRun))
	}
}

func TestEveryFailedCheckTellsHowToMendIt(t *testing.T) {
	for name, h := range map[string]http.Handler{
		"nothing": http.NotFoundHandler(),
		"one page": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<p>Hello"))
		}),
		"a shell": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(`<!doctype html><title>x</title><div id="root"></div><script src="/a.js"></script>`))
		}),
		"broken": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }),
	} {
		r := run(t, h)
		for _, c := range r.Checks {
			if c.Status != finding.Fail && c.Status != finding.Warn {
				continue
			}
			if c.Requested == "" || c.Got == "" || c.Fix == "" || c.Layer == "" || c.Phase == "" || c.Title == "" {
				t.Errorf("%s: %+v", name, c)
			}
		}
		if r.Score.Afdocs.Score > 59 {
			t.Errorf("%s scores %d", name, r.Score.Afdocs.Score)
		}
	}
}

func TestFaultsReachTheirCheck(t *testing.T) {
	for i, tt := range []struct {
		fault  audittest.Fault
		name   string
		status finding.Status
		got    string
	}{
		{audittest.Gone("/llms.txt"), "layers/llms-txt", finding.Fail, "404"},
		{audittest.Gone("/llms.txt"), "lighthouse/llms-txt", finding.Skip, "no llms.txt"},
		{audittest.Gone("/llms.txt"), "lint/llms.txt", finding.Fail, "404"},
		{audittest.Replace("/llms.txt", "# Example Docs", "Example Docs"), "lint/missing-title", finding.Warn, "no H1"},
		{audittest.Replace("/llms.txt", "## Optional", "## Empty\n\n## Optional"), "lint/empty-section", finding.Warn, "Empty"},
		{audittest.Gone("/llms-full.txt"), "lint/links", finding.Fail, "404"},
		{audittest.Gone("/docs/guide/install.html.md"), "layers/mirrors", finding.Pass, ""}, // it is still had by install.md
		{audittest.Gone("/context.json"), "layers/context-json", finding.Fail, "404"},
		{audittest.Gone("/api/context"), "layers/api-context", finding.Fail, "404"},
		{audittest.Gone("/.well-known/agent-card.json"), "layers/agent-card", finding.Fail, "404"},
		{audittest.Gone("/.well-known/agent-card.json"), "cloudflare/a2aAgentCard", finding.Fail, "404"},
		{audittest.Gone("/mcp"), "layers/mcp", finding.Fail, "404"},
		{audittest.Replace("/", "application/ld+json", "text/x"), "layers/json-ld", finding.Fail, "without a script"},
		{audittest.Gone("/ai.txt"), "layers/ai-txt", finding.Fail, "404"},
		{audittest.Gone("/robots.txt"), "cloudflare/robotsTxt", finding.Fail, "404"},
		{audittest.Gone("/robots.txt"), "lighthouse/robots-txt", finding.Skip, "no robots.txt"},
		{audittest.Replace("/robots.txt", "Content-Signal:", "Content-Usage:"), "lighthouse/robots-txt", finding.Fail, "content-usage"},
		{audittest.Replace("/robots.txt", "Content-Signal:", "Content-Usage:"), "cloudflare/contentSignals", finding.Fail, "200"},
		{audittest.Replace("/robots.txt", "Sitemap: http://", "Sitemap: //"), "lighthouse/robots-txt", finding.Fail, "absolute"},
		{audittest.Replace("/robots.txt", "Allow: /", "Disallow: /"), "lighthouse/is-crawlable", finding.Fail, "Disallow: /"},
		{audittest.Replace("/robots.txt", "GPTBot", "SomeBot"), "cloudflare/robotsTxtAiRules", finding.Pass, "ChatGPT-User"},
		{audittest.Instead("/robots.txt", text("User-agent: *\nAllow: /\n")), "cloudflare/robotsTxtAiRules", finding.Fail, "without a group"},
		{audittest.Instead("/robots.txt", text("Allow: /\nUser-agent: *\n")), "lighthouse/robots-txt", finding.Fail, "before any user-agent"},
		{audittest.Instead("/robots.txt", text("User-agent:\n")), "lighthouse/robots-txt", finding.Fail, "no user agent"},
		{audittest.Instead("/robots.txt", text("User-agent: *\nDisallow: docs\n")), "lighthouse/robots-txt", finding.Fail, "begin with"},
		{audittest.Instead("/robots.txt", text("User-agent: *\nDisallow: /a$b\n")), "lighthouse/robots-txt", finding.Fail, "at the end"},
		{audittest.Instead("/sitemap.xml", text("<rss/>")), "cloudflare/sitemap", finding.Fail, "200"},
		{audittest.Header("/", "Link", ""), "cloudflare/linkHeaders", finding.Fail, "without a Link"},
		{audittest.Header("/", "X-Robots-Tag", "noindex"), "lighthouse/is-crawlable", finding.Fail, "X-Robots-Tag"},
		{audittest.Replace("/.well-known/agent-skills/index.json", "0.2.0", "0.3.0"), "cloudflare/agentSkills", finding.Fail, "200"},
		{audittest.Header("/.well-known/api-catalog", "Content-Type", "application/json"), "cloudflare/apiCatalog", finding.Fail, "application/json"},
		{audittest.Replace("/.well-known/ai-catalog.json", "representativeQueries", "queries"), "lighthouse/ard-schema", finding.Warn, "representativeQueries"},
		{audittest.Replace("/.well-known/ai-catalog.json", "urn:air", "urn:x"), "lighthouse/ard-schema", finding.Fail, "urn:air"},
		{audittest.Replace("/.well-known/ai-catalog.json", "specVersion", "version"), "lighthouse/ard-schema", finding.Fail, "specVersion"},
		{audittest.Gone("/.well-known/ai-catalog.json"), "lighthouse/ard-schema", finding.Fail, "where the page says"},
		{audittest.Replace("/", "<title>", "<title></title><b>"), "lighthouse/document-title", finding.Fail, "title"},
		{audittest.Replace("/", `name="description"`, `name="x"`), "lighthouse/meta-description", finding.Fail, "description"},
		{audittest.Replace("/", "<main>", `<main><a href="/x">Click here</a>`), "lighthouse/link-text", finding.Fail, "click here"},
		{audittest.Replace("/", "<main>", `<main><a href="/x">点击这里</a>`), "lighthouse/link-text", finding.Fail, "点击这里"},
		{audittest.Replace("/", "<main>", `<main><a onclick="go()">Go on</a>`), "lighthouse/crawlable-anchors", finding.Fail, "without an address"},
		{audittest.Replace("/", "<main>", `<main><img src="a.png">`), "lighthouse/image-alt", finding.Fail, "a.png"},
		{audittest.Replace("/", "<main>", `<main><img src="a.png" alt="">`), "lighthouse/image-alt", finding.Pass, ""},
		{audittest.Replace("/", "</title>", `</title><link rel="alternate" hreflang="english-language" href="https://a.example/">`), "lighthouse/hreflang", finding.Fail, "english-language"},
		{audittest.Replace("/", "</title>", `</title><link rel="canonical" href="/x">`), "lighthouse/canonical", finding.Fail, "not absolute"},
		{audittest.Replace("/", "<!doctype html>", ""), "lighthouse/doctype", finding.Fail, "doctype"},
		{audittest.Replace("/", "<main>", "<main><button></button>"), "lighthouse/agent-accessibility-tree", finding.Fail, "button-name"},
		{audittest.Replace("/", "<main>", `<main><a href="/x"></a>`), "lighthouse/agent-accessibility-tree", finding.Fail, "link-name"},
		{audittest.Replace("/", "<main>", `<main><input type="text">`), "lighthouse/agent-accessibility-tree", finding.Fail, "label"},
		{audittest.Replace("/", "<main>", `<main><label>Name <input></label><label for="b">B</label><select id="b"></select>`), "lighthouse/agent-accessibility-tree", finding.Pass, ""},
		{audittest.Replace("/", "<main>", `<main><div role="knob">x</div>`), "lighthouse/agent-accessibility-tree", finding.Fail, "knob"},
		{audittest.Replace("/", "<main>", `<main><div role="slider" aria-label="x"></div>`), "lighthouse/agent-accessibility-tree", finding.Fail, "aria-valuenow"},
		{audittest.Replace("/", "<main>", `<main><p aria-colour="x">x</p>`), "lighthouse/agent-accessibility-tree", finding.Fail, "aria-colour"},
		{audittest.Replace("/", "<main>", `<main><p tabindex="3">x</p>`), "lighthouse/agent-accessibility-tree", finding.Fail, "tabindex"},
		{audittest.Replace("/", "<main>", `<main><script>if (document.modelContext) { document.modelContext.registerTool({}) }</script>`), "cloudflare/webMcp", finding.Pass, "inline"},
	} {
		if testing.Short() && i%7 != 0 {
			continue // each row audits a whole site
		}
		r := run(t, audittest.Broken(audittest.New(t), tt.fault))
		if c := find(t, r, tt.name); c.Status != tt.status || !strings.Contains(c.Got, tt.got) {
			t.Errorf("%s: %s: %q, want %s with %q", tt.name, c.Status, c.Got, tt.status, tt.got)
		}
	}
}

func text(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte(body))
	}
}

func TestOAuthCountsWhereThereIsALogin(t *testing.T) {
	r := run(t, audittest.New(t))
	if c := find(t, r, "cloudflare/oauthDiscovery"); c.Status != finding.Fail || !strings.Contains(c.Got, "not applicable: open access") {
		t.Errorf("%+v", c)
	}
	if c := find(t, r, "cloudflare/webBotAuth"); c.Status != finding.Skip {
		t.Errorf("%+v", c)
	}
}

func TestTheSameSiteGivesTheSameReport(t *testing.T) {
	server := httptest.NewServer(audittest.New(t))
	defer server.Close()
	var first []byte
	for range 2 {
		client, err := probe.New(server.URL, probe.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := audit.Run(t.Context(), client)
		if err != nil {
			t.Fatal(err)
		}
		var page bytes.Buffer
		if err := r.WriteHTML(&page); err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		b = append(b, page.Bytes()...)
		if first != nil && !bytes.Equal(first, b) {
			t.Error("two reports differ")
		}
		first = b
	}
}

func TestTheHTMLReportStandsAlone(t *testing.T) {
	r := run(t, audittest.Broken(audittest.New(t), audittest.Gone("/mcp"), audittest.Replace("/", "<title>", "<title></title><b>")))
	r.URL = `http://example.com/"><script>alert(1)</script>`
	var b bytes.Buffer
	if err := r.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	if _, err := html.Parse(strings.NewReader(page)); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"<svg ", "layers/mcp", "P0: index", "evergreen serve --origin URL", "afdocs", "need a browser"} {
		if !strings.Contains(page, part) {
			t.Errorf("the report lacks %q", part)
		}
	}
	for _, part := range []string{"<script", "src=", "<link", "@import", "url("} {
		if strings.Contains(page, part) {
			t.Errorf("the report holds %q", part)
		}
	}
}

func TestADeadSite(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	client, err := probe.New(server.URL, probe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := audit.Run(t.Context(), client); evergreen.KindOf(err) != evergreen.Upstream {
		t.Error(err)
	}
}
