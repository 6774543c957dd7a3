package evergreen

import (
	"fmt"
	"slices"
	"strings"
)

// Use is something that may be done with the content of a site.
type Use string

// The uses, as ai.txt names them behind "allow-" and "no-".
const (
	UseCrawl     Use = "crawl"
	UseIndex     Use = "index"
	UseInference Use = "inference"
	UseRAG       Use = "rag"
	UseSummarize Use = "summarize"
	UseQuote     Use = "quote"
	UseCitation  Use = "citation"
	UseTraining  Use = "training"
)

// Uses returns every use in the order in which documents list them.
func Uses() []Use {
	return []Use{UseCrawl, UseIndex, UseInference, UseRAG, UseSummarize, UseQuote, UseCitation, UseTraining}
}

// Decision is a yes or no that may be left open.
type Decision string

// The decisions.
const (
	Undecided Decision = ""
	Yes       Decision = "yes"
	No        Decision = "no"
)

// Policy is what the owner of a site lets others do with it. Every document
// that speaks of access is written from it, so that no two can contradict each
// other. The zero Policy allows every use but training, states no licence, no
// contact and no rate limit.
type Policy struct {
	Licence   string   // SPDX identifier, URL, or "all-rights-reserved"; "" or "unspecified" is not stated
	Contact   string   // "" or "unspecified" is not stated
	Updated   string   // ISO date of the policy's last change; "" is not stated
	Forbidden []Use    // uses that are not allowed; training is decided below
	Training  Decision // Undecided follows the licence
	Deny      []string // product tokens of crawlers that must stay away; "*" is everyone
	Disallow  []string // robots.txt paths closed to everyone

	Attribution   bool // who uses the content must name its source
	NoAlteration  bool // facts must not be changed
	NoIndexMirror bool // mirrors ask search engines to leave them out

	Rate    RateLimit // of the API, for each client
	Schemes []string  // ways to authenticate that reading needs, such as "bearer"; empty is open
}

// RateLimit is a number of requests a client may make.
type RateLimit struct {
	PerMinute int // refill; 0 states no limit
	Burst     int // depth, at least 1 where there is a limit
}

// unstated is how the configuration writes that the owner said nothing.
const unstated = "unspecified"

// StatedLicence is the licence, "" when there is none.
func (p Policy) StatedLicence() string { return stated(p.Licence) }

// StatedContact is the contact, "" when there is none.
func (p Policy) StatedContact() string { return stated(p.Contact) }

func stated(s string) string {
	if s = strings.TrimSpace(s); strings.EqualFold(s, unstated) {
		return ""
	}
	return s
}

// DeniesEveryone reports whether the policy denies all crawlers.
func (p Policy) DeniesEveryone() bool { return slices.Contains(p.Deny, "*") }

// Allows reports whether a use is allowed. Where everyone is denied nothing is.
func (p Policy) Allows(u Use) bool {
	if p.DeniesEveryone() || slices.Contains(p.Forbidden, u) {
		return false
	}
	return u != UseTraining || p.TrainingDecision() == Yes
}

// TrainingDecision says whether models may be trained on the content: what the
// owner said, else what the licence says. Licences without a condition that a
// model could break (CC-BY, CC0, MIT, Apache) allow it, all rights reserved
// forbids it, others leave it open.
func (p Policy) TrainingDecision() Decision {
	switch {
	case p.DeniesEveryone() || slices.Contains(p.Forbidden, UseTraining):
		return No
	case p.Training != Undecided:
		return p.Training
	}
	id := strings.ToLower(p.LicenceID())
	switch {
	case id == strings.ToLower(allRightsReserved):
		return No
	case strings.HasPrefix(id, "cc-by-") && strings.Trim(id[len("cc-by-"):], "0123456789.") == "",
		strings.HasPrefix(id, "cc0-"), id == "mit", id == "mit-0", strings.HasPrefix(id, "apache-"):
		return Yes
	}
	return Undecided
}

// Disallows reports whether robots.txt closes a path to everyone.
func (p Policy) Disallows(path string) bool {
	return p.DeniesEveryone() || p.disallowing(path) != ""
}

func (p Policy) disallowing(path string) string {
	for _, pattern := range p.Disallow {
		if matchRobots(pattern, path) {
			return pattern
		}
	}
	return ""
}

// Validate finds contradictions: things that one document would allow and
// another forbid. All are errors of kind Invalid, the first found is returned.
func (p Policy) Validate() error {
	for _, check := range []func() error{p.checkValues, p.checkTraining, p.checkSignals, p.checkDisallow} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (p Policy) checkValues() error {
	for _, u := range p.Forbidden {
		if !slices.Contains(Uses(), u) {
			return Errorf(Invalid, "policy: %q is no use", string(u)).
				Fix("Use names among %s.", strings.Trim(fmt.Sprint(Uses()), "[]"))
		}
	}
	if !slices.Contains([]Decision{Undecided, Yes, No}, p.Training) {
		return Errorf(Invalid, "policy: training is yes, no or left out, not %q", string(p.Training))
	}
	for _, d := range p.Disallow {
		if !strings.HasPrefix(d, "/") {
			return Errorf(Invalid, "policy: disallow %q is no path", d).Fix("Begin it with /.")
		}
	}
	for _, agent := range p.Deny {
		if agent == "" || agent != "*" && strings.Trim(agent, tokenLetters) != "" {
			return Errorf(Invalid, "policy: %q is no crawler's name", agent).Fix("Write the product token, such as GPTBot.")
		}
	}
	if p.Rate.PerMinute < 0 || p.Rate.Burst < 0 || p.Rate.PerMinute > 0 && p.Rate.Burst == 0 {
		return Errorf(Invalid, "policy: a rate limit of %d a minute needs a burst of at least 1, not %d", p.Rate.PerMinute, p.Rate.Burst)
	}
	return nil
}

const tokenLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

// checkTraining: to allow training and send training crawlers away says both.
func (p Policy) checkTraining() error {
	if p.Training == Yes && slices.Contains(p.Forbidden, UseTraining) {
		return Errorf(Invalid, "policy: training is allowed and forbidden at once").Fix("Leave one of the two out.")
	}
	if p.TrainingDecision() != Yes {
		return nil
	}
	for _, agent := range p.Deny {
		if containsFold(TrainingCrawlers(), agent) {
			return Errorf(Invalid, "policy: training is allowed, but the training crawler %s is denied", agent).
				Fix("Set training to no, or take %s from the denied crawlers.", agent)
		}
	}
	return nil
}

// checkSignals: Content-Signal must not promise what Disallow takes back.
func (p Policy) checkSignals() error {
	promised := ""
	for _, u := range []Use{UseIndex, UseInference, UseRAG} {
		if !slices.Contains(p.Forbidden, u) {
			promised = string(u)
			break
		}
	}
	if promised == "" {
		return nil
	}
	if p.DeniesEveryone() {
		return Errorf(Invalid, "policy: %s is allowed, but every crawler is denied", promised).
			Fix("Forbid the uses index, inference and rag too, or name the denied crawlers.")
	}
	if by := p.disallowing("/"); by != "" {
		return Errorf(Invalid, "policy: %s is allowed, but %q closes the whole site", promised, by).
			Fix("Forbid the uses index, inference and rag too, or disallow single folders.")
	}
	return nil
}

// checkDisallow: what is made for agents must stay open to them.
func (p Policy) checkDisallow() error {
	if p.DeniesEveryone() || p.disallowing("/") != "" {
		return nil // the whole site is closed on purpose
	}
	for _, path := range []string{"/llms.txt", "/llms-full.txt", "/.well-known/", "/.well-known/agent-card.json", "/index.html.md", "/index.md"} {
		if err := p.CheckOpen(path); err != nil {
			return err
		}
	}
	return nil
}

// CheckOpen returns an error when the policy closes a path that is published
// for agents: an index, a mirror, a discovery document.
func (p Policy) CheckOpen(path string) error {
	by := p.disallowing(path)
	switch {
	case by == "" || p.DeniesEveryone() || p.disallowing("/") != "":
		return nil
	case p.NoIndexMirror && strings.HasSuffix(path, ".md"):
		return Errorf(Invalid, "policy: mirrors say noindex, but %q keeps crawlers from reading that on %s", by, path).
			Fix("Drop one of the two.")
	}
	return Errorf(Invalid, "policy: %q closes %s, which is published for agents", by, path).
		Fix("Disallow a narrower path, or leave those documents out of the site.")
}

// matchRobots matches a robots.txt pattern: a prefix with '*' for any bytes and
// a final '$' for the end (RFC 9309, 2.2.3).
func matchRobots(pattern, path string) bool {
	pattern, anchored := strings.CutSuffix(pattern, "$")
	parts := strings.Split(pattern, "*")
	if !strings.HasPrefix(path, parts[0]) {
		return false
	}
	rest := path[len(parts[0]):]
	for i, part := range parts[1:] {
		if anchored && i == len(parts)-2 {
			return strings.HasSuffix(rest, part)
		}
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return !anchored || rest == ""
}

func containsFold(list []string, s string) bool {
	return slices.ContainsFunc(list, func(have string) bool { return strings.EqualFold(have, s) })
}
