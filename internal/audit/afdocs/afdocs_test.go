package afdocs_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"evergreen/internal/audit/afdocs"
	"evergreen/internal/audit/audittest"
	"evergreen/internal/audit/finding"
	"evergreen/internal/audit/probe"
	"evergreen/internal/audit/survey"
)

// judge scores a server.
func judge(t *testing.T, h http.Handler) (map[string]finding.Check, afdocs.Score) {
	t.Helper()
	server := httptest.NewServer(h)
	defer server.Close()
	client, err := probe.New(server.URL, probe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	checks, score := afdocs.Run(t.Context(), survey.Gather(t.Context(), client))
	byID := map[string]finding.Check{}
	for _, c := range checks {
		byID[c.ID] = c
	}
	return byID, score
}

func TestACompleteSiteScores100(t *testing.T) {
	checks, score := judge(t, audittest.New(t))
	if score.Score != 100 || score.Grade != "A+" || score.Cap != "" {
		t.Errorf("%+v", score)
	}
	if len(checks) != 28 {
		t.Errorf("%d checks", len(checks))
	}
	for id, c := range checks {
		if c.Status != finding.Pass && c.Status != finding.Skip {
			t.Errorf("%s: %s, %s: %s", id, c.Status, c.Requested, c.Got)
		}
	}
}

// TestScores holds the arithmetic: what each kind of fault costs, which cap
// holds, what is left of the weight of checks about things nobody gets to see.
// The figures are the scanner's own, see oracle_test.go.
func TestScores(t *testing.T) {
	for _, tt := range []struct {
		name  string
		score int
		cap   string
		fails []string
	}{
		{"complete", 100, "", nil},
		{"no index", 59, "no llms.txt", []string{"llms-txt-exists", "markdown-link-portability"}},
		{"no pointer", 90, "", []string{"llms-txt-directive-html", "llms-txt-directive-md", "markdown-link-portability"}},
		{"no negotiation", 97, "", []string{"content-negotiation"}},
		{"no mirrors", 84, "", []string{"content-negotiation", "llms-txt-directive-md", "llms-txt-links-resolve", "markdown-url-support"}},
		{"soft 404", 91, "", []string{"http-status-codes"}},
		{"shells", 39, "rendering-strategy: three quarters of the pages or more", []string{"content-start-position", "llms-txt-directive-html", "rendering-strategy"}},
		{"long caching", 99, "", []string{"cache-header-hygiene"}},
		{"open fences", 98, "", []string{"markdown-code-fence-validity"}},
		{"thin mirrors", 98, "", []string{"markdown-content-parity"}},
		{"root-relative links", 59, "fewer than 5 pages were found", nil},
	} {
		checks, score := judge(t, fixtures(t)[tt.name])
		var fails []string
		for id, c := range checks {
			if c.Status == finding.Fail {
				fails = append(fails, id)
				if c.Requested == "" || c.Got == "" || c.Fix == "" {
					t.Errorf("%s: %s does not tell all: %+v", tt.name, id, c)
				}
			}
			if c.Proportion < 0 || c.Proportion > 1 || c.Coefficient < 0 || c.Coefficient > 1 {
				t.Errorf("%s: %s: %v x %v", tt.name, id, c.Proportion, c.Coefficient)
			}
		}
		slices.Sort(fails)
		if score.Score != tt.score || score.Cap != tt.cap || !slices.Equal(fails, tt.fails) {
			t.Errorf("%s: %+v, failed %q", tt.name, score, fails)
		}
	}
}
