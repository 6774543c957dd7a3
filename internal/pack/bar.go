package pack

import (
	"fmt"
	"strings"

	"evergreen"
)

// This file draws the budget bar as text.

// Bar returns the bundle's budget bar: its length the budget, its segments the
// entries in order, in turn dark and shaded, the rest light, then the figures:
//
//	████████▒▒░░ 1,640 / 2,000 tokens · 2 left out
func Bar(b evergreen.Bundle) string {
	w := wordsFor(b.Lang)
	var bar strings.Builder
	used, drawn, segments := 0, 0, 0
	for _, p := range b.Entries {
		used += p.Tokens
		to := min(barWidth, (2*used*barWidth+b.Budget)/(2*max(1, b.Budget)))
		if to <= drawn {
			continue // too small to be seen; its tokens count in the next segment
		}
		bar.WriteString(strings.Repeat([]string{"█", "▒"}[segments%2], to-drawn))
		drawn = to
		segments++
	}
	bar.WriteString(strings.Repeat("░", barWidth-drawn))
	s := fmt.Sprintf("%s %s / %s %s", bar.String(), thousands(b.UsedTokens), thousands(b.Budget), w.barUnit)
	if n := len(b.LeftOut); n > 0 {
		count := thousands(n)
		if n == maxLeftOut {
			count += "+"
		}
		s += " · " + fmt.Sprintf(w.barLeft, count)
	}
	return s
}
