package main

// This file verifies the server that we ship, whole and with each layer broken
// in turn.

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"evergreen/internal/audit"
	"evergreen/internal/audit/audittest"
	"evergreen/internal/audit/finding"
	"evergreen/internal/audit/probe"
	"evergreen/internal/audit/verify"
	"evergreen/internal/config"
)

// ownServer serves Evergreen's own documentation and knowledge base.
func ownServer(t *testing.T, faults ...audittest.Fault) string {
	t.Helper()
	s := config.Settings{Config: config.Config{Library: t.TempDir()}}
	lib, err := disk{}.embedded(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lib.Close() }) // the folder goes anyway
	handler, err := ownHandler(t.Context(), lib, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(handler.Close)
	server := httptest.NewServer(audittest.Broken(handler, faults...))
	t.Cleanup(server.Close)
	return server.URL
}

func verified(t *testing.T, url string) verify.Report {
	t.Helper()
	client, err := probe.New(url, probe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	report, err := verify.Run(t.Context(), client, verify.Options{Self: true})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestOurServerKeepsTheContract(t *testing.T) {
	for _, c := range verified(t, ownServer(t)).Checks {
		if !c.OK {
			t.Errorf("%s: %s", c.Name, c.Detail)
		}
	}
}

func TestOurServerBrokenIsNamed(t *testing.T) {
	topic := func(r *http.Request) bool {
		return r.URL.Path == "/api/context" && strings.Contains(r.URL.RawQuery, "%E5%B9%BB")
	}
	garble := func(status int, _ http.Header, body []byte) (int, []byte) {
		return status, bytes.ReplaceAll(body, []byte("幻觉"), []byte("骞昏"))
	}
	for layer, tt := range map[string]struct {
		fault audittest.Fault
		names []string
	}{
		"L1": {audittest.Gone("/llms.txt"), []string{"head /llms.txt", "llms-txt"}},
		"L2": {audittest.Gone("/index.html.md"), []string{"head /index.html.md", "mirror"}},
		"L3": {audittest.Edit(topic, garble), []string{"api-chinese-query"}},
		"L4": {audittest.Gone("/a2a"), []string{"a2a"}},
		"L5": {audittest.Gone("/mcp"), []string{"mcp-bare-list", "mcp-batch", "mcp-search-context", "mcp-unknown-id"}},
		"L6": {audittest.Replace("/", "application/ld+json", "text/x"), []string{"structured-data"}},
		"L7": {audittest.Replace("/robots.txt", "Content-Signal", "# Content-Signal"), []string{"robots-txt"}},
	} {
		report := verified(t, ownServer(t, tt.fault))
		var failed []string
		for _, c := range report.Checks {
			if !c.OK {
				failed = append(failed, c.Name)
			}
		}
		for _, name := range tt.names {
			if !slices.Contains(failed, name) {
				t.Errorf("%s broken: %s passed; failed: %q", layer, name, failed)
			}
		}
	}
}

func TestOurDocsAreReadyForAgents(t *testing.T) {
	client, err := probe.New(ownServer(t), probe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	report, err := audit.Run(t.Context(), client)
	if err != nil {
		t.Fatal(err)
	}
	s := report.Score
	if s.Afdocs.Score != 100 || s.Lighthouse.Agentic != 100 || s.Lighthouse.SEO != 100 || s.Lighthouse.Practices != 100 ||
		s.Lint.Errors+s.Lint.Warnings+s.Lint.Broken > 0 || s.Cloudflare.OwnLevel != 5 {
		t.Errorf("%+v", s)
		for _, c := range report.Checks {
			if c.Status == finding.Fail || c.Status == finding.Warn {
				t.Logf("%s/%s: %s: %s", c.Judge, c.ID, c.Requested, c.Got)
			}
		}
	}
}
