package lint_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"evergreen/internal/audit/finding"
	"evergreen/internal/audit/lint"
	"evergreen/internal/audit/probe"
	"evergreen/internal/audit/survey"

	"github.com/google/go-cmp/cmp"
)

// indexes are files with every fault, and what is wrong with each. {base} is
// where they are served.
func indexes() map[string]struct {
	text  string
	rules map[string]int
	links lint.Count
} {
	type x = struct {
		text  string
		rules map[string]int
		links lint.Count
	}
	return map[string]x{
		"clean": {"# T\n\n> S\n\n## D\n\n- [a]({base}/a.md): one\n- [b]({base}/b.md): two\n", map[string]int{}, lint.Count{Links: 2}},
		"faults": {"No title\n\n- [a]({base}/a.md): orphan\n\n## Empty\n\n## D\n\n- [b]({base}/b.md) no colon\n[c](/c.md)\n- [a]({base}/a.md): again\n- [broken](\n- [away](https://127.0.0.1:1/x): other host\n",
			map[string]int{"missing-title": 1, "orphan-links": 1, "empty-section": 1, "description-missing-colon": 1, "missing-list-bullet": 1,
				"relative-url": 1, "duplicate-url": 1, "malformed-link": 1, "off-origin-url": 1}, lint.Count{Links: 4, Broken: 1}},
		"dead links": {"# T\n\n> S\n\n## D\n\n- [a]({base}/gone.md): one\n- [b]({base}/short.md): two\n- [c]({base}/page.md): three\n- [d]({base}/empty.md): four\n",
			map[string]int{}, lint.Count{Links: 4, Broken: 4}},
	}
}

func serve(text string) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
		switch r.URL.Path {
		case "/llms.txt":
			fmt.Fprint(w, strings.ReplaceAll(text, "{base}", "http://"+r.Host))
		case "/a.md", "/b.md", "/c.md":
			fmt.Fprint(w, "# Page\n\n", strings.Repeat("Some words of content. ", 10))
		case "/short.md":
			fmt.Fprint(w, "# Short")
		case "/empty.md":
		case "/page.md":
			fmt.Fprint(w, "<!doctype html><html><body>", strings.Repeat("Some words of content. ", 10))
		default:
			http.NotFound(w, r)
		}
	}))
}

func judge(t *testing.T, url string) (map[string]int, lint.Count) {
	t.Helper()
	client, err := probe.New(url, probe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	checks, count := lint.Run(t.Context(), survey.Gather(t.Context(), client))
	rules := map[string]int{}
	for _, c := range checks {
		if c.ID != "links" && c.Status != finding.Pass {
			rules[c.ID] = c.Tested
			if c.Fix == "" || c.Requested == "" || c.Got == "" {
				t.Errorf("%+v", c)
			}
		}
	}
	return rules, count
}

func TestRules(t *testing.T) {
	for name, x := range indexes() {
		server := serve(x.text)
		rules, count := judge(t, server.URL)
		server.Close()
		if diff := cmp.Diff(x.rules, rules); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if count.Links != x.links.Links || count.Broken != x.links.Broken {
			t.Errorf("%s: %+v", name, count)
		}
		if errors := x.rules["malformed-link"]; count.Errors != errors || count.Warnings != sum(x.rules)-errors {
			t.Errorf("%s: %+v", name, count)
		}
	}
}

func sum(rules map[string]int) int {
	n := 0
	for _, k := range rules {
		n += k
	}
	return n
}

// TestBesideTheLinter holds our counts beside llms-txt-check's, where
// EVERGREEN_LLMS_TXT_CHECK is the command line that starts it.
func TestBesideTheLinter(t *testing.T) {
	command := strings.Fields(os.Getenv("EVERGREEN_LLMS_TXT_CHECK"))
	if len(command) == 0 {
		t.Skip("EVERGREEN_LLMS_TXT_CHECK is not set: llms-txt-check 0.1.5 is not asked")
	}
	for name, x := range indexes() {
		server := serve(x.text)
		out, _ := exec.Command(command[0], append(command[1:], server.URL, "--json")...).Output() // exits 1 when it finds something
		ours, _ := judge(t, server.URL)
		server.Close()
		var report struct {
			Lint []struct {
				Rule string `json:"rule"`
			} `json:"lint"`
		}
		if err := json.Unmarshal(out, &report); err != nil {
			t.Fatalf("%s: %v: %.300s", name, err, out)
		}
		theirs := map[string]int{}
		for _, l := range report.Lint {
			theirs[l.Rule]++
		}
		if diff := cmp.Diff(theirs, ours); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
