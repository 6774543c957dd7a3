package report

// This file says where others are ahead.

import (
	"slices"
	"strings"
)

// Figure is one column of a comparison: a value for each contender that has
// one.
type Figure struct {
	Name   string
	Lower  bool // lower is better
	Values map[string]float64
}

// Put notes a contender's value.
func (f *Figure) Put(contender string, value float64) {
	if f.Values == nil {
		f.Values = map[string]float64{}
	}
	f.Values[contender] = value
}

// Ahead is a sentence about the figures in which others are better than ours,
// best first. It is there so that no table hides where a peer wins.
func Ahead(ours string, figures []Figure) string {
	var parts []string
	for _, f := range figures {
		own, ok := f.Values[ours]
		if !ok {
			continue
		}
		better := func(a, b float64) bool { return a != b && (a < b) == f.Lower }
		var names []string
		for name, value := range f.Values {
			if better(value, own) {
				names = append(names, name)
			}
		}
		slices.SortFunc(names, func(a, b string) int {
			switch x, y := f.Values[a], f.Values[b]; {
			case better(x, y):
				return -1
			case better(y, x):
				return 1
			}
			return strings.Compare(a, b)
		})
		if len(names) > 0 {
			parts = append(parts, f.Name+": "+strings.Join(names, ", "))
		}
	}
	if len(parts) == 0 {
		return "No peer is ahead of " + ours + " in this table."
	}
	return "Ahead of " + ours + ": " + strings.Join(parts, "; ") + "."
}
