package ui

// This file knows the pages of a running server: they are in the navigation of a
// site only where they are served.

import (
	"slices"
)

// Paths of the pages that a running server has beside its content.
const (
	reportPath  = "/metrics-report"
	labPath     = "/lab"
	operatePath = "/operate"
)

// runningPages are those pages in the order of the navigation.
func runningPages() []ownPage {
	return []ownPage{
		{path: reportPath, label: func(w words) string { return w.Report }},
		{path: labPath, label: func(w words) string { return w.Lab }},
		{path: operatePath, label: func(w words) string { return w.Operate }},
	}
}

// offer adds the operator's page to the navigation for those who may open it.
func (f *frame) offer(operator bool) {
	to := f.Root + operatePath
	if operator && !slices.ContainsFunc(f.Nav, func(l navLink) bool { return l.URL == to }) {
		f.Nav = append(f.Nav, navLink{to, f.Words.Operate, false})
	}
}
