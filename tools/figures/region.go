package main

// This file makes the regions: marked places of documents that show results.

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// ours is the name of the product in the results.
const ours = "Evergreen"

// view is a table as a document shows it.
type view struct {
	file, heading string
	columns       []string // by the beginnings of their names; none is all
	spread        bool     // keep it
	rows          []string // by the beginnings of their names; none is all
}

// marked finds the regions of a document.
var marked = regexp.MustCompile(`(?s)(<!-- figures: ([a-z0-9-]+) -->\n).*?(<!-- figures end -->)`)

// rewrite replaces the contents of all regions.
func rewrite(text string, results map[string]result) (string, error) {
	var failed error
	text = marked.ReplaceAllStringFunc(text, func(region string) string {
		m := marked.FindStringSubmatch(region)
		inside, err := content(m[2], results)
		if err != nil && failed == nil {
			failed = fmt.Errorf("region %s: %w", m[2], err)
		}
		return m[1] + "\n" + inside + "\n" + m[3]
	})
	return text, failed
}

func content(name string, results map[string]result) (string, error) {
	switch name {
	case "summary":
		return summary(results)
	case "plot":
		return plotImage(results)
	case "bars":
		return bars(results)
	case "others":
		return others(results)
	case "growth-bars":
		return growth(results)
	case "programs":
		return programs(results), nil
	}
	var b strings.Builder
	views, ok := regions()[name]
	if !ok {
		return "", fmt.Errorf("nobody knows what it shows")
	}
	for i, v := range views {
		if i > 0 {
			b.WriteString("\n")
		}
		text, err := v.markdown(results)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	peers, err := peersOf(results, views)
	return b.String() + "\n" + peers + source(results, views), err
}

// peersOf are the tables that say who stands in the views, with which options;
// one that several results share is shown once.
func peersOf(results map[string]result, views []view) (string, error) {
	var parts []string
	for _, v := range views {
		t, err := results[v.file].table("Peers")
		if err != nil {
			continue // stands beside nobody
		}
		text, err := view{spread: true}.show(t)
		if err != nil {
			return "", err
		}
		if text += "\n"; !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ""), nil
}

// bars are the plot's panels as text.
func bars(results map[string]result) (string, error) {
	var parts []string
	for _, p := range panels() {
		text, err := textBars(p, results)
		if err != nil {
			return "", err
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "\n"), nil
}

// others are all tables of the results that no view shows, so that a new
// program's are there without being named here.
func others(results map[string]result) (string, error) {
	shown := map[string]bool{}
	for _, name := range onlyListed() {
		shown[name] = true
	}
	for _, views := range regions() {
		for _, v := range views {
			shown[v.file] = true
		}
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(results)) {
		r := results[name]
		if shown[name] || r.facts["command"] == "" {
			continue
		}
		parts = append(parts, "### "+r.title+"\n\n"+r.question+"\n")
		for _, t := range r.tables {
			text, err := view{}.show(t)
			if err != nil {
				return "", err
			}
			parts = append(parts, text)
		}
		parts = append(parts, source(results, []view{{file: name}}))
	}
	if len(parts) == 0 {
		return "None.\n", nil
	}
	return strings.Join(parts, "\n"), nil
}

// markdown is the table with its heading in bold, and the sentence below it.
func (v view) markdown(results map[string]result) (string, error) {
	r, ok := results[v.file]
	if !ok {
		return "", fmt.Errorf("there is no result %s.md; measure it first", v.file)
	}
	t, err := r.table(v.heading)
	if err != nil {
		return "", err
	}
	return v.show(t)
}

// show is markdown for a table at hand.
func (v view) show(t table) (string, error) {
	var columns []int
	for _, name := range v.columns {
		i, err := t.column(name)
		if err != nil {
			return "", err
		}
		columns = append(columns, i)
	}
	if len(v.columns) == 0 {
		for i := range t.columns {
			columns = append(columns, i)
		}
	}
	var b strings.Builder
	if t.heading != "" {
		b.WriteString("**" + t.heading + "**\n\n")
	}
	pick := func(cells []string) {
		for _, i := range columns {
			cell := cells[i]
			if !v.spread {
				cell = without(cell)
			}
			b.WriteString("| " + strings.ReplaceAll(cell, "|", `\|`) + " ")
		}
		b.WriteString("|\n")
	}
	pick(t.columns)
	b.WriteString(strings.Repeat("| --- ", len(columns)) + "|\n")
	for _, row := range t.rows {
		if len(row) == len(t.columns) && v.shows(row[0]) {
			pick(row)
		}
	}
	if t.note != "" {
		b.WriteString("\n" + t.note + "\n")
	}
	return b.String(), nil
}

func (v view) shows(row string) bool {
	if row == "floor" || row == "holds" {
		return false
	}
	return len(v.rows) == 0 || slices.ContainsFunc(v.rows, func(prefix string) bool { return strings.HasPrefix(row, prefix) })
}

// source says where figures come from.
func source(results map[string]result, views []view) string {
	var lines []string
	for _, v := range views {
		r := results[v.file]
		line := fmt.Sprintf("`bench/results/%s.md`: %s, commit %s, %s.", r.name, r.facts["date"], r.facts["commit"], r.facts["command"])
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
		for _, a := range r.absent {
			if !slices.Contains(lines, a) {
				lines = append(lines, a)
			}
		}
	}
	return strings.Join(lines, " ") + "\n"
}

// programs lists every result with its question.
func programs(results map[string]result) string {
	var names []string
	for name, r := range results {
		if r.facts["command"] != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString("| result | question | measured | load before |\n| --- | --- | --- | --- |\n")
	for _, name := range names {
		r := results[name]
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", name, r.question, r.facts["date"], r.facts["load before"])
	}
	return b.String()
}
