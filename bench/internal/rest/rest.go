// Package rest reads the headings of reStructuredText sources, so that they can
// be looked for in what became of the rendered pages. It reads nothing else of
// the language: no directive is followed, no substitution made.
package rest

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Heading is one section title.
type Heading struct {
	Level int    // 1 is the first adornment style of the document
	Text  string // without inline markup, as readers see it
}

// adornments are the characters that underline titles (docutils specification,
// "Sections").
const adornments = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

// Headings scans a document. A title is a line that stands at the left edge
// after a blank line, or after an overline, with an underline at least as long
// as it is. Levels follow the order in which styles appear; a style is the
// character, and whether there is an overline.
func Headings(text string) []Heading {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	var all []Heading
	var styles []string
	for i := 1; i < len(lines); i++ {
		title := strings.TrimRight(lines[i-1], " \t")
		under := adornment(lines[i])
		if under == 0 || !isTitle(title, lines[i]) {
			continue
		}
		over := i >= 2 && adornment(lines[i-2]) == under && len(lines[i-2]) >= len(strings.TrimRight(lines[i], " "))
		if !over && (title[0] == ' ' || title[0] == '\t' || i >= 2 && strings.TrimSpace(lines[i-2]) != "") {
			continue
		}
		style := string(under)
		if over {
			style += "over"
		}
		level := 0
		for level < len(styles) && styles[level] != style {
			level++
		}
		if level == len(styles) {
			styles = append(styles, style)
		}
		all = append(all, Heading{level + 1, Plain(strings.TrimSpace(title))})
	}
	return all
}

// adornment is the character that a line repeats, 0 when it is no such line.
func adornment(line string) byte {
	line = strings.TrimRight(line, " \t")
	if len(line) < 2 || !strings.Contains(adornments, line[:1]) || strings.Trim(line, line[:1]) != "" {
		return 0
	}
	return line[0]
}

// isTitle reports whether a line may be the title above an underline.
func isTitle(title, under string) bool {
	if title == "" || adornment(title) != 0 {
		return false
	}
	return utf8.RuneCountInString(strings.TrimSpace(title)) <= utf8.RuneCountInString(strings.TrimRight(under, " \t"))
}

// Plain drops inline markup: roles show their text, the last part of a name
// after ~, a title before its target. Markup is not nested.
func Plain(s string) string {
	markup := regexp.MustCompile(":([a-zA-Z][\\w:.+-]*):`([^`]*)`" + // role
		"|``([^`]+)``" + // literal
		"|`([^`<]+?)\\s*<[^>`]*>`__?" + // link with its target
		"|`([^`]+)`(?:__?)?" + // link by name, or the default role
		`|\*\*(\S[^*]*?)\*\*|\*(\S[^*]*?)\*` + // strong, emphasis
		`|\\(.)`) // escape
	return markup.ReplaceAllStringFunc(s, func(m string) string {
		part := markup.FindStringSubmatch(m)
		if part[1] != "" {
			return roleText(part[1], part[2])
		}
		return strings.Join(part[3:], "")
	})
}

func roleText(role, text string) string {
	if title, _, ok := strings.Cut(text, " <"); ok && strings.HasSuffix(text, ">") {
		return title
	}
	if prefix := strings.ToUpper(role); prefix == "PEP" || prefix == "RFC" || prefix == "CVE" || prefix == "CWE" {
		return prefix + " " + text
	}
	text = strings.TrimPrefix(text, "!")
	if name, ok := strings.CutPrefix(text, "~"); ok {
		return name[strings.LastIndex(name, ".")+1:]
	}
	return text
}
