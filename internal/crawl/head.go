package crawl

import (
	"strconv"
	"strings"
	"time"
)

// meta reads a <meta> element: what robots may do, and redirects.
func (r *reader) meta(attrs map[string]string) {
	value := attrs["content"]
	switch name := strings.ToLower(strings.TrimSpace(attrs["name"])); {
	case name == "robots" || name == r.agent && name != "":
		noindex, nofollow := robotsDirectives(value)
		r.facts.noindex = r.facts.noindex || noindex
		r.facts.nofollow = r.facts.nofollow || nofollow
	case strings.EqualFold(attrs["http-equiv"], "refresh"):
		if delay, target := refreshTarget(value); target != "" && delay <= maxRefreshDelay && r.refresh == "" {
			r.refresh = target
		}
	}
}

// robotsDirectives reads the value of a robots meta element or header.
func robotsDirectives(value string) (noindex, nofollow bool) {
	for _, d := range strings.Split(strings.ToLower(value), ",") {
		switch strings.TrimSpace(d) {
		case "noindex":
			noindex = true
		case "nofollow":
			nofollow = true
		case "none":
			return true, true
		}
	}
	return noindex, nofollow
}

// refreshTarget reads "5; url='/x'" as browsers do; target is "" for a page
// that reloads itself.
func refreshTarget(value string) (delay time.Duration, target string) {
	number, rest, ok := strings.Cut(strings.Replace(value, ",", ";", 1), ";")
	if !ok {
		return 0, ""
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || seconds < 0 || seconds > 1e6 {
		return 0, ""
	}
	rest = strings.TrimSpace(rest)
	if len(rest) > 3 && strings.EqualFold(rest[:3], "url") {
		if after, ok := strings.CutPrefix(strings.TrimSpace(rest[3:]), "="); ok {
			rest = strings.TrimSpace(after)
		}
	}
	return time.Duration(seconds * float64(time.Second)), strings.Trim(rest, `"' `)
}

func (r *reader) link(attrs map[string]string) {
	href := attrs["href"]
	if href == "" {
		return
	}
	rels := strings.Fields(strings.ToLower(attrs["rel"]))
	for _, rel := range rels {
		switch rel {
		case "canonical":
			if r.canon == "" {
				r.canon = href
			}
		case "next", "prev", "contents", "index":
			r.hrefs = append(r.hrefs, href)
		case "alternate":
			if strings.HasPrefix(strings.ToLower(attrs["type"]), "text/markdown") {
				r.alts = append(r.alts, href)
			}
		}
	}
}

func (r *reader) anchor(name string, attrs map[string]string) {
	href, ok := attrs["href"]
	if name == "frame" {
		href, ok = attrs["src"]
	}
	if !ok || len(r.hrefs) >= maxLinks {
		return
	}
	for _, rel := range strings.Fields(strings.ToLower(attrs["rel"])) {
		if rel == "nofollow" {
			return
		}
	}
	r.hrefs = append(r.hrefs, href)
}
