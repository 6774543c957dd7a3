package afdocs

// This file judges how the server answers: errors, redirects, caching, gates.

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"evergreen/internal/audit/finding"
	"evergreen/internal/audit/probe"
)

func (j *judge) statusCodes() finding.Outcome {
	var t finding.Tally
	reached := false
	for _, p := range j.Pages {
		a := p.Missing
		switch {
		case a.Err != nil:
			continue
		case a.Status >= 400 && a.Status < 500:
			t.Add(finding.Pass, a.Request.String(), a.Said())
		case a.Status != http.StatusAccepted && a.Status < 500:
			t.Add(finding.Fail, a.Request.String(), a.Said()+" for a page that does not exist")
		}
		reached = true
	}
	if t.Tested() == 0 {
		if reached {
			return finding.Skipped("the server did not say what it does with missing pages")
		}
		return finding.Failed(j.Pages[0].Missing.Request.String(), j.Pages[0].Missing.Said())
	}
	return t.Outcome(0)
}

var (
	scripted   = regexp.MustCompile(`(?i)(?:window|document)\.location\s*=[^=]|location\.href\s*=[^=]|location\.(?:replace|assign)\s*\(|<meta[^>]+http-equiv\s*=\s*["']?refresh["']?`)
	codeBlocks = regexp.MustCompile(`(?is)<pre\b.*?</pre>|<code\b.*?</code>`)
)

func (j *judge) redirects() finding.Outcome {
	var t finding.Tally
	for _, p := range j.Pages {
		if p.HTML.Status == 0 {
			continue
		}
		asked := "GET " + p.URL
		switch _, to := p.First(); {
		case to != "" && host(to) != host(p.URL):
			t.Add(finding.Warn, asked, "a redirect to another host, "+to)
		case to == "" && scripted.MatchString(codeBlocks.ReplaceAllString(head(p.HTML.Text(), 10_000), "")):
			t.Add(finding.Fail, asked, "a page that sends the reader on by script or meta refresh")
		default:
			t.Add(finding.Pass, asked, p.HTML.Said())
		}
	}
	if t.Tested() == 0 {
		return finding.Failed("GET "+j.Pages[0].URL, j.Pages[0].HTML.Said())
	}
	return t.Outcome(0.6)
}

func (j *judge) caching() finding.Outcome {
	var t finding.Tally
	for _, x := range j.Indexes {
		t.Add(cached(x.Answer))
	}
	for _, p := range j.Pages {
		if p.HTML.Err == nil {
			t.Add(cached(p.HTML))
		}
	}
	return t.Outcome(0.5)
}

// cached judges for how long an answer may be used unasked.
func cached(a *probe.Answer) (status finding.Status, asked, got string) {
	control := strings.ToLower(strings.Join(a.Header.Values("Cache-Control"), ","))
	validator := a.Header.Get("ETag") != "" || a.Header.Get("Last-Modified") != ""
	asked, got = a.Request.String(), "Cache-Control: "+control
	age, shared, revalidate := -1, -1, false
	for directive := range strings.SplitSeq(control, ",") {
		switch name, value, _ := strings.Cut(strings.TrimSpace(directive), "="); name {
		case "no-cache", "no-store":
			return finding.Pass, asked, got
		case "must-revalidate":
			revalidate = true
		case "max-age":
			age = seconds(value)
		case "s-maxage":
			shared = seconds(value)
		}
	}
	if shared >= 0 {
		age = shared
	}
	if control == "" {
		got = "no Cache-Control"
	}
	if expires, err := http.ParseTime(a.Header.Get("Expires")); age < 0 && err == nil {
		if sent, err := http.ParseTime(a.Header.Get("Date")); err == nil {
			age = max(0, int(expires.Sub(sent).Seconds()))
		}
	}
	switch {
	case revalidate && validator, age < 0 && validator, age >= 0 && age <= 3600:
		return finding.Pass, asked, got
	case age > 3600 && age <= 86_400:
		return finding.Warn, asked, got
	}
	return finding.Fail, asked, got
}

func seconds(value string) int {
	n, err := strconv.Atoi(strings.Trim(value, `" `))
	if err != nil {
		return -1
	}
	return n
}

var (
	password  = regexp.MustCompile(`(?i)<input[^>]*type="password"`)
	loginForm = regexp.MustCompile(`(?i)<form[^>]*action\s*=\s*["'][^"']*(?:saml|oauth|openid|sso|auth)[^"']*["']`)
	pageTitle = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
	loginWord = regexp.MustCompile(`(?i)^(sign\s*in|log\s*in)\b|[|\-–—:]\s*(sign\s*in|log\s*in)\s*$`)
)

func (j *judge) authGate() finding.Outcome {
	var t finding.Tally
	for _, p := range j.Pages {
		asked := "GET " + p.URL
		switch status, to := p.First(); {
		case p.HTML.Status == 0:
		case status == 401 || status == 403:
			t.Add(finding.Fail, asked, p.HTML.Said())
		case to != "" && loginHost(to):
			t.Add(finding.Fail, asked, "a redirect to a login, "+to)
		case to == "" && status == 200 && gated(p.HTML.Text()):
			t.Add(finding.Warn, asked, "a page that asks for a login")
		default:
			t.Add(finding.Pass, asked, p.HTML.Said())
		}
	}
	if t.Tested() == 0 {
		return finding.Failed("GET "+j.Pages[0].URL, j.Pages[0].HTML.Said())
	}
	return t.Outcome(0.5)
}

func loginHost(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	for _, known := range []string{"okta.com", "auth0.com", "login.microsoftonline.com", "accounts.google.com", "login.salesforce.com"} {
		if u.Hostname() == known || strings.HasSuffix(u.Hostname(), "."+known) {
			return true
		}
	}
	for _, prefix := range []string{"sso.", "idp.", "auth.", "login."} {
		if strings.HasPrefix(u.Hostname(), prefix) || strings.Contains(u.Hostname(), "."+prefix) {
			return true
		}
	}
	return false
}

// gated reports whether a page is a login form.
func gated(page string) bool {
	sample := head(page, 50_000)
	if password.MatchString(sample) || loginForm.MatchString(sample) {
		return true
	}
	m := pageTitle.FindStringSubmatch(sample)
	return m != nil && loginWord.MatchString(strings.TrimSpace(m[1])) && !look(page).real()
}

func (j *judge) alternative() finding.Outcome {
	gate := j.done["auth-gate-detection"]
	if gate.Status == finding.Pass || gate.Status == finding.Skip {
		return finding.Skipped("the pages are open")
	}
	open := 0
	for _, p := range j.Pages {
		if p.Mirror != nil {
			open++
		}
	}
	switch {
	case j.Index != nil && open > 0:
		return finding.Passed("GET "+j.Index.URL, "llms.txt and mirrors outside of the gate")
	case j.Index != nil || open > 0:
		return finding.Outcome{Status: finding.Warn, Proportion: 0.5, Tested: 1, Requested: "GET /llms.txt", Got: "an index or mirrors, not both"}
	}
	return finding.Failed("GET /llms.txt", "no index and no mirrors outside of the gate")
}

// challenge is what bot protections send instead of a page.
var challenge = regexp.MustCompile(`(?i)cf-challenge|cf_chl_|challenge-platform|__cf_bm|captcha-delivery|px-captcha|just a moment\.\.\.|attention required! \| cloudflare`)

// botProtection looks at every answer of the sample: challenges, and answers
// that never came. Denials alone (403, 429, 503) are the site's right unless
// they come only after some requests, which a single run cannot tell apart.
func (j *judge) botProtection() finding.Outcome {
	requests, failed := 0, 0
	asked, got := "", ""
	see := func(a *probe.Answer) {
		if a == nil {
			return
		}
		requests++
		stopped := a.Err != nil || (a.Status == 403 || a.Status == 429 || a.Status == 503) && challenge.MatchString(head(a.Text(), 20_000))
		if stopped {
			if failed++; asked == "" {
				asked, got = a.Request.String(), a.Said()
			}
		}
	}
	for _, p := range j.Pages {
		for _, a := range append([]*probe.Answer{p.HTML, p.Asked, p.Missing}, p.Mirrors...) {
			see(a)
		}
	}
	switch rate := float64(failed) / float64(requests); {
	case requests == 0:
		return finding.Skipped("nothing was asked for")
	case failed == 0:
		return finding.Passed("GET "+j.Pages[0].URL, fmt.Sprintf("%d answers, none of them a challenge", requests))
	case rate >= 0.5:
		return finding.Outcome{Status: finding.Fail, Tested: requests, Requested: asked, Got: got}
	default:
		return finding.Outcome{Status: finding.Warn, Proportion: 1 - rate, Tested: requests, Requested: asked, Got: got}
	}
}
