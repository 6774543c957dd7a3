// Engines measures search beside other engines, in one run on the same texts:
// how well they rank judged sets, and what building, starting, asking and
// memory cost. Every engine is a process of its own that is measured from
// outside.
package main

import (
	"context"

	"evergreen/bench/internal/engines"
	"evergreen/bench/internal/study"
)

func main() {
	if engines.AsContender() {
		return
	}
	study.Main("engines", "Search beside other engines", append([]string{
		"How well and how fast do other search engines find the same sections?",
		"Quality: the judged sets of the corpora, title and body as two fields where an engine has fields, a hundred hits a query, nDCG@10 with binary gains; " +
			"in the last two sets a page counts by its best section, and the words of its name belong to the titles. Evergreen's figures come from what `evergreen eval` calls.",
	}, engines.Method()...), measure)
}

func measure(ctx context.Context, s *study.Study) error {
	s.Peers(engines.Peers()...)
	all := engines.Contenders(ctx, s)
	if err := engines.Quality(ctx, s, all); err != nil {
		return err
	}
	pages, err := engines.PagesOf(s, "k8s-questions")
	if err != nil {
		return err
	}
	if err := engines.Speed(ctx, s, all, pages); err != nil {
		return err
	}
	return engines.Ripgrep(ctx, s, pages)
}
