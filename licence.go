package evergreen

// This file knows licences by name and the crawlers of AI companies: facts that
// a policy is judged by.

import "strings"

// What stands for content without a licence to others, and for a licence that
// has no identifier.
const (
	allRightsReserved = "LicenseRef-All-Rights-Reserved"
	customLicence     = "LicenseRef-Custom"
)

// licenceURLs are the addresses of common licences by SPDX identifier; others
// are found at spdx.org.
func licenceURLs() [][2]string {
	return [][2]string{
		{"CC-BY-4.0", "https://creativecommons.org/licenses/by/4.0/"},
		{"CC-BY-3.0", "https://creativecommons.org/licenses/by/3.0/"},
		{"CC-BY-SA-4.0", "https://creativecommons.org/licenses/by-sa/4.0/"},
		{"CC-BY-SA-3.0", "https://creativecommons.org/licenses/by-sa/3.0/"},
		{"CC-BY-SA-2.5", "https://creativecommons.org/licenses/by-sa/2.5/"},
		{"CC-BY-NC-4.0", "https://creativecommons.org/licenses/by-nc/4.0/"},
		{"CC-BY-NC-SA-4.0", "https://creativecommons.org/licenses/by-nc-sa/4.0/"},
		{"CC-BY-ND-4.0", "https://creativecommons.org/licenses/by-nd/4.0/"},
		{"CC-BY-NC-ND-4.0", "https://creativecommons.org/licenses/by-nc-nd/4.0/"},
		{"CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"},
		{"Apache-2.0", "https://www.apache.org/licenses/LICENSE-2.0"},
		{"MIT", "https://opensource.org/license/mit"},
	}
}

// LicenceID is the licence as an SPDX identifier: as configured, found by its
// URL, or a LicenseRef for what has none. It is "" when no licence is stated.
func (p Policy) LicenceID() string {
	licence := p.StatedLicence()
	switch strings.ToLower(strings.NewReplacer("-", " ", "_", " ").Replace(licence)) {
	case "":
		return ""
	case "all rights reserved", "proprietary", "licenseref all rights reserved":
		return allRightsReserved
	}
	if !isURL(licence) {
		for _, known := range licenceURLs() {
			if strings.EqualFold(known[0], licence) {
				return known[0]
			}
		}
		if strings.Map(idRune, licence) != licence {
			return customLicence
		}
		return licence
	}
	for _, known := range licenceURLs() {
		if plainURL(known[1]) == plainURL(licence) {
			return known[0]
		}
	}
	if _, name, ok := strings.Cut(licence, "://spdx.org/licenses/"); ok {
		return strings.Map(idRune, strings.TrimSuffix(name, ".html"))
	}
	return customLicence
}

// LicenceURL is where the licence can be read, "" when that is not known.
func (p Policy) LicenceURL() string {
	if licence := p.StatedLicence(); isURL(licence) {
		return licence
	}
	id := p.LicenceID()
	for _, known := range licenceURLs() {
		if known[0] == id {
			return known[1]
		}
	}
	if id == "" || strings.HasPrefix(id, "LicenseRef-") {
		return ""
	}
	return "https://spdx.org/licenses/" + id + ".html"
}

// LicenceName is how people write the licence: "CC BY 4.0" for CC-BY-4.0.
func (p Policy) LicenceName() string {
	switch id := p.LicenceID(); {
	case id == allRightsReserved:
		return "All rights reserved"
	case strings.HasPrefix(id, "LicenseRef-"):
		return "Licence of the site"
	case strings.HasPrefix(id, "CC-"):
		rest := id[len("CC-"):]
		if at := strings.LastIndexByte(rest, '-'); at > 0 {
			return "CC " + rest[:at] + " " + rest[at+1:]
		}
		return id
	default:
		return id
	}
}

func isURL(s string) bool {
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}

func plainURL(s string) string {
	_, s, _ = strings.Cut(strings.ToLower(s), "://")
	return strings.TrimSuffix(strings.TrimPrefix(s, "www."), "/")
}

// idRune keeps the characters of an SPDX identifier.
func idRune(r rune) rune {
	if strings.ContainsRune(tokenLetters+"+", r) && r != '_' {
		return r
	}
	return '-'
}

// Crawlers are the product tokens of the agents that robots.txt greets by name:
// those that scanners look for and that read for AI products.
func Crawlers() []string {
	return []string{
		"GPTBot", "OAI-SearchBot", "ChatGPT-User", "ClaudeBot", "Claude-User", "Claude-SearchBot", "Claude-Web",
		"anthropic-ai", "PerplexityBot", "Perplexity-User", "Google-Extended", "CCBot", "Applebot-Extended",
		"Bytespider", "Amazonbot", "Meta-ExternalAgent", "MistralAI-User", "DuckAssistBot", "cohere-ai",
	}
}

// TrainingCrawlers are the product tokens of crawlers that gather training data.
func TrainingCrawlers() []string {
	return []string{
		"GPTBot", "ClaudeBot", "anthropic-ai", "Google-Extended", "CCBot", "Applebot-Extended", "Bytespider",
		"Amazonbot", "Meta-ExternalAgent", "cohere-ai",
	}
}
