package afdocs_test

// This file holds our figures beside the real scanner's, where it is installed:
// EVERGREEN_AFDOCS is the command line that starts it.

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"evergreen/internal/audit/afdocs"
	"evergreen/internal/audit/audittest"
	"evergreen/internal/audit/finding"
	"evergreen/internal/audit/probe"
	"evergreen/internal/audit/survey"
)

// oracle is what is read of the scanner's report.
type oracle struct {
	Results []struct {
		ID      string `json:"id"`
		Status  string `json:"status"`
		Message string `json:"message"`
	} `json:"results"`
	Scoring struct {
		Overall     int `json:"overall"`
		CheckScores map[string]struct {
			Coefficient float64 `json:"coefficient"`
			Proportion  float64 `json:"proportion"`
			Mode        string  `json:"scoreDisplayMode"`
		} `json:"checkScores"`
	} `json:"scoring"`
}

// fixtures are sites of every kind of fault.
func fixtures(t *testing.T) map[string]http.Handler {
	whole := func(faults ...audittest.Fault) http.Handler { return audittest.Broken(audittest.New(t), faults...) }
	strip := func(matches func(*http.Request) bool, old, with string) audittest.Fault {
		return audittest.Edit(matches, func(status int, _ http.Header, body []byte) (int, []byte) {
			return status, bytes.ReplaceAll(body, []byte(old), []byte(with))
		})
	}
	return map[string]http.Handler{
		"complete":       whole(),
		"no index":       whole(audittest.Gone("/llms.txt")),
		"no pointer":     whole(strip(audittest.Anywhere, "/llms.txt", "/index.txt"), audittest.Instead("/llms.txt", func(w http.ResponseWriter, r *http.Request) { audittest.New(t).ServeHTTP(w, r) })),
		"no negotiation": whole(audittest.Edit(audittest.Anywhere, func(s int, h http.Header, b []byte) (int, []byte) { return s, b }), noAccept),
		"no mirrors":     whole(noAccept, audittest.When(func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, ".md") }, http.NotFound)),
		"soft 404": whole(audittest.Edit(audittest.Anywhere, func(s int, h http.Header, b []byte) (int, []byte) {
			if s == 404 {
				return 200, b
			}
			return s, b
		})),
		"shells": whole(audittest.Edit(func(r *http.Request) bool { return !strings.Contains(r.URL.Path, ".") }, func(s int, h http.Header, b []byte) (int, []byte) {
			if strings.HasPrefix(h.Get("Content-Type"), "text/html") {
				return s, []byte(`<!doctype html><title>x</title><body><div id="root"></div><script src="/a.js"></script>`)
			}
			return s, b
		})),
		"root-relative links": whole(relative),
		"long caching": whole(audittest.Edit(audittest.Anywhere, func(s int, h http.Header, b []byte) (int, []byte) {
			h.Set("Cache-Control", "max-age=90000")
			return s, b
		})),
		"open fences": whole(audittest.Edit(func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, ".md") }, func(s int, h http.Header, b []byte) (int, []byte) {
			return s, append(b, "\n```sh\nls\n"...)
		})),
		"thin mirrors": whole(audittest.Edit(func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, ".md") }, func(s int, h http.Header, b []byte) (int, []byte) {
			lines := bytes.SplitAfter(b, []byte("\n"))
			return s, bytes.Join(lines[:min(5, len(lines))], nil)
		})),
	}
}

// noAccept hides what clients ask for.
func noAccept(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Accept", "*/*")
		next.ServeHTTP(w, r)
	})
}

// relative writes links without the site's address.
func relative(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		audittest.Edit(audittest.Anywhere, func(s int, h http.Header, b []byte) (int, []byte) {
			if strings.HasSuffix(r.URL.Path, ".xml") {
				return s, b
			}
			return s, bytes.ReplaceAll(b, []byte("http://"+r.Host+"/"), []byte("/"))
		})(next).ServeHTTP(w, r)
	})
}

func TestBesideTheScanner(t *testing.T) {
	command := strings.Fields(os.Getenv("EVERGREEN_AFDOCS"))
	if len(command) == 0 {
		t.Skip("EVERGREEN_AFDOCS is not set: afdocs 0.22.2 is not asked")
	}
	sites := fixtures(t)
	if root := os.Getenv("EVERGREEN_CORPORA"); root != "" {
		sites["foreign"] = foreign(t, root, false)
		sites["foreign with an index"] = foreign(t, root, true)
	}
	for name, h := range sites {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(h)
			for strings.Contains(server.URL, "404") { // the scanner takes short texts with that number for error pages
				server.Close()
				server = httptest.NewServer(h)
			}
			defer server.Close()
			client, err := probe.New(server.URL, probe.Options{})
			if err != nil {
				t.Fatal(err)
			}
			checks, score := afdocs.Run(t.Context(), survey.Gather(t.Context(), client))
			args := append(command[1:], "check", server.URL, "--format", "json", "--score", "--sampling", "deterministic", "--request-delay", "1", "-q")
			out, _ := exec.Command(command[0], args...).Output() // exits 1 when a check fails
			var theirs oracle
			if err := json.Unmarshal(out, &theirs); err != nil {
				t.Fatalf("%v: %.300s", err, out)
			}
			if d := score.Score - theirs.Scoring.Overall; d < -1 || d > 1 {
				t.Errorf("score %d, theirs %d", score.Score, theirs.Scoring.Overall)
			}
			compareChecks(t, checks, theirs)
		})
	}
}

// foreign is a site of real pages of many generators, with a sitemap.
func foreign(t *testing.T, root string, index bool) http.Handler {
	folder := filepath.Join(root, "extract", "doc-pages")
	names, err := filepath.Glob(filepath.Join(folder, "*.html"))
	if err != nil || len(names) == 0 {
		t.Fatalf("EVERGREEN_CORPORA is set, but holds no pages: %v", err)
	}
	files := http.FileServer(http.Dir(folder))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		list := func(kind, before, line, after string) {
			w.Header().Set("Content-Type", kind)
			for _, n := range names {
				before += strings.NewReplacer("{base}", "http://"+r.Host, "{name}", filepath.Base(n)).Replace(line)
			}
			_, _ = w.Write([]byte(before + after))
		}
		switch {
		case r.URL.Path == "/sitemap.xml":
			list("application/xml", "<urlset>", "<url><loc>{base}/{name}</loc></url>", "</urlset>")
		case r.URL.Path == "/llms.txt" && index:
			list("text/plain", "# Foreign\n\n> Pages of many generators.\n\n## Pages\n\n", "- [{name}]({base}/{name}): a page\n", "")
		default:
			files.ServeHTTP(w, r)
		}
	})
}

func compareChecks(t *testing.T, checks []finding.Check, theirs oracle) {
	ours := map[string]finding.Check{}
	for _, c := range checks {
		ours[c.ID] = c
	}
	for _, r := range theirs.Results {
		c, s := ours[r.ID], theirs.Scoring.CheckScores[r.ID]
		if s.Mode == "notApplicable" {
			r.Status = "skip"
		}
		if c.Coefficient == 0 && s.Coefficient == 0 {
			continue // counts for nothing here and there
		}
		if string(c.Status) != r.Status && r.ID != "content-start-position" {
			t.Errorf("%s: %s (%s: %s), theirs %s: %s", r.ID, c.Status, c.Requested, c.Got, r.Status, r.Message)
		} else if d := c.Proportion*c.Coefficient - s.Proportion*s.Coefficient; c.Counts() && (d > tolerance(r.ID) || d < -tolerance(r.ID)) {
			t.Errorf("%s: %v x %v, theirs %v x %v", r.ID, c.Proportion, c.Coefficient, s.Proportion, s.Coefficient)
		}
	}
}

// tolerance is what the two may differ by: their converter writes other
// headings, which moves the begin of short pages.
func tolerance(id string) float64 {
	if id == "content-start-position" {
		return 0.25
	}
	return 0.02
}
