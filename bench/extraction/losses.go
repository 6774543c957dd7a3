package main

// This file notes what Evergreen lost or added, for whoever improves it.

import (
	"fmt"
	"strings"

	"evergreen/bench/internal/score"
)

// shown is how many differences of one page are written down, and good the F1
// from which a page has none worth a look.
const (
	shown = 12
	good  = .97
)

type losses struct{ strings.Builder }

// page notes a page whose text differs much.
func (l *losses) page(where, id, want, got string) {
	f := score.F1(want, got)
	if f >= good {
		return
	}
	missing, extra := score.Differences(want, got)
	fmt.Fprintf(l, "%s: %s has F1 %.3f; shingles missing %d, extra %d\n", where, id, f, len(missing), len(extra))
	for _, m := range missing[:min(shown, len(missing))] {
		fmt.Fprintf(l, "\t- %s\n", m)
	}
	for _, e := range extra[:min(shown, len(extra))] {
		fmt.Fprintf(l, "\t+ %s\n", e)
	}
}

// kept notes the documentation that was not kept.
func (l *losses) kept(where string, k *kept) {
	for _, p := range k.pages {
		l.page(where, p[0], p[1], p[2])
	}
	for _, s := range k.shares() {
		for _, item := range s.share.Lost() {
			fmt.Fprintf(l, "%s, %s: %.160q\n", where, s.name, item)
		}
	}
}
