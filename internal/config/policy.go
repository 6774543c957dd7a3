package config

import (
	"strings"
	"time"

	"evergreen"
)

// Policy is what the owner of the site lets others do with its content.
type Policy struct {
	Forbid         []string
	Training       string // yes, no, or "" for what the licence says
	Deny           []string
	Disallow       []string
	Attribution    bool
	NoAlteration   bool
	NoIndexMirrors bool
	Updated        string // ISO date
}

// Overlay is what is put on a site built elsewhere, the origin.
type Overlay struct {
	Origin   string        // address of the site; "" is none
	Refresh  time.Duration // between two crawls; 0 is never again
	MaxPages int
}

// policyKeys are the settings of the policy. What contradicts itself among them is
// found where they meet, see evergreen.Policy.
func policyKeys() []key {
	var uses []string
	for _, u := range evergreen.Uses() {
		uses = append(uses, string(u))
	}
	return []key{
		{name: "site.policy.forbid", env: "EVERGREEN_POLICY_FORBID", enum: uses,
			doc: "Uses of the content that are not allowed.",
			at:  func(c *Config) any { return &c.Site.Policy.Forbid }},
		{name: "site.policy.training", env: "EVERGREEN_POLICY_TRAINING", enum: []string{"yes", "no"}, defDoc: "what the licence says",
			doc: "Whether models may be trained on the content.",
			at:  func(c *Config) any { return &c.Site.Policy.Training }},
		{name: "site.policy.deny", env: "EVERGREEN_POLICY_DENY", example: "Bytespider",
			doc: "Crawlers that must stay away, by the product token that they call themselves in robots.txt; `*` is everyone.",
			at:  func(c *Config) any { return &c.Site.Policy.Deny }},
		{name: "site.policy.disallow", env: "EVERGREEN_POLICY_DISALLOW", example: "/drafts/", check: checkPath,
			doc: "Paths that robots.txt closes to every crawler.",
			at:  func(c *Config) any { return &c.Site.Policy.Disallow }},
		{name: "site.policy.attribution", env: "EVERGREEN_POLICY_ATTRIBUTION", def: "false",
			doc: "Whether who uses the content must name its source.",
			at:  func(c *Config) any { return &c.Site.Policy.Attribution }},
		{name: "site.policy.no_alteration", env: "EVERGREEN_POLICY_NO_ALTERATION", def: "false",
			doc: "Whether facts must be passed on unchanged.",
			at:  func(c *Config) any { return &c.Site.Policy.NoAlteration }},
		{name: "site.policy.noindex_mirrors", env: "EVERGREEN_POLICY_NOINDEX_MIRRORS", def: "false",
			doc: "Whether search engines are asked to leave Markdown mirrors out of their results.",
			at:  func(c *Config) any { return &c.Site.Policy.NoIndexMirrors }},
		{name: "site.policy.updated", env: "EVERGREEN_POLICY_UPDATED", check: checkDate, defDoc: "the day of the newest content", example: "2026-11-30",
			doc: "Day on which the policy last changed.",
			at:  func(c *Config) any { return &c.Site.Policy.Updated }},
	}
}

// originKeys are the settings of the site behind.
func originKeys() []key {
	return []key{
		{name: "origin.url", env: "EVERGREEN_ORIGIN", check: checkBaseURL, example: "https://docs.example.com",
			doc: "Site that is served as it is, with the layers put on it; see docs/migration.md.",
			at:  func(c *Config) any { return &c.Overlay.Origin }},
		{name: "origin.refresh", def: "1h",
			doc: "Time between two crawls of it. 0 crawls once, at the start.",
			at:  func(c *Config) any { return &c.Overlay.Refresh }},
		{name: "origin.max_pages", def: "1000", check: checkAboveZero,
			doc: "Most pages taken from it. Pages beyond them are served, and have mirrors, but stand in no index.",
			at:  func(c *Config) any { return &c.Overlay.MaxPages }},
	}
}

func checkPath(text string) string {
	if !strings.HasPrefix(text, "/") {
		return "is no path; begin it with /"
	}
	return ""
}

func checkDate(text string) string {
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return "is no date such as 2026-11-30"
	}
	return ""
}

func checkAboveZero(text string) string {
	if text == "0" || checkCount(text) != "" {
		return "must be above 0"
	}
	return ""
}
