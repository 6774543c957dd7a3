package report

// This file turns repeated measurements into cells: median, spread, verdict.

import (
	"math"
	"slices"
	"strconv"
	"time"
)

// Sample is one figure measured several times, in one unit.
type Sample []float64

// Percentile returns the value that p percent of the sample do not exceed
// (nearest rank), 0 for an empty sample.
func (s Sample) Percentile(p float64) float64 {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// Median is the middle value, the lower one of two.
func (s Sample) Median() float64 { return s.Percentile(50) }

// Max is the largest value, 0 for an empty sample.
func (s Sample) Max() float64 { return s.Percentile(100) }

// Spread is the smallest and the largest value.
func (s Sample) Spread() string {
	if len(s) == 0 {
		return "–"
	}
	return Number(slices.Min(s)) + " to " + Number(slices.Max(s))
}

// Number writes a figure with three significant digits.
func Number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return Thousands(int(x))
	}
	switch a := math.Abs(x); {
	case a >= 1000:
		return Thousands(int(math.Round(x)))
	case a >= 100:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case a >= 10:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case a >= 1:
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// Thousands groups digits: 14,074.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	first := 0
	if n < 0 {
		first = 1
	}
	for i := len(s) - 3; i > first; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Milliseconds is a duration as a figure.
func Milliseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

// AtMost is the cells for a sample whose median a floor bounds from above:
// median, spread, floor, verdict.
func AtMost(s Sample, unit string, floor float64) []string {
	return verdict(s, unit, "<= ", floor, s.Median() <= floor)
}

// AtLeast is AtMost for a floor that bounds from below.
func AtLeast(s Sample, unit string, floor float64) []string {
	return verdict(s, unit, ">= ", floor, s.Median() >= floor)
}

// Plain is the cells for a sample without a floor.
func Plain(s Sample, unit string) []string {
	return []string{Number(s.Median()) + unit, s.Spread(), "–", "–"}
}

// Columns head the cells of AtMost, AtLeast and Plain, after the name.
func Columns(name string) []string { return []string{name, "median", "spread", "floor", "holds"} }

func verdict(s Sample, unit, relation string, floor float64, holds bool) []string {
	word := "yes"
	if !holds || len(s) == 0 {
		word = "**NO**"
	}
	return []string{Number(s.Median()) + unit, s.Spread(), relation + strconv.FormatFloat(floor, 'g', -1, 64) + unit, word}
}

// Cell is median and spread in one cell: 1.2 (1.1 to 1.4).
func (s Sample) Cell() string {
	if len(s) == 0 {
		return "–"
	}
	return Number(s.Median()) + " (" + s.Spread() + ")"
}
