package repair

import (
	"slices"
	"strings"

	"evergreen/internal/repair/jsonvalue"
	"evergreen/internal/repair/shape"
	"evergreen/internal/repair/spelling"
)

// This file holds what agents call things: families of parameter names and
// synonyms of enum values. Everything is compared by its letters.

// families lists parameter names that mean the same; a key of a family stands
// for the one declared parameter of it.
func families() [][]string {
	return [][]string{
		{"query", "q", "searchquery", "search", "searchterm", "searchterms", "term", "text", "input", "prompt", "question", "keywords", "keyword", "topic", "searchstring", "querystring", "searchtext"},
		{"limit", "count", "maxresults", "numresults", "num", "topk", "n", "perpage", "pagesize", "results", "size", "k", "maxitems", "top", "numberofresults", "resultcount", "maxcount"},
		{"path", "filepath", "file", "filename", "absolutepath", "pathname", "absolutefilepath"},
		{"url", "uri", "link", "href", "source", "sourceurl", "website", "address", "webpage", "pageurl"},
		{"id", "entryid", "identifier", "key", "uid"},
		{"location", "country", "region", "countrycode", "gl"},
		{"contentsize", "detail", "size"},
		{"searchrecencyfilter", "recency", "freshness", "timefilter", "datefilter", "timerange", "timeperiod", "daterange", "recencyfilter"},
		{"domains", "includedomains", "domain", "sites", "site", "searchdomainfilter", "alloweddomains", "domainfilter"},
		{"safe", "safesearch", "safemode"},
	}
}

// familyTargets lists the declared parameters of s that a key may stand for by
// family.
func familyTargets(key string, s *shape.Shape, free func(string) bool) [][]*shape.Prop {
	var out [][]*shape.Prop
	word := spelling.Letters(key)
	for _, family := range families() {
		if !slices.Contains(family, word) && !slices.Contains(family, spelling.Singular(word)) {
			continue
		}
		var targets []*shape.Prop
		for i := range s.Props {
			if p := &s.Props[i]; free(p.Name) && slices.Contains(family, p.Letters) {
				targets = append(targets, p)
			}
		}
		if len(targets) > 0 {
			out = append(out, targets)
		}
	}
	return out
}

// limitLike reports whether a parameter is a limit or a budget: its value says
// how much is wanted, so the nearest allowed amount is what was meant.
func limitLike(name string) bool {
	if word := spelling.Letters(name); slices.Contains(families()[1], word) || strings.HasPrefix(word, "max") {
		return true
	}
	for _, t := range spelling.Tokens(name) {
		switch t {
		case "limit", "budget", "max", "maximum", "count", "num":
			return true
		}
	}
	return false
}

// synonyms lists enum values that mean the same.
func synonyms() [][]string {
	return [][]string{
		{"oneday", "day", "d", "pd", "1d", "1day", "24h", "pastday", "lastday", "daily"},
		{"oneweek", "week", "w", "pw", "1w", "7d", "1week", "pastweek", "lastweek", "weekly"},
		{"onemonth", "month", "m", "pm", "1m", "30d", "1month", "pastmonth", "lastmonth", "monthly"},
		{"oneyear", "year", "y", "py", "1y", "365d", "1year", "pastyear", "lastyear", "yearly"},
		{"nolimit", "all", "any", "anytime", "alltime", "unlimited"},
		{"md", "markdown"},
		{"txt", "text", "plaintext", "plain"},
	}
}

// enumMatch returns the one allowed text that s spells: ignoring case, then
// ignoring separators, then by synonym.
func enumMatch(s string, allowed []*jsonvalue.Value) *jsonvalue.Value {
	s = strings.TrimSpace(s)
	word := spelling.Letters(s)
	rules := []func(string) bool{
		func(a string) bool { return strings.EqualFold(a, s) },
		func(a string) bool { return word != "" && spelling.Letters(a) == word },
		func(a string) bool {
			return word != "" && slices.ContainsFunc(synonyms(), func(group []string) bool {
				return slices.Contains(group, word) && slices.Contains(group, spelling.Letters(a))
			})
		},
	}
	for _, rule := range rules {
		var found *jsonvalue.Value
		for _, a := range allowed {
			if a.Kind != jsonvalue.Text || !rule(a.Text) {
				continue
			}
			if found != nil && found.Text != a.Text {
				return nil
			}
			found = a
		}
		if found != nil {
			return found
		}
	}
	return nil
}
