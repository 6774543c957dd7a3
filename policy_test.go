package evergreen_test

import (
	"strings"
	"testing"

	"evergreen"
)

func TestPolicyContradictions(t *testing.T) {
	noUse := []evergreen.Use{"index", "inference", "rag"}
	for _, c := range []struct {
		name   string
		policy evergreen.Policy
		want   string // part of the error, "" for none
	}{
		{"nothing said", evergreen.Policy{}, ""},
		{"licence allows training", evergreen.Policy{Licence: "CC-BY-4.0"}, ""},
		{"training allowed, training crawler denied", evergreen.Policy{Training: evergreen.Yes, Deny: []string{"CCBot"}}, "CCBot"},
		{"licence allows training, crawler denied in other case", evergreen.Policy{Licence: "MIT", Deny: []string{"gptbot"}}, "gptbot"},
		{"training forbidden, crawlers denied", evergreen.Policy{Licence: "CC-BY-4.0", Training: evergreen.No, Deny: []string{"CCBot", "Bytespider"}}, ""},
		{"training left open, crawler denied", evergreen.Policy{Deny: []string{"CCBot"}}, ""},
		{"other crawler denied", evergreen.Policy{Licence: "CC-BY-4.0", Deny: []string{"SomeBot"}}, ""},
		{"training yes and no", evergreen.Policy{Training: evergreen.Yes, Forbidden: []evergreen.Use{"training"}}, "at once"},
		{"whole site closed, uses allowed", evergreen.Policy{Disallow: []string{"/"}}, `"/" closes the whole site`},
		{"whole site closed by a wildcard", evergreen.Policy{Disallow: []string{"/*"}}, "closes the whole site"},
		{"whole site closed, nothing allowed", evergreen.Policy{Disallow: []string{"/"}, Forbidden: noUse}, ""},
		{"everyone denied, uses allowed", evergreen.Policy{Deny: []string{"*"}}, "every crawler is denied"},
		{"everyone denied, nothing allowed", evergreen.Policy{Deny: []string{"*"}, Forbidden: noUse}, ""},
		{"index closed", evergreen.Policy{Disallow: []string{"/llms"}}, "/llms.txt"},
		{"discovery closed", evergreen.Policy{Disallow: []string{"/.well-known"}}, "/.well-known/"},
		{"mirrors closed", evergreen.Policy{Disallow: []string{"/*.md$"}}, "/index.html.md"},
		{"mirrors closed and noindex", evergreen.Policy{Disallow: []string{"/*.md"}, NoIndexMirror: true}, "noindex"},
		{"a folder closed", evergreen.Policy{Disallow: []string{"/private/"}}, ""},
		{"path without slash", evergreen.Policy{Disallow: []string{"private"}}, "no path"},
		{"unknown use", evergreen.Policy{Forbidden: []evergreen.Use{"index", "reading"}}, `"reading"`},
		{"agent with a version", evergreen.Policy{Deny: []string{"GPTBot/1.0"}}, "GPTBot/1.0"},
		{"rate without burst", evergreen.Policy{Rate: evergreen.RateLimit{PerMinute: 120}}, "burst"},
		{"rate", evergreen.Policy{Rate: evergreen.RateLimit{PerMinute: 120, Burst: 300}}, ""},
		{"misspelt decision", evergreen.Policy{Training: "maybe"}, "maybe"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.policy.Validate()
			if c.want == "" {
				if err != nil {
					t.Fatalf("got %v, want no error", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want an error with %q", err, c.want)
			}
			if evergreen.KindOf(err) != evergreen.Invalid {
				t.Errorf("kind %q, want %q", evergreen.KindOf(err), evergreen.Invalid)
			}
		})
	}
}

func TestPolicyLicence(t *testing.T) {
	for _, c := range []struct {
		licence, id, name, url string
		training               evergreen.Decision
	}{
		{"", "", "", "", evergreen.Undecided},
		{"unspecified", "", "", "", evergreen.Undecided},
		{"CC-BY-4.0", "CC-BY-4.0", "CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/", evergreen.Yes},
		{"https://creativecommons.org/licenses/by/4.0", "CC-BY-4.0", "CC BY 4.0", "https://creativecommons.org/licenses/by/4.0", evergreen.Yes},
		{"CC-BY-NC-4.0", "CC-BY-NC-4.0", "CC BY-NC 4.0", "https://creativecommons.org/licenses/by-nc/4.0/", evergreen.Undecided},
		{"cc0-1.0", "CC0-1.0", "CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/", evergreen.Yes},
		{"mit", "MIT", "MIT", "https://opensource.org/license/mit", evergreen.Yes},
		{"Apache-2.0", "Apache-2.0", "Apache-2.0", "https://www.apache.org/licenses/LICENSE-2.0", evergreen.Yes},
		{"GPL-3.0-only", "GPL-3.0-only", "GPL-3.0-only", "https://spdx.org/licenses/GPL-3.0-only.html", evergreen.Undecided},
		{"All rights reserved", "LicenseRef-All-Rights-Reserved", "All rights reserved", "", evergreen.No},
		{"https://example.com/licence", "LicenseRef-Custom", "Licence of the site", "https://example.com/licence", evergreen.Undecided},
		{"https://spdx.org/licenses/ISC.html", "ISC", "ISC", "https://spdx.org/licenses/ISC.html", evergreen.Undecided},
		{"My own licence", "LicenseRef-Custom", "Licence of the site", "", evergreen.Undecided},
	} {
		p := evergreen.Policy{Licence: c.licence}
		if p.LicenceID() != c.id || p.LicenceURL() != c.url || p.TrainingDecision() != c.training {
			t.Errorf("%q: id %q, url %q, training %q; want %q, %q, %q", c.licence,
				p.LicenceID(), p.LicenceURL(), p.TrainingDecision(), c.id, c.url, c.training)
		}
		if p.LicenceName() != c.name {
			t.Errorf("%q: name %q, want %q", c.licence, p.LicenceName(), c.name)
		}
	}
}

func TestPolicyAllows(t *testing.T) {
	p := evergreen.Policy{Forbidden: []evergreen.Use{evergreen.UseQuote}, Disallow: []string{"/private/", "/*.pdf$"}}
	for _, c := range []struct {
		use  evergreen.Use
		want bool
	}{{evergreen.UseCrawl, true}, {evergreen.UseQuote, false}, {evergreen.UseTraining, false}} {
		if p.Allows(c.use) != c.want {
			t.Errorf("Allows(%s) is %v", c.use, !c.want)
		}
	}
	for path, want := range map[string]bool{"/": false, "/private/x": true, "/a/b.pdf": true, "/a/b.pdf.md": false, "/privates": false} {
		if p.Disallows(path) != want {
			t.Errorf("Disallows(%q) is %v", path, !want)
		}
	}
	if (evergreen.Policy{Deny: []string{"*"}}).Allows(evergreen.UseCrawl) {
		t.Error("a use is allowed though everyone is denied")
	}
}
