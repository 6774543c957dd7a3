package cloudflare

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"evergreen/internal/audit/audittest"
	"evergreen/internal/audit/finding"
	"evergreen/internal/audit/probe"
	"evergreen/internal/audit/survey"
)

func judged(t *testing.T, faults ...audittest.Fault) ([]finding.Check, Score) {
	t.Helper()
	server := httptest.NewServer(audittest.Broken(audittest.New(t), faults...))
	defer server.Close()
	client, err := probe.New(server.URL, probe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return Run(t.Context(), survey.Gather(t.Context(), client))
}

func sends(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(body))
	}
}

func TestScoresAndLevels(t *testing.T) {
	oauth := []audittest.Fault{
		audittest.Instead("/.well-known/oauth-authorization-server", sends(`{"issuer":"i","authorization_endpoint":"a","token_endpoint":"t","jwks_uri":"j"}`)),
		audittest.Instead("/.well-known/oauth-protected-resource", sends(`{"resource":"r"}`)),
	}
	script := audittest.Replace("/", "<main>", `<main><script>navigator.modelContext.registerTool({})</script>`)
	for _, tt := range []struct {
		what       string
		faults     []audittest.Fault
		score, own int
		level, top int
	}{
		{"complete and open", nil, 75, 90, 4, 5},
		{"with a WebMCP script", []audittest.Fault{script}, 83, 100, 4, 5},
		{"with a login that is told of", append(oauth, script), 100, 100, 5, 5},
		{"signed bots count when there are any", append(oauth, script, audittest.Instead("/.well-known/http-message-signatures-directory", sends(`{"keys":[{}]}`))), 100, 100, 5, 5},
		{"no sitemap", []audittest.Fault{audittest.Gone("/sitemap.xml")}, 67, 80, 0, 0},
		{"no signals", []audittest.Fault{audittest.Replace("/robots.txt", "Content-Signal", "# x")}, 67, 80, 1, 1},
		{"no negotiation", []audittest.Fault{audittest.Header("/", "Content-Type", "text/html")}, 67, 80, 2, 2},
		{"no skills", []audittest.Fault{audittest.Gone("/.well-known/agent-skills/index.json"), audittest.Gone("/.well-known/skills/index.json")}, 67, 80, 3, 3},
		{"old path of the skills", []audittest.Fault{audittest.Gone("/.well-known/agent-skills/index.json")}, 75, 90, 4, 5},
		{"no server card", []audittest.Fault{audittest.Gone("/.well-known/mcp/server-card.json"), audittest.Gone("/.well-known/mcp.json")}, 67, 80, 4, 4},
		{"the last place of the card", []audittest.Fault{audittest.Gone("/.well-known/mcp/server-card.json")}, 75, 90, 4, 5},
		{"a card does not count", []audittest.Fault{audittest.Gone("/.well-known/agent-card.json")}, 75, 90, 4, 4},
	} {
		_, s := judged(t, tt.faults...)
		if s.Score != tt.score || s.Own != tt.own || s.Level != tt.level || s.OwnLevel != tt.top {
			t.Errorf("%s: %+v", tt.what, s)
		}
	}
}

func TestEveryCheckIsTold(t *testing.T) {
	checks, _ := judged(t)
	if len(checks) != 14 {
		t.Errorf("%d checks", len(checks))
	}
	for _, c := range checks {
		if c.Judge != "cloudflare" || c.Got == "" || c.Status != finding.Skip && c.Requested == "" {
			t.Errorf("%+v", c)
		}
	}
}
