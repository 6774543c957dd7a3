package repair

import (
	"cmp"
	"slices"
	"strings"

	"evergreen/internal/repair/spelling"
)

// This file finds the tool that a name means. The levels are climbed in order;
// a tie at any level stops the climb, because a looser level would only hide it.

// match is the outcome of looking for a name.
type match struct {
	tool *tool
	code string // how it was found, "" for the exact name
	tied []*tool
}

// resolve climbs the levels for a name that is not exact.
func (c *Catalogue) resolve(name string) match {
	if t := c.byName[name]; t != nil {
		return match{tool: t}
	}
	if len(name) > maxName {
		return match{}
	}
	forms := cleaned(name)
	levels := []struct {
		code string
		find func(form string) []*tool
	}{
		{NameCleaned, c.exactly},
		{NameAlias, c.aliased},
		{NameLetters, func(form string) []*tool { return c.spelt[spelling.Letters(form)] }},
		{NamePrefix, c.prefixed},
	}
	for _, level := range levels {
		var found []*tool
		for _, form := range forms {
			found = append(found, level.find(form)...)
		}
		switch found = distinct(found); len(found) {
		case 0:
		case 1:
			return match{tool: found[0], code: level.code}
		default:
			return match{tied: found}
		}
	}
	found := c.alike(forms[0])
	if len(found) == 1 && found[0].ladder.likeness {
		return match{tool: found[0], code: NameLikeness}
	}
	return match{tied: found}
}

func distinct(tools []*tool) []*tool {
	slices.SortFunc(tools, func(a, b *tool) int { return strings.Compare(a.Name, b.Name) })
	return slices.Compact(tools)
}

func (c *Catalogue) exactly(form string) []*tool {
	if t := c.byName[form]; t != nil {
		return []*tool{t}
	}
	return nil
}

func (c *Catalogue) aliased(form string) []*tool {
	if t := c.aliases[spelling.Letters(form)]; t != nil {
		return []*tool{t}
	}
	return nil
}

// cleaned lists the forms of a name without what models leave around it. The
// first form has only the outer dirt removed.
func cleaned(name string) []string {
	n := strings.TrimSpace(name)
	if i := strings.Index(n, "<|"); i >= 0 {
		n = n[:i]
	}
	const dirt = " \t\r\n;,.`'\"()[]{}*"
	n = strings.TrimPrefix(strings.Trim(n, dirt), "functions.")
	if i := strings.LastIndexByte(n, ':'); i > 0 && i+1 < len(n) && strings.Trim(n[i+1:], "0123456789") == "" {
		n = n[:i]
	}
	n = strings.Trim(n, dirt)
	forms := []string{n}
	for _, suffix := range []string{"json", "_tool", "-tool", "Tool"} {
		if stem := strings.TrimSuffix(n, suffix); stem != n && stem != "" {
			forms = append(forms, stem)
		}
	}
	for _, separators := range []int{0, 1} {
		half := (len(n) - separators) / 2
		if half > 0 && 2*half+separators == len(n) && n[:half] == n[half+separators:] && (strings.IndexByte("_-. ", n[half]) >= 0) == (separators == 1) {
			forms = append(forms, n[:half])
		}
	}
	return forms
}

// prefixed resolves bare names of upstream tools, and names with "mcp", our own
// server's or an upstream's name in front, also repeatedly.
func (c *Catalogue) prefixed(form string) []*tool {
	if found := c.bare[spelling.Letters(form)]; found != nil {
		return found
	}
	words := spelling.Tokens(form)
	for stripped := true; stripped; {
		if from := c.upstream(words); from != nil {
			if found := c.ofUpstream(from, words); found != nil {
				return found
			}
		}
		if words, stripped = c.strip(words); !stripped {
			return nil
		}
		name := strings.Join(words, "_")
		for _, find := range []func(string) []*tool{
			c.exactly, c.aliased,
			func(f string) []*tool { return c.spelt[spelling.Letters(f)] },
			func(f string) []*tool { return c.bare[spelling.Letters(f)] },
		} {
			if found := find(name); found != nil {
				return found
			}
		}
	}
	return nil
}

// strip takes one of our own prefixes off the front of words.
func (c *Catalogue) strip(words []string) ([]string, bool) {
	for _, server := range c.servers {
		if n := len(server); n > 0 && len(words) > n && slices.Equal(words[:n], server) {
			return words[n:], true
		}
	}
	return words, false
}

// upstream returns the tokens of the upstream whose name words start with.
func (c *Catalogue) upstream(words []string) []string {
	for _, t := range c.tools {
		n := len(t.upstreamTokens)
		if n > 0 && len(words) > n && slices.Equal(words[:n], t.upstreamTokens) {
			return t.upstreamTokens
		}
	}
	return nil
}

// ofUpstream finds the tool of one upstream that the words after its name spell.
func (c *Catalogue) ofUpstream(upstream, words []string) []*tool {
	rest := words[len(upstream):]
	if len(rest) > 1 && rest[0] == "1mcp" {
		rest = rest[1:]
	}
	var found []*tool
	for _, t := range c.tools {
		if slices.Equal(t.upstreamTokens, upstream) && spelling.Letters(t.bare) == strings.Join(rest, "") {
			found = append(found, t)
		}
	}
	return found
}

// alike finds the tools whose name differs in one token only, by its plural or
// by one edit (the token rule).
func (c *Catalogue) alike(form string) []*tool {
	words := spelling.Tokens(form)
	forms := [][]string{words}
	for range words {
		rest, stripped := c.strip(words)
		if !stripped {
			break
		}
		words = rest
		forms = append(forms, words)
	}
	var found []*tool
	for _, t := range c.tools {
		for _, f := range forms {
			if c.tokenRule(f, t.nameTokens) || c.tokenRule(f, t.bareTokens) {
				found = append(found, t)
				break
			}
		}
	}
	return found
}

// tokenRule compares a given name with a tool's. An edit needs five letters on
// both sides and is no edit when the given token is a word of another tool's
// name. The verb must be the same: another verb is never one misspelt, and what
// is no verb stands for one only if it is near no other.
func (c *Catalogue) tokenRule(given, known []string) bool {
	if len(given) != len(known) {
		return false
	}
	at := -1
	for i := range given {
		if given[i] == known[i] {
			continue
		}
		if at >= 0 {
			return false
		}
		at = i
	}
	if at < 0 {
		return true
	}
	g, k := given[at], known[at]
	verb := at == 0 && c.verbs[k]
	if c.verbs[g] {
		return false
	}
	if !verb && spelling.Singular(g) == spelling.Singular(k) {
		return true
	}
	return min(len(g), len(k)) >= minTypoWord && !c.words[g] && spelling.OneEdit(g, k) && (!verb || c.onlyVerb(g))
}

// onlyVerb reports whether a misspelt word is near one known verb only.
func (c *Catalogue) onlyVerb(word string) bool {
	near := 0
	for v := range c.verbs {
		if spelling.OneEdit(word, v) {
			near++
		}
	}
	return near == 1
}

// candidates names at most three tools for a refusal: the tied ones, else those
// that share most words with the name, nearest spelling first.
func (c *Catalogue) candidates(name string, tied []*tool) []string {
	var out []string
	for _, t := range tied {
		if !t.Hidden {
			out = append(out, t.Name)
		}
	}
	if len(out) == 0 {
		out = c.rank(name)
	}
	return out[:min(len(out), maxCandidates)]
}

func (c *Catalogue) rank(name string) []string {
	if len(name) > maxName {
		return nil
	}
	form := cleaned(name)[0]
	words := spelling.Tokens(form)
	type scored struct {
		name  string
		share float64
		edits int
	}
	var list []scored
	for _, t := range c.tools {
		if t.Hidden {
			continue
		}
		common := 0
		for _, w := range words {
			if slices.ContainsFunc(t.nameTokens, func(k string) bool {
				return spelling.Singular(w) == spelling.Singular(k) || len(w) >= minTypoWord && spelling.OneEdit(w, k)
			}) {
				common++
			}
		}
		s := scored{t.Name, 2 * float64(common) / float64(max(1, len(words)+len(t.nameTokens))), spelling.Distance(spelling.Letters(form), spelling.Letters(t.bare))}
		if common > 0 || s.edits*3 <= len(form) {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(a.edits, b.edits), strings.Compare(a.name, b.name))
	})
	var out []string
	for _, s := range list[:min(len(list), maxCandidates)] {
		out = append(out, s.name)
	}
	return out
}
