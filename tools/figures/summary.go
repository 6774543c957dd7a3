package main

// This file makes the summary: Evergreen beside the best of its peers, one row
// for each question, also where the peer is ahead.

import (
	"fmt"
	"slices"
	"strings"
)

// line is one row of the summary: a column of a result. Rows of the table that
// are no peer, or the product under other options, are left out.
type line struct {
	what          string
	file, heading string
	column        string
	lower         bool
	unit          string
	others        []string // what else is no peer

	// Where contenders are columns: the row, and the peer's column and name.
	row, peerColumn, peer string
}

func summary(results map[string]result) (string, error) {
	var b strings.Builder
	b.WriteString("| what | Evergreen | best peer | |\n| --- | --- | --- | --- |\n")
	for _, l := range summaryLines() {
		own, peer, name, err := l.compare(results)
		if err != nil {
			return "", err
		}
		verdict := "ahead"
		a, _ := value(own)
		if p, ok := value(peer); ok && a == p {
			verdict = "level"
		} else if ok && (p < a) == l.lower {
			verdict = "behind"
		}
		fmt.Fprintf(&b, "| %s | %s%s | %s%s, %s | %s |\n", l.what, own, l.unit, peer, l.unit, name, verdict)
	}
	return b.String(), nil
}

// compare finds the product's figure and the best of the others.
func (l line) compare(results map[string]result) (own, peer, name string, err error) {
	r, ok := results[l.file]
	if !ok {
		return "", "", "", fmt.Errorf("there is no result %s.md; measure it first", l.file)
	}
	t, err := r.table(l.heading)
	if err != nil {
		return "", "", "", err
	}
	if l.row != "" {
		own, peer, err = t.pair(l.row, l.column, l.peerColumn)
		return plain(own), plain(peer), l.peer, err
	}
	column, err := t.column(l.column)
	if err != nil {
		return "", "", "", err
	}
	best := 0.0
	for _, row := range t.rows {
		x, ok := value(row[column])
		switch {
		case !ok || slices.Contains(append(l.others, "floor", "holds"), row[0]):
		case row[0] == ours:
			own = without(row[column])
		case peer == "" || (x < best) == l.lower && x != best:
			best, peer, name = x, without(row[column]), row[0]
		}
	}
	if own == "" || peer == "" {
		return "", "", "", fmt.Errorf("%s.md, %q, column %q compares nobody", l.file, l.heading, l.column)
	}
	return plain(own), plain(peer), name, nil
}

// pair returns two cells of one row.
func (t table) pair(row, first, second string) (a, b string, err error) {
	i, err := t.column(first)
	if err != nil {
		return "", "", err
	}
	j, err := t.column(second)
	if err != nil {
		return "", "", err
	}
	for _, r := range t.rows {
		if r[0] == row {
			return r[i], r[j], nil
		}
	}
	return "", "", fmt.Errorf("table %q has no row %q", t.heading, row)
}

// plain removes what stands in brackets behind a figure.
func plain(cell string) string {
	figure, _, _ := strings.Cut(cell, " (")
	return figure
}
