package main

// This file draws how figures grow with the size of a library.

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// growthRows are the rows of the curve that are drawn, by the beginnings of
// their names.
func growthRows() []string {
	return []string{"build, s", "peak memory of the build, MB", "start to first answer, ms", "ten hits with snippets, p99, ms", "server's memory, MB"}
}

// perPower is how many letters a bar gets longer when its figure grows tenfold.
const perPower = 10

// growth draws each row as bars by powers of ten, one for each size: those of a
// figure that grows in proportion get longer by the same piece each time.
func growth(results map[string]result) (string, error) {
	r, ok := results["growth"]
	if !ok {
		return "", fmt.Errorf("there is no result growth.md; measure it first")
	}
	t, err := r.table("The curve")
	if err != nil {
		return "", err
	}
	exponent, err := t.column("exponent")
	if err != nil {
		return "", err
	}
	var parts []string
	for _, name := range growthRows() {
		i := slices.IndexFunc(t.rows, func(row []string) bool { return row[0] == name })
		if i < 0 {
			continue // it could not be measured
		}
		row := t.rows[i]
		var bars []bar
		var letters []int
		for k, column := range t.columns[1:exponent] {
			if x, ok := value(row[k+1]); ok && x > 0 {
				bars = append(bars, bar{column, without(row[k+1]), x})
				letters = append(letters, int(math.Round(perPower*(1+math.Log10(x/bars[0].value)))))
			}
		}
		parts = append(parts, lettered(name+": grows with the power "+row[exponent]+" of the sections", bars, letters))
	}
	return strings.Join(parts, "\n"), nil
}
