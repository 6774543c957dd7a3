package verify_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"evergreen/internal/audit/audittest"
	"evergreen/internal/audit/probe"
	"evergreen/internal/audit/verify"

	"github.com/google/go-cmp/cmp"
)

// judge verifies a server with everything that can be asked.
func judge(t *testing.T, h http.Handler, o verify.Options) verify.Report {
	t.Helper()
	server := httptest.NewServer(h)
	defer server.Close()
	client, err := probe.New(server.URL, probe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	report, err := verify.Run(t.Context(), client, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func failed(r verify.Report) []string {
	var names []string
	for _, c := range r.Checks {
		if !c.OK {
			names = append(names, c.Name)
		}
	}
	return names
}

func TestACompleteServerPasses(t *testing.T) {
	report := judge(t, audittest.New(t), verify.Options{Self: true})
	for _, c := range report.Checks {
		if !c.OK {
			t.Errorf("%s: %s", c.Name, c.Detail)
		}
		if c.Detail == "" {
			t.Errorf("%s tells nothing", c.Name)
		}
	}
	if report.Passed != len(report.Checks) || report.Failed != 0 || report.Passed < 45 {
		t.Errorf("passed %d, failed %d of %d", report.Passed, report.Failed, len(report.Checks))
	}
	seen := map[string]bool{}
	for _, c := range report.Checks {
		if seen[c.Name] {
			t.Errorf("two checks are named %s", c.Name)
		}
		seen[c.Name] = true
	}
}

// answers makes a handler that sends one body.
func answers(status int, kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

// rpc matches a POST to /mcp whose body holds a text, and leaves the body to be
// read again.
func rpc(part string) func(*http.Request) bool {
	return func(r *http.Request) bool {
		if r.URL.Path != "/mcp" || r.Method != http.MethodPost {
			return false
		}
		var b bytes.Buffer
		_, _ = b.ReadFrom(r.Body)
		body := b.String()
		r.Body = http.NoBody
		r.Body = readCloser{strings.NewReader(body)}
		return strings.Contains(body, part)
	}
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

func TestABrokenServerFailsByName(t *testing.T) {
	object := "application/json; charset=utf-8"
	topic := func(words string) func(*http.Request) bool {
		return func(r *http.Request) bool {
			return r.URL.Path == "/api/context" && strings.Contains(r.URL.Query().Get("topic"), words)
		}
	}
	swap := func(old, with string) func(int, http.Header, []byte) (int, []byte) {
		return func(status int, _ http.Header, body []byte) (int, []byte) {
			return status, bytes.ReplaceAll(body, []byte(old), []byte(with))
		}
	}
	for _, tt := range []struct {
		what  string
		fault audittest.Fault
		want  []string
	}{
		{"L1 llms.txt is gone", audittest.Gone("/llms.txt"), []string{"head /llms.txt", "not-modified", "method-not-allowed", "llms-txt"}},
		{"L1 llms.txt has no summary", audittest.Replace("/llms.txt", "\n> ", "\n"), []string{"llms-txt"}},
		{"L1 llms.txt links to nothing", audittest.Gone("/docs/guide/install.html.md"), []string{"llms-txt"}},
		{"L1 llms-full.txt is gone", audittest.Gone("/llms-full.txt"), []string{"head /llms-full.txt"}},
		{"L2 the mirror is gone", audittest.Gone("/index.html.md"), []string{"head /index.html.md", "llms-txt", "mirror"}},
		{"L2 the mirror has the wrong type", audittest.Header("/index.html.md", "Content-Type", "text/html"), []string{"head /index.html.md", "mirror"}},
		{"L2 no pointer in the mirror", audittest.Replace("/index.html.md", "llms.txt", "index.txt"), []string{"mirror"}},
		{"L2 Accept is not looked at", audittest.Edit(audittest.At("/"), func(status int, h http.Header, body []byte) (int, []byte) {
			h.Set("Content-Type", "text/html; charset=utf-8")
			return status, body
		}), []string{"negotiation"}},
		{"L2 Vary is missing", audittest.Header("/", "Vary", "Accept-Encoding"), []string{"headers", "negotiation"}},
		{"L3 mojibake", audittest.Edit(topic("幻觉"), swap("幻觉 引用", "骞昏 寮曠敤")), []string{"api-chinese-query"}},
		{"L3 escapes", audittest.Edit(topic("幻觉"), swap("幻", `\u5e7b`)), []string{"api-chinese-query"}},
		{"L3 one entry is no array", audittest.Edit(topic("预算"), swap(`"citations":[`, `"citations":null,"x":[`)), []string{"api-mixed-query"}},
		{"L3 over budget", audittest.Edit(topic("预算"), swap(`"tokens":`, `"tokens":9`)), []string{"api-mixed-query"}},
		{"L3 no stand-ins", audittest.Edit(topic("xyzzy"), swap(`"entries":[`, `"entries":[],"x":[`)), []string{"api-no-hit"}},
		{"L3 the API is gone", audittest.Gone("/api/context"), []string{"api-chinese-query", "api-mixed-query", "api-no-hit", "head /api/context",
			"method-not-allowed", "mcp-get-entry", "self-ranks-citation", "self-ranks-budget"}},
		{"L3 context.json is empty", audittest.Instead("/context.json", answers(200, object, "{}")), []string{"not-modified", "context-json"}},
		{"L3 context.json has parts that are gone", audittest.Instead("/context.json", answers(200, object, `{"parts":[{"url":"http://127.0.0.1/context/1.json"}],"entries":[]}`)), []string{"not-modified", "context-json"}},
		{"L3 context.json has parts, which is fine", audittest.When(func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/context") },
			func(w http.ResponseWriter, r *http.Request) {
				body := `{"parts":[{"url":"http://127.0.0.1/context/1.json"}],"entries":[]}`
				if r.URL.Path == "/context/1.json" {
					body = `{"entries":[{"id":"a"}]}`
				}
				answers(200, object, body)(w, r)
			}), []string{"not-modified"}},
		{"L3 another ranking", audittest.Edit(topic("幻觉"), swap("EG-201", "EG-203")), []string{"self-ranks-citation"}},
		{"L4 the card is gone", audittest.Gone("/.well-known/agent-card.json"), []string{"head /.well-known/agent-card.json", "agent-card", "a2a"}},
		{"L4 the card has no skills", audittest.Replace("/.well-known/agent-card.json", `"skills"`, `"abilities"`), []string{"agent-card"}},
		{"L4 nobody answers where the card points", audittest.Gone("/a2a"), []string{"a2a"}},
		{"L5 MCP is gone", audittest.Gone("/mcp"), []string{"method-not-allowed", "mcp-bare-list", "mcp-initialize", "mcp-notification", "mcp-batch",
			"mcp-search-context", "mcp-get-entry", "mcp-get-prompt-pack", "mcp-get-metrics", "mcp-unknown-id"}},
		{"L5 a bare client is refused", audittest.When(func(r *http.Request) bool {
			return r.URL.Path == "/mcp" && r.Method == "POST" && r.Header.Get("Accept") == "" && rpc(`"id":1,"method":"tools/list"`)(r)
		}, answers(406, "text/plain", "Accept must hold text/event-stream")), []string{"mcp-bare-list"}},
		{"L5 a tool is missing", audittest.Edit(rpc(`"id":1,"method":"tools/list"`), swap("get_metrics", "metrics")), []string{"mcp-bare-list"}},
		{"L5 initialize fails", audittest.When(rpc("initialize\",\"params"), answers(200, object, `{"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"no"}}`)), []string{"mcp-initialize"}},
		{"L5 a notification is answered", audittest.When(rpc(`{"jsonrpc":"2.0","method":"notifications`), answers(200, object, `{}`)), []string{"mcp-notification", "mcp-batch"}},
		{"L5 no batches", audittest.When(rpc("[{"), answers(400, object, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}`)), []string{"mcp-batch"}},
		{"L5 a batch out of order", audittest.Edit(rpc("[{"), swap(`"a"`, `"c"`)), []string{"mcp-batch"}},
		{"L5 search_context garbles", audittest.Edit(rpc("search_context"), swap("幻觉", "骞昏")), []string{"mcp-search-context"}},
		{"L5 get_entry fails", audittest.When(rpc(`"id":"EG-202"`), answers(200, object, `{"jsonrpc":"2.0","id":7,"result":{"content":[],"isError":true}}`)), []string{"mcp-get-entry"}},
		{"L5 unknown id is an empty answer", audittest.When(rpc("EG-999"), answers(200, object, `{"jsonrpc":"2.0","id":7,"result":{"content":[]}}`)), []string{"mcp-unknown-id"}},
		{"L5 no prompt pack", audittest.Edit(rpc("get_prompt_pack"), swap("text", "txet")), []string{"mcp-get-prompt-pack"}},
		{"L5 no figures", audittest.When(rpc(`"name":"get_metrics"}}`), answers(200, object, `{"jsonrpc":"2.0","id":7,"result":{"content":[],"isError":true}}`)), []string{"mcp-get-metrics"}},
		{"L6 no structured data", audittest.Replace("/", "application/ld+json", "text/x"), []string{"structured-data"}},
		{"L6 broken structured data", audittest.Replace("/", `"@graph"`, `"@graph`), []string{"structured-data"}},
		{"L7 robots.txt is gone", audittest.Gone("/robots.txt"), []string{"head /robots.txt", "robots-txt"}},
		{"L7 no signal", audittest.Replace("/robots.txt", "Content-Signal", "# signal"), []string{"robots-txt"}},
		{"L7 ai.txt says otherwise", audittest.Replace("/ai.txt", "allow-training", "no-training"), []string{"policy"}},
		{"L7 robots.txt says otherwise", audittest.Replace("/robots.txt", "ai-train=yes", "ai-train=no"), []string{"policy"}},
		{"L7 no sitemap", audittest.Instead("/sitemap.xml", answers(200, "application/xml", "<rss></rss>")), []string{"sitemap"}},
		{"HEAD fails", audittest.When(func(r *http.Request) bool { return r.Method == "HEAD" && r.URL.Path == "/ai.txt" }, answers(500, "text/plain", "x")), []string{"head /ai.txt"}},
		{"no Link header", audittest.Header("/", "Link", ""), []string{"headers"}},
		{"a weak validator", audittest.Header("/", "ETag", `W/"1"`), []string{"headers", "not-modified"}},
		{"304 is never sent", audittest.Edit(audittest.At("/context.json"), func(status int, h http.Header, body []byte) (int, []byte) {
			return 200, body
		}), []string{"not-modified"}},
		{"404 is a shell", audittest.When(func(r *http.Request) bool { return strings.Contains(r.URL.Path, "no-such-page") }, answers(200, "text/html", "<div id=root></div>")), []string{"not-found"}},
		{"404 shows no way", audittest.When(func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "no-such-page.md") }, answers(404, "text/plain", "gone")), []string{"not-found"}},
		{"405 without Allow", audittest.Edit(func(r *http.Request) bool { return r.Method == "POST" && r.URL.Path == "/api/context" }, func(s int, h http.Header, b []byte) (int, []byte) {
			h.Del("Allow")
			return s, b
		}), []string{"method-not-allowed"}},
		{"a path climbs", audittest.When(func(r *http.Request) bool { return strings.Contains(r.URL.Path, "etc/passwd") }, answers(200, "text/plain", "root:x:0:0")), []string{"traversal"}},
		{"a path is cleaned by a redirect", audittest.When(func(r *http.Request) bool { return strings.Contains(r.URL.Path, "win.ini") }, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/windows/win.ini", http.StatusMovedPermanently)
		}), []string{"traversal"}},
		{"a prompt pack without citing", audittest.Edit(func(r *http.Request) bool { return r.URL.RawQuery == "scenario=support" }, swap("[ID]", "")), []string{"prompt-pack-support"}},
		{"an unknown scenario is chat", audittest.Edit(func(r *http.Request) bool { return strings.Contains(r.URL.RawQuery, "evergreen-verify") }, func(int, http.Header, []byte) (int, []byte) {
			return 200, []byte("chat")
		}), []string{"prompt-pack-unknown"}},
	} {
		t.Run(tt.what, func(t *testing.T) {
			report := judge(t, audittest.Broken(audittest.New(t), tt.fault), verify.Options{Self: true})
			got := failed(report)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				for _, c := range report.Checks {
					if !c.OK {
						t.Logf("%s: %s", c.Name, c.Detail)
					}
				}
				t.Error(diff)
			}
			for _, c := range report.Checks {
				if !c.OK && !strings.Contains(c.Detail, "; wanted ") {
					t.Errorf("%s does not tell what was wanted: %s", c.Name, c.Detail)
				}
			}
		})
	}
}

func TestRankingIsAskedOfOurselvesOnly(t *testing.T) {
	fault := audittest.Edit(audittest.At("/api/context"), func(status int, _ http.Header, body []byte) (int, []byte) {
		return status, bytes.ReplaceAll(body, []byte("EG-20"), []byte("KB-20"))
	})
	for _, c := range judge(t, audittest.Broken(audittest.New(t), fault), verify.Options{}).Checks {
		if strings.HasPrefix(c.Name, "self-") || c.Name == "rate-limit" {
			t.Errorf("%s was asked", c.Name)
		}
	}
}

func TestFlood(t *testing.T) {
	limit := func(most int, retry string) audittest.Fault {
		n := 0
		return audittest.When(func(r *http.Request) bool {
			if r.URL.Query().Get("topic") == "flood" {
				n++
			}
			return n > most
		}, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", retry)
			w.Header().Set("Cache-Control", "no-store")
			w.WriteHeader(429)
		})
	}
	for _, tt := range []struct {
		what  string
		fault audittest.Fault
		ok    bool
		part  string
	}{
		{"refused in time", limit(5, "1"), true, "refused at request 6, wait 1 s"},
		{"never refused", limit(100000, "1"), false, "600 requests in a row"},
		{"no word when to come back", limit(5, ""), false, "Retry-After"},
		{"come back at once", limit(5, "0"), false, "Retry-After"},
	} {
		report := judge(t, audittest.Broken(audittest.New(t), tt.fault), verify.Options{RateLimit: true})
		i := slices.IndexFunc(report.Checks, func(c verify.Check) bool { return c.Name == "rate-limit" })
		if i < 0 || report.Checks[i].OK != tt.ok || !strings.Contains(report.Checks[i].Detail, tt.part) {
			t.Errorf("%s: %+v", tt.what, report.Checks[max(i, 0)])
		}
	}
}

func TestADeadServer(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	client, err := probe.New(server.URL, probe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	report, err := verify.Run(t.Context(), client, verify.Options{})
	if err != nil || report.Passed != 0 || report.Failed != len(report.Checks) {
		t.Errorf("%v, passed %d of %d", err, report.Passed, len(report.Checks))
	}
}
