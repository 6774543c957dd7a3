package console

// This file compares two texts line by line.

import (
	"strings"

	"evergreen/internal/ui"
)

// difference lists the lines that left and came, with a few of those around
// them; nil when the texts are equal. It is the shortest such list (the longest
// common subsequence, by dynamic programming).
func difference(before, after string) []ui.DiffLine {
	if before == after {
		return nil
	}
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	if len(a) > maxDiffLines || len(b) > maxDiffLines {
		return whole(a, b)
	}
	common := make([][]int, len(a)+1) // [i][j]: of a from i and b from j
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var lines []ui.DiffLine
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			lines = append(lines, ui.DiffLine{Sign: " ", Text: a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			lines = append(lines, ui.DiffLine{Sign: "-", Text: a[i]})
			i++
		default:
			lines = append(lines, ui.DiffLine{Sign: "+", Text: b[j]})
			j++
		}
	}
	return around(lines)
}

// whole shows long texts one after the other.
func whole(a, b []string) []ui.DiffLine {
	var lines []ui.DiffLine
	for _, text := range a[:min(len(a), maxDiffLines)] {
		lines = append(lines, ui.DiffLine{Sign: "-", Text: text})
	}
	for _, text := range b[:min(len(b), maxDiffLines)] {
		lines = append(lines, ui.DiffLine{Sign: "+", Text: text})
	}
	return lines
}

// around drops equal lines that are far from any that differ.
func around(lines []ui.DiffLine) []ui.DiffLine {
	near := func(i int) bool {
		for k := max(0, i-diffContext); k <= min(len(lines)-1, i+diffContext); k++ {
			if lines[k].Sign != " " {
				return true
			}
		}
		return false
	}
	var kept []ui.DiffLine
	dropped := false
	for i, l := range lines {
		if !near(i) {
			dropped = true
			continue
		}
		if dropped && len(kept) > 0 {
			kept = append(kept, ui.DiffLine{Sign: " ", Text: "…"})
		}
		kept, dropped = append(kept, l), false
	}
	return kept
}
