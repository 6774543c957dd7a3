// Engines-large measures the cost of search on a large library beside the
// engines that keep their index on disk.
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
	study.Main("engines-large", "Search on a large library beside other engines", append([]string{
		"What do building, starting, asking and memory cost on a hundred thousand sections?",
	}, engines.Method()...), measure)
}

func measure(ctx context.Context, s *study.Study) error {
	s.Peers(engines.Peers()...)
	large, err := engines.TreeOf(ctx, s, "mdn-en")
	if err != nil {
		return err
	}
	return engines.Speed(ctx, s, engines.Contenders(ctx, s), large)
}
