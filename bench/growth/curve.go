package main

// This file shows how figures grow.

import (
	"math"

	"evergreen/bench/internal/report"
)

// quantity is one figure at every size.
type quantity struct {
	name, unit string
	at         []report.Sample
}

func (q *quantity) add(size int, x float64) {
	for len(q.at) <= size {
		q.at = append(q.at, nil)
	}
	q.at[size] = append(q.at[size], x)
}

// exponent is that of the power of n which fits x best: the slope of the least
// squares on logarithms. 1 is growth in proportion, 0 none.
func exponent(n, x []float64) float64 {
	var sumN, sumX float64
	for i := range n {
		sumN, sumX = sumN+math.Log(n[i]), sumX+math.Log(x[i])
	}
	meanN, meanX := sumN/float64(len(n)), sumX/float64(len(n))
	var both, square float64
	for i := range n {
		d := math.Log(n[i]) - meanN
		both, square = both+d*(math.Log(x[i])-meanX), square+d*d
	}
	return both / square
}

// cells are the figure at every size, then the exponents: of the whole curve,
// and of its last step.
func (q quantity) cells(sections []float64) []string {
	row := []string{q.name}
	var medians []float64
	for _, s := range q.at {
		row = append(row, s.Cell())
		medians = append(medians, s.Median())
	}
	last := len(sections) - 2
	return append(row, report.Number(round(exponent(sections, medians))), report.Number(round(exponent(sections[last:], medians[last:]))))
}

// round keeps two digits behind the point: an exponent has no more.
func round(x float64) float64 { return math.Round(x*100) / 100 }
