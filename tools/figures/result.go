package main

// This file reads results: Markdown as the programs of bench/ write it.

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// result is one results file.
type result struct {
	name, title, question string
	facts                 map[string]string
	tables                []table
	absent                []string // what could not be measured, with the reason
}

// table is rows under a heading, with what is said below it.
type table struct {
	heading string
	columns []string
	rows    [][]string
	note    string
}

// readResults reads all results of a folder by name.
func readResults(folder string) (map[string]result, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.md"))
	if err != nil {
		return nil, err
	}
	all := map[string]result{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(filepath.Base(file), ".md")
		all[name] = parseResult(name, string(text))
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s holds no results", folder)
	}
	return all, nil
}

// parseResult takes a results file apart. The first table holds the facts.
func parseResult(name, text string) result {
	r := result{name: name, facts: map[string]string{}}
	heading, inTable := "", false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		last := len(r.tables) - 1
		switch {
		case strings.HasPrefix(line, "# "):
			r.title = line[2:]
		case strings.HasPrefix(line, "## "):
			heading = line[3:]
		case !strings.HasPrefix(line, "|"):
			if line != "" && r.question == "" {
				r.question = line
			} else if last >= 0 {
				r.tables[last].comment(line)
			}
			if strings.HasPrefix(line, "**Absent") {
				r.absent = append(r.absent, line)
			}
			inTable = false
		case strings.HasPrefix(line, "| --- "):
		case !inTable:
			inTable = true
			r.tables = append(r.tables, table{heading: heading, columns: cells(line)})
		default:
			r.tables[last].rows = append(r.tables[last].rows, cells(line))
		}
	}
	if len(r.tables) > 0 && len(r.tables[0].columns) == 2 && r.tables[0].columns[0] == "fact" {
		for _, row := range r.tables[0].rows {
			r.facts[row[0]] = row[1]
		}
		r.tables = r.tables[1:]
	}
	return r
}

// won begins a paragraph that names a question on which a peer is ahead.
const won = "**Where a peer wins**"

// comment takes the first paragraph below the table, and those that say where
// peers win.
func (t *table) comment(line string) {
	switch {
	case line == "" || strings.HasPrefix(line, "**Absent"):
	case t.note == "":
		t.note = line
	case strings.HasPrefix(line, won):
		t.note += "\n\n" + line
	}
}

// cells splits a row; a bar behind a backslash belongs to its cell.
func cells(line string) []string {
	const bar = "\x00"
	line = strings.ReplaceAll(strings.Trim(line, "| "), `\|`, bar)
	parts := strings.Split(line, "|")
	for i, p := range parts {
		parts[i] = strings.ReplaceAll(strings.TrimSpace(p), bar, "|")
	}
	return parts
}

// table returns the first table whose heading begins like that.
func (r result) table(heading string) (table, error) {
	for _, t := range r.tables {
		if strings.HasPrefix(t.heading, heading) {
			return t, nil
		}
	}
	return table{}, fmt.Errorf("%s.md has no table %q; it has %d tables", r.name, heading, len(r.tables))
}

// column returns the number of the first column whose name begins like that.
func (t table) column(name string) (int, error) {
	for i, c := range t.columns {
		if strings.HasPrefix(c, name) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("table %q has no column %q; it has %q", t.heading, name, t.columns)
}

var number = regexp.MustCompile(`^-?[\d,]*\.?\d+(?:e-?\d+)?`)

// value is the figure that a cell begins with.
func value(cell string) (float64, bool) {
	x, err := strconv.ParseFloat(strings.ReplaceAll(number.FindString(cell), ",", ""), 64)
	return x, err == nil
}

// without removes the spread behind a figure: "1.2 (1.1 to 1.4)".
func without(cell string) string {
	figure, spread, found := strings.Cut(cell, " (")
	if found && strings.Contains(spread, " to ") {
		return figure
	}
	return cell
}
