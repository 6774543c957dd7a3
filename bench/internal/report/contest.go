package report

// This file finds the questions on which others win.

import (
	"fmt"
	"slices"
	"strings"
)

// Contest compares contenders question by question. It is there so that a table
// of means names, from the data, one question that a peer answers better.
type Contest struct {
	Each   string               // what a question is: "query", "page"
	Of     string               // what is compared: "nDCG@10"
	Lower  bool                 // lower is better
	Times  bool                 // margins are factors, as of durations, not differences
	Format func(float64) string // of a value; nil is Number

	names, questions []string // in the order of their first Put
	values           map[string]map[string]float64
	remarks          map[[2]string]string
}

// Put notes how a contender did on a question, which it answered once. Peers
// that were not asked have no value.
func (c *Contest) Put(contender, question string, value float64) {
	if c.values == nil {
		c.values = map[string]map[string]float64{}
	}
	if c.values[question] == nil {
		c.values[question] = map[string]float64{}
		c.questions = append(c.questions, question)
	}
	if !slices.Contains(c.names, contender) {
		c.names = append(c.names, contender)
	}
	c.values[question][contender] = value
}

// Remark says more about how a contender did on a question, such as a rank.
func (c *Contest) Remark(contender, question, text string) {
	if c.remarks == nil {
		c.remarks = map[[2]string]string{}
	}
	c.remarks[[2]string{contender, question}] = text
}

// who is a contender with the remark on it.
func (c *Contest) who(contender, question string) string {
	if text := c.remarks[[2]string{contender, question}]; text != "" {
		return contender + ", " + text
	}
	return contender
}

// lead is by how much a contender is ahead of ours on a question, 0 when it is
// not.
func (c *Contest) lead(ours, theirs float64) float64 {
	if !c.Lower {
		ours, theirs = theirs, ours
	}
	switch {
	case ours <= theirs:
		return 0
	case c.Times && theirs > 0:
		return ours/theirs - 1
	}
	return ours - theirs
}

// win is the question on which a contender is furthest ahead.
type win struct {
	question, name string
	lead           float64
	on             int            // questions on which any contender is ahead
	by             map[string]int // by contender
	of             int            // questions that ours and others answered
	peers          int
}

func (c *Contest) win(ours string) win {
	w := win{by: map[string]int{}}
	for _, question := range c.questions {
		values := c.values[question]
		own, ok := values[ours]
		if !ok || len(values) < 2 {
			continue
		}
		w.of++
		ahead := false
		for _, name := range c.names {
			theirs, ok := values[name]
			if !ok || name == ours {
				continue
			}
			lead := c.lead(own, theirs)
			if lead > 0 {
				ahead = true
				w.by[name]++
			}
			if lead > w.lead {
				w.question, w.name, w.lead = question, name, lead
			}
		}
		if ahead {
			w.on++
		}
	}
	for _, name := range c.names {
		if name != ours {
			w.peers++
		}
	}
	return w
}

// Wins is a paragraph that names the question on which a peer is furthest ahead
// of ours, in the first of the contests that has one, and counts them. Without
// any it says what was looked at.
func Wins(ours string, contests ...*Contest) string {
	var looked []string
	for _, c := range contests {
		w := c.win(ours)
		if w.peers == 0 {
			continue
		}
		looked = append(looked, fmt.Sprintf("the %s of %s by %s", c.Of, plural(w.of, c.Each), plural(w.peers, "peer")))
		if w.on == 0 {
			continue
		}
		values := c.values[w.question]
		text := fmt.Sprintf("**Where a peer wins**: %s %s: %s %s (%s), %s (%s).", c.Each, w.question,
			c.Of, c.format(values[w.name]), c.who(w.name, w.question), c.format(values[ours]), c.who(ours, w.question))
		var by []string
		for _, name := range c.names {
			if n := w.by[name]; n > 0 {
				by = append(by, fmt.Sprintf("%s on %s", name, Thousands(n)))
			}
		}
		if w.of > 1 {
			text += fmt.Sprintf(" Of %s, peers are ahead on %s: %s.", plural(w.of, c.Each), Thousands(w.on), strings.Join(by, ", "))
		}
		return text
	}
	if len(looked) == 0 {
		return "**Where a peer wins**: no peer was there."
	}
	return "**Where a peer wins**: nowhere in this table; looked at: " + strings.Join(looked, "; ") + "."
}

func (c *Contest) format(value float64) string {
	if c.Format != nil {
		return c.Format(value)
	}
	return Number(value)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if stem, ok := strings.CutSuffix(what, "y"); ok && !strings.HasSuffix(stem, "a") && !strings.HasSuffix(stem, "e") {
		return Thousands(n) + " " + stem + "ies"
	}
	return Thousands(n) + " " + what + "s"
}

// mostQuoted is how many characters of a question are shown.
const mostQuoted = 120

// Quote shows a question in one line, cut where it is long.
func Quote(text string) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > mostQuoted {
		runes = append(runes[:mostQuoted], '…')
	}
	return "“" + string(runes) + "”"
}
