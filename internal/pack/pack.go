// Package pack turns ranked entries into an answer of a known size: it fills a
// token budget, cuts the best passage out of an entry that is too large, says
// how to cite what it took and what it left out, and is the one place that
// writes a bundle as Markdown. It does not rank, and it reads no library: who
// asks hands in entries, rules and terms.
package pack

import (
	"time"

	"evergreen"
	"evergreen/internal/text"
)

// Request is everything a bundle is made of.
type Request struct {
	Query       evergreen.Query
	Lang        string // evergreen.LangEnglish or LangChinese, already chosen
	Ranked      []evergreen.PackedEntry
	Matched     bool     // false when Ranked holds stand-ins for entries that match
	Suggestions []string // spellings, when nothing matched
	Rules       []string // most important first

	// Passages packs the best passage of the best entry when that entry alone
	// exceeds the budget.
	Passages bool
	// Shared gives the best entries of different documents a share of the budget
	// each, and packs the best passage of those that are larger.
	Shared bool
	// WholeText makes the budget bound the bundle's Markdown instead of the sum
	// of its entries, and implies Passages: room is kept for headings, citations
	// and rules. Markdown gives the guarantee.
	WholeText bool

	// Load completes an entry that is packed, for example by its body; nil when
	// the entries are complete. Entry.Tokens must be known before (0 makes Load
	// be called for counting).
	Load func(*evergreen.Entry) error
	// Estimate counts tokens; nil means text.Tokens.
	Estimate text.Estimator

	KnowledgeVersion string
	Revision         string
	GeneratedAt      time.Time // the snapshot's
	BaseURL          string    // put before citation URLs; "" leaves them site-absolute
}

// Bundle fills the query's budget with the ranked entries. Its errors are those
// of Load.
func Bundle(r Request) (evergreen.Bundle, error) {
	if r.Estimate == nil {
		r.Estimate = text.Tokens
	}
	b := evergreen.Bundle{
		Query:            echo(r.Query),
		KnowledgeVersion: r.KnowledgeVersion,
		Revision:         r.Revision,
		Budget:           Clamp(r.Query.Budget),
		Matched:          r.Matched,
		Rules:            append([]string{}, r.Rules...),
		Suggestions:      r.Suggestions,
		GeneratedAt:      r.GeneratedAt.UTC().Format(time.RFC3339),
		Source:           "api/context",
		Lang:             r.Lang,
	}
	options := Options{
		Budget:   b.Budget,
		Limit:    r.Query.Limit,
		Passages: r.Passages || r.WholeText,
		Shared:   r.Shared,
		Terms:    Terms(r.Query.Topic),
		Load:     r.Load,
		Estimate: r.Estimate,
	}
	if r.WholeText {
		return fillText(b, options, r)
	}
	return fill(b, options, r)
}

// fillText fills so that the bundle's Markdown keeps the budget: first as if
// everything fitted, then with room for saying what did not. Costs do not add
// up exactly, so what is still over is kept free in another try; Fit has the
// last word should that not settle it.
func fillText(b evergreen.Bundle, o Options, r Request) (evergreen.Bundle, error) {
	l := chooseLayout(b, r)
	over := func(b evergreen.Bundle) int {
		return r.Estimate(write(b, l, b.Budget, r.Estimate)) - b.Budget
	}
	o.Cost = func(p evergreen.PackedEntry) int { return entryCost(p, l, r) }
	o.Reserve = frameCost(b, l, nil, r)
	filled, err := fill(b, o, r)
	if err != nil || !filled.Truncated && over(filled) <= 0 {
		return filled, err
	}
	o.Reserve = frameCost(b, l, r.Ranked, r)
	for range maxTries {
		if filled, err = fill(b, o, r); err != nil {
			return evergreen.Bundle{}, err
		}
		more := over(filled)
		if more <= 0 {
			break
		}
		o.Reserve += more
	}
	return filled, nil
}

// fill completes b with what fits.
func fill(b evergreen.Bundle, o Options, r Request) (evergreen.Bundle, error) {
	filling, err := Fill(r.Ranked, o)
	if err != nil {
		return evergreen.Bundle{}, err
	}
	b.Entries, b.UsedTokens, b.Truncated = filling.Packed, filling.Used, filling.Truncated
	b.EntryCount = len(b.Entries)
	b.Citations, b.LeftOut = cite(filling, r)
	return b, nil
}

// Clamp returns the effective budget: 0 means evergreen.DefaultBudget, others
// are held within [evergreen.MinBudget, evergreen.MaxBudget].
func Clamp(budget int) int {
	if budget == 0 {
		return evergreen.DefaultBudget
	}
	return min(max(budget, evergreen.MinBudget), evergreen.MaxBudget)
}

func echo(q evergreen.Query) evergreen.QueryEcho {
	e := evergreen.QueryEcho{
		Topic: q.Topic, Budget: q.Budget, Collection: q.Collection,
		Mode: q.Mode, Limit: q.Limit, Lang: q.Lang,
	}
	if e.Budget == 0 {
		e.Budget = evergreen.DefaultBudget
	}
	if q.Category != "" {
		e.Category = &q.Category
	}
	return e
}

// chooseLayout returns the most generous layout beside which the best entry
// fits, else one with room for a passage of it.
func chooseLayout(b evergreen.Bundle, r Request) layout {
	layouts := layoutsFor(b.Budget)
	if len(r.Ranked) == 0 {
		return layouts[0]
	}
	best := r.Ranked[0]
	need := best.Tokens
	if r.Shared {
		need = min(need, shareOfBest(b.Budget))
	}
	var room []int
	for _, l := range layouts {
		free := b.Budget - frameCost(b, l, r.Ranked[1:], r) - entryCost(best, l, r)
		if l.sources && need > 0 && free >= need {
			return l
		}
		room = append(room, free)
	}
	for i, l := range layouts {
		if room[i] >= minPassage {
			return l
		}
	}
	return layouts[len(layouts)-1]
}

// frameCost is what a text costs beside its entries when those of left that
// are named first do not fit.
func frameCost(b evergreen.Bundle, l layout, left []evergreen.PackedEntry, r Request) int {
	b.Truncated = len(left) > 0
	b.Entries, b.Citations = make([]evergreen.PackedEntry, 1), make([]evergreen.Citation, 1)
	for _, p := range left[:min(len(left), maxLeftOut)] {
		b.LeftOut = append(b.LeftOut, leftOut(p, Marker(p.Entry)))
	}
	return r.Estimate(write(b, l, b.Budget, r.Estimate))
}

// entryCost is what an entry costs in Markdown beside its title and body.
func entryCost(p evergreen.PackedEntry, l layout, r Request) int {
	w := wordsFor(r.Lang)
	m := Marker(p.Entry)
	heading := entryHeading(w, l, p, m)
	citation := citationLine(w, l, citation(p.Entry, m, r.Lang, r.BaseURL), p.Updated)
	return max(0, r.Estimate(heading+citation)-r.Estimate(p.Title))
}
