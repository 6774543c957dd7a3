package lighthouse

// This file checks robots.txt line by line, and the catalogue of agents.

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"evergreen/internal/audit/finding"
	"evergreen/internal/audit/probe"
	"evergreen/internal/platform/tree"
)

// directives are those that the audit knows.
func directives() []string {
	return []string{"user-agent", "disallow", "allow", "sitemap", "crawl-delay", "clean-param", "host", "request-rate", "visit-time", "noindex", "content-signal"}
}

func (j *judge) robots() finding.Outcome {
	a := j.Robots
	switch {
	case a.Err == nil && a.Status >= 400 && a.Status < 500:
		return finding.Skipped("there is no robots.txt")
	case !a.OK():
		return finding.Failed(a.Request.String(), a.Said())
	}
	agents := false
	n := 0
	for line := range strings.Lines(a.Text()) {
		n++
		line, _, _ = strings.Cut(strings.TrimPrefix(line, "\ufeff"), "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if why := lineFault(line, &agents); why != "" {
			return finding.Failed(a.Request.String(), fmt.Sprintf("line %d: %s", n, why))
		}
	}
	return finding.Passed(a.Request.String(), a.Said())
}

// lineFault says what is wrong with a line of robots.txt, "" for nothing.
func lineFault(line string, agents *bool) string {
	key, value, ok := strings.Cut(line, ":")
	key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
	switch {
	case !ok:
		return "no directive: " + line
	case !slices.Contains(directives(), key):
		return "an unknown directive: " + key
	}
	switch key {
	case "user-agent":
		if *agents = true; value == "" {
			return "no user agent named"
		}
	case "allow", "disallow":
		switch {
		case value != "" && value[0] != '/' && value[0] != '*':
			return "a path that does not begin with / or *: " + value
		case strings.Contains(strings.TrimSuffix(value, "$"), "$"):
			return "a $ that is not at the end: " + value
		case !*agents:
			return key + " before any user-agent"
		}
	case "sitemap":
		if u, err := url.Parse(value); err != nil || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "ftp" || u.Host == "" {
			return "a sitemap without an absolute address: " + value
		}
	case "crawl-delay":
		if !*agents {
			return key + " before any user-agent"
		}
	}
	return ""
}

// catalogTypes are the types of entries that the audit knows.
func catalogTypes() []string {
	return []string{"application/ai-catalog+json", "application/agent-card+json", "application/a2a-agent-card+json", "application/mcp-server-card+json",
		"application/agent-skills+zip", "application/agent-skills+gzip", `text/markdown; profile="urn:air:agent-skills"`,
		"application/ai-registry", "application/ai-registry+json"}
}

const catalogPath = "/.well-known/ai-catalog.json"

// catalogAt is where the catalogue is announced, "" when it is not.
func (j *judge) catalogAt() string {
	for line := range strings.Lines(j.Robots.Text()) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(strings.TrimSpace(key), "agentmap") && j.Robots.OK() {
			return strings.TrimSpace(value)
		}
	}
	for _, l := range j.relations("ai-catalog") {
		if href := tree.Attr(l, "href"); href != "" {
			return href
		}
	}
	if m := catalogLink.FindStringSubmatch(strings.Join(j.Home.Header.Values("Link"), ", ")); m != nil {
		return m[1]
	}
	return ""
}

var catalogLink = regexp.MustCompile(`<([^>]*)>[^,]*rel="?ai-catalog`)

func (j *judge) ard() finding.Outcome {
	where := j.catalogAt()
	signalled := where != ""
	if !signalled {
		where = catalogPath
	}
	if base, err := url.Parse(j.Home.FinalURL); err == nil {
		if u, err := base.Parse(where); err == nil {
			where = u.String()
		}
	}
	a := j.Client.Get(j, where)
	if a.Err != nil || a.Status != 200 {
		if signalled {
			return finding.Failed(a.Request.String(), a.Said()+" where the page says that a catalogue is")
		}
		return finding.Skipped("no catalogue is announced")
	}
	return judgeCatalog(a)
}

// entry is one of a catalogue.
type entry struct {
	Identifier  string          `json:"identifier"`
	DisplayName string          `json:"displayName"`
	Type        string          `json:"type"`
	URL         string          `json:"url"`
	Data        json.RawMessage `json:"data"`
	Queries     []string        `json:"representativeQueries"`
}

var identifier = regexp.MustCompile(`^urn:air:[^:]+:[^:]+:.+$`)

// judgeCatalog finds errors, which score nothing, and warnings, which score 0.9.
func judgeCatalog(a *probe.Answer) finding.Outcome {
	asked := a.Request.String()
	var root map[string]json.RawMessage
	var catalog struct {
		Version string  `json:"specVersion"`
		Entries []entry `json:"entries"`
	}
	if json.Unmarshal(a.Body, &root) != nil || json.Unmarshal(a.Body, &catalog) != nil {
		return finding.Failed(asked, "no catalogue in JSON")
	}
	if catalog.Version == "" || catalog.Entries == nil {
		return finding.Failed(asked, "a catalogue without specVersion or entries")
	}
	for key := range root {
		if key != "specVersion" && key != "entries" && key != "host" {
			return finding.Failed(asked, "an unknown member at the root: "+key)
		}
	}
	warning := ""
	for i, e := range catalog.Entries {
		switch {
		case e.Identifier == "" || e.DisplayName == "" || e.Type == "":
			return finding.Failed(asked, fmt.Sprintf("entry %d without identifier, displayName or type", i+1))
		case !identifier.MatchString(e.Identifier):
			return finding.Failed(asked, "an identifier that is no urn:air name: "+e.Identifier)
		case (e.URL == "") == (len(e.Data) == 0):
			return finding.Failed(asked, e.Identifier+" without exactly one of url and data")
		case len(e.Queries) < 2 || len(e.Queries) > 5:
			warning = fmt.Sprintf("%s with %d representativeQueries instead of 2 to 5", e.Identifier, len(e.Queries))
		case !slices.Contains(catalogTypes(), e.Type):
			warning = e.Identifier + " of an unknown type: " + e.Type
		}
	}
	if warning != "" {
		return finding.Outcome{Status: finding.Warn, Proportion: 0.9, Tested: 1, Requested: asked, Got: warning}
	}
	return finding.Passed(asked, fmt.Sprintf("%d entries", len(catalog.Entries)))
}
