package main

// This file edits documents at random.

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
)

// kind is one way to edit a document.
type kind struct {
	name string
	// frees is whether the section that was edited may lose its id.
	frees bool
	// edit changes lines; ok is false where there is nothing to change.
	edit func(r *rand.Rand, lines []string, number int) (changed []string, ok bool)
}

func kinds() []kind {
	return []kind{
		{"a word added to a paragraph", false, func(r *rand.Rand, lines []string, _ int) ([]string, bool) {
			return at(r, lines, prose, func(l string) []string { return []string{l + " indeed"} })
		}},
		{"a paragraph added", false, func(r *rand.Rand, lines []string, n int) ([]string, bool) {
			return at(r, lines, prose, func(l string) []string { return []string{fmt.Sprintf("Paragraph %d was added.", n), "", l} })
		}},
		{"a comment added to code", false, func(r *rand.Rand, lines []string, n int) ([]string, bool) {
			return at(r, lines, code, func(l string) []string { return []string{indent(l) + fmt.Sprintf("# comment %d", n), l} })
		}},
		{"a section added", false, func(r *rand.Rand, lines []string, n int) ([]string, bool) {
			return at(r, lines, title, func(l string) []string {
				return []string{marks(l) + fmt.Sprintf(" Added section %d", n), "", "Its text.", "", l}
			})
		}},
		{"a section added whose title is there already", false, func(r *rand.Rand, lines []string, n int) ([]string, bool) {
			return at(r, lines, title, func(l string) []string { return []string{l, "", fmt.Sprintf("Text %d of a namesake.", n), "", l} })
		}},
		{"a heading reworded, an explicit id kept", true, func(r *rand.Rand, lines []string, n int) ([]string, bool) {
			return at(r, lines, title, func(l string) []string { return []string{marks(l) + fmt.Sprintf(" Reworded %d", n) + anchor(l)} })
		}},
		{"a heading removed", true, func(r *rand.Rand, lines []string, _ int) ([]string, bool) {
			return at(r, lines, title, func(string) []string { return nil })
		}},
		{"two headings of one level swapped, with their text", false, swap},
	}
}

// line says what a line is.
type line int

const (
	other line = iota
	prose
	code
	title // an ATX heading of level 2 or deeper
)

var (
	fence   = regexp.MustCompile("^ {0,3}(```+|~~~+)")
	atx     = regexp.MustCompile(`^#{2,6} +\S`)
	written = regexp.MustCompile(`\s*\{[#/].*\}\s*$`)
	words   = regexp.MustCompile(`^\pL[^|<>{}]*$`)
)

// read classes the lines of a document. Front matter is other.
func class(lines []string) []line {
	classes := make([]line, len(lines))
	inside, matter := "", len(lines) > 0 && lines[0] == "---"
	for i, l := range lines {
		switch m := fence.FindStringSubmatch(l); {
		case matter:
			matter = i == 0 || l != "---"
		case inside != "":
			if m != nil && strings.HasPrefix(m[1], inside) && strings.TrimSpace(l) == m[1] {
				inside = ""
			} else if l != "" {
				classes[i] = code
			}
		case m != nil:
			inside = m[1]
		case atx.MatchString(l):
			classes[i] = title
		case words.MatchString(l) && (i == 0 || lines[i-1] == "") && (i+1 == len(lines) || lines[i+1] == ""):
			classes[i] = prose
		}
	}
	return classes
}

// at replaces a random line of a class.
func at(r *rand.Rand, lines []string, wanted line, replace func(string) []string) ([]string, bool) {
	var places []int
	for i, c := range class(lines) {
		if c == wanted {
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		return nil, false
	}
	i := places[r.IntN(len(places))]
	changed := append([]string(nil), lines[:i]...)
	return append(append(changed, replace(lines[i])...), lines[i+1:]...), true
}

func marks(heading string) string { return heading[:len(heading)-len(strings.TrimLeft(heading, "#"))] }

func indent(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " "))] }

// anchor is the explicit id behind a heading, which an author keeps.
func anchor(heading string) string { return written.FindString(heading) }

// swap exchanges two neighbouring sections of one level that have none below
// them.
func swap(r *rand.Rand, lines []string, _ int) ([]string, bool) {
	var places []int
	for i, c := range class(lines) {
		if c == title {
			places = append(places, i)
		}
	}
	var pairs [][3]int
	for i := 0; i+2 < len(places); i++ {
		a, b, c := places[i], places[i+1], places[i+2]
		if marks(lines[a]) == marks(lines[b]) && len(marks(lines[c])) <= len(marks(lines[b])) {
			pairs = append(pairs, [3]int{a, b, c})
		}
	}
	if len(pairs) == 0 {
		return nil, false
	}
	p := pairs[r.IntN(len(pairs))]
	changed := append([]string(nil), lines[:p[0]]...)
	changed = append(changed, lines[p[1]:p[2]]...)
	changed = append(changed, lines[p[0]:p[1]]...)
	return append(changed, lines[p[2]:]...), true
}
