package site

import (
	"strings"
	"testing"

	"evergreen"
	"evergreen/internal/robots"
)

func TestRobots(t *testing.T) {
	for _, c := range []struct {
		name   string
		policy evergreen.Policy
		want   []string // parts of the file, in order
		not    []string
	}{
		{"open, nothing said", evergreen.Policy{},
			[]string{"User-agent: GPTBot", "User-agent: *\nContent-Signal: search=yes, ai-input=yes\nAllow: /\n\nSitemap: https://docs.example.com/sitemap.xml\n"}, []string{"ai-train", "Disallow"}},
		{"denied crawlers", evergreen.Policy{Licence: "CC-BY-4.0", Deny: []string{"CCBot", "Bytespider"}, Training: evergreen.No},
			[]string{"User-agent: Google-Extended\nUser-agent: Applebot-Extended\nUser-agent: Amazonbot", "User-agent: *\nContent-Signal: search=yes, ai-input=yes, ai-train=no\nAllow: /\n",
				"\nUser-agent: CCBot\nUser-agent: Bytespider\nContent-Signal: search=no, ai-input=no, ai-train=no\nDisallow: /\n\nSitemap: "}, nil},
		{"folder closed", evergreen.Policy{Disallow: []string{"/private/"}}, []string{"User-agent: *\n", "Disallow: /private/\nAllow: /\n"}, nil},
		{"nobody", evergreen.Policy{Deny: []string{"*"}, Forbidden: []evergreen.Use{"index", "inference", "rag"}},
			[]string{"closed to agents", "User-agent: *\nContent-Signal: search=no, ai-input=no, ai-train=no\nDisallow: /\n"}, []string{"Allow: /", "welcome"}},
		{"all rights reserved", evergreen.Policy{Licence: "All rights reserved"}, []string{"ai-train=no"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := exampleInput()
			in.Policy = c.policy
			got := read(t, must(t, in), "/robots.txt")
			rest := got
			for _, want := range c.want {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Fatalf("lacks %q in\n%s", want, got)
				}
				rest = after
			}
			for _, not := range c.not {
				if strings.Contains(got, not) {
					t.Errorf("has %q in\n%s", not, got)
				}
			}
			file, diagnostics := robots.Parse([]byte(got))
			if len(diagnostics) > 0 {
				t.Errorf("our own reader says %v", diagnostics)
			}
			for _, agent := range append(evergreen.Crawlers(), "SomeoneElse") {
				p := file.For(agent)
				open := !c.policy.DeniesEveryone() && !denies(c.policy, agent)
				if allowed, _ := p.Allowed("/"); allowed != open {
					t.Errorf("%s may fetch /: %v, want %v", agent, allowed, open)
				}
			}
		})
	}
}

func TestAITxt(t *testing.T) {
	for _, c := range []struct {
		name   string
		policy evergreen.Policy
		want   []string
		not    []string
	}{
		{"nothing said", evergreen.Policy{}, []string{"allow-citation\nRestrictions: no-training, no-paywall-bypass"}, []string{"Content policies", "Rate limit:", "Contact"}},
		{"some uses", evergreen.Policy{Forbidden: []evergreen.Use{"quote"}}, []string{"allow-summarize, allow-citation\nRestrictions: no-quote, no-training,"}, nil},
		{"nobody", evergreen.Policy{Deny: []string{"*"}, Forbidden: []evergreen.Use{"index", "inference", "rag"}}, []string{"Permissions: none\nRestrictions: no-crawl, no-index,"}, nil},
		{"licence", evergreen.Policy{Licence: "MIT"}, []string{"allow-training\n", "Content policies: license=MIT\n"}, nil},
	} {
		in := exampleInput()
		in.Policy = c.policy
		got := read(t, must(t, in), "/ai.txt")
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: lacks %q in\n%s", c.name, want, got)
			}
		}
		for _, not := range c.not {
			if strings.Contains(got, not) {
				t.Errorf("%s: has %q in\n%s", c.name, not, got)
			}
		}
	}
}

// TestAuthentication: a token that reading needs stands in every card.
func TestAuthentication(t *testing.T) {
	in := exampleInput()
	in.Policy.Schemes = []string{"bearer"}
	s := must(t, in)
	for path, wants := range map[string][]string{
		"/ai-policy.json":              {`"required": true`, `"bearer"`},
		"/mcp/server-card":             {`"required": true`, `"name": "Authorization"`, `"isSecret": true`},
		"/.well-known/agent-card.json": {`"type": "http"`, `"httpAuthSecurityScheme": {`, "\"security\": [\n    {\n      \"bearer\": []"},
		"/openapi.json":                {`"securitySchemes": {`, `"bearer": []`},
	} {
		got := read(t, s, path)
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %s", path, want)
			}
		}
	}
}

// TestNoRateLimit: the format of ai-policy.json has no word for none; what may
// leave the limit out does.
func TestNoRateLimit(t *testing.T) {
	in := exampleInput()
	in.Policy.Rate = evergreen.RateLimit{}
	s := must(t, in)
	if got := read(t, s, "/ai-policy.json"); !strings.Contains(got, `"requestsPerMinute": 2147483647`) || !strings.Contains(got, `"burst": 2147483647`) {
		t.Errorf("ai-policy.json:\n%s", got)
	}
	for _, path := range []string{"/ai.txt", "/context.json"} {
		if got := read(t, s, path); strings.Contains(got, "2147483647") || strings.Contains(got, "Rate limit:") || strings.Contains(got, "rateLimit") {
			t.Errorf("%s states a limit", path)
		}
	}
}
