package llmstxt

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode"
)

// Parse reads an llms.txt found at the URL base; relative links are resolved
// against it. base may be empty. Parse never fails: what it cannot place is
// left out and told as a diagnostic.
func Parse(data []byte, base string) (*File, []Diagnostic) {
	p := reader{file: &File{}, seen: map[string]bool{}}
	if base != "" {
		p.base, _ = url.Parse(base) // an unusable base resolves nothing
	}
	text := strings.TrimPrefix(string(data), "\ufeff")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	if looksLikeHTML(text) {
		p.tell(NotMarkdown, 0, "an HTML page stands in place of llms.txt")
		return p.file, p.diagnostics
	}
	lines := strings.Split(text, "\n")
	for n := afterFrontMatter(lines); n < len(lines); n++ {
		p.line(n+1, strings.TrimRight(lines[n], " \t"))
	}
	p.finish()
	return p.file, p.diagnostics
}

// looksLikeHTML tells a page from Markdown that begins with some HTML.
func looksLikeHTML(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text[:min(len(text), 200)]))
	return strings.HasPrefix(text, "<!doctype html") || strings.HasPrefix(text, "<html")
}

func afterFrontMatter(lines []string) int {
	if strings.TrimRight(lines[0], " \t") != "---" {
		return 0
	}
	for i, l := range lines[1:] {
		if l = strings.TrimRight(l, " \t"); l == "---" || l == "..." {
			return i + 2
		}
	}
	return 0
}

// reader walks the lines of a file.
type reader struct {
	file        *File
	base        *url.URL
	seen        map[string]bool
	links       int
	section     *Section // nil before the first H2 and the first orphan link
	opened      int      // line of the section's heading
	last        *Link    // link of the list item that may go on
	indent      int      // of that item
	fence       string
	summary     []string
	notes       []string
	noted       bool // a note that is not blank
	prose       []string
	diagnostics []Diagnostic
}

func (p *reader) tell(code string, line int, format string, args ...any) {
	if len(p.diagnostics) < maxDiagnostics {
		p.diagnostics = append(p.diagnostics, Diagnostic{Code: code, Line: line, Message: fmt.Sprintf(format, args...)})
	}
}

func (p *reader) line(n int, line string) {
	text := strings.TrimLeft(line, " \t")
	indent := len(line) - len(text)
	if p.inFence(text) {
		p.text(line)
		return
	}
	level, title := heading(text)
	switch {
	case indent < 4 && level == 1:
		p.title(n, title)
	case indent < 4 && level == 2:
		p.open(n, title)
	case p.section == nil && !p.noted && strings.HasPrefix(text, ">"):
		p.summary = append(p.summary, unquote(text))
	case text == "":
		p.last = nil
		p.text("")
	default:
		p.item(n, indent, text)
	}
}

// unquote drops the marks of a blockquote.
func unquote(text string) string {
	return strings.TrimLeftFunc(text, func(r rune) bool { return r == '>' || unicode.IsSpace(r) })
}

// inFence follows code fences, whose content is text whatever it looks like.
func (p *reader) inFence(text string) bool {
	run := text[:len(text)-len(strings.TrimLeft(text, "`~"))]
	switch {
	case p.fence != "":
		if strings.HasPrefix(run, p.fence) && len(run) == len(text) {
			p.fence = ""
		}
		return true
	case len(run) >= 3 && strings.Trim(run, run[:1]) == "" && !strings.Contains(text[len(run):], "`"):
		p.fence = run
		p.last = nil
		return true
	}
	return false
}

func heading(text string) (level int, title string) {
	title = strings.TrimLeft(text, "#")
	level = len(text) - len(title)
	if level == 0 || level > 6 || title != "" && title[0] != ' ' && title[0] != '\t' {
		return 0, ""
	}
	title = strings.TrimSpace(title)
	if bare := strings.TrimRight(title, "#"); bare == "" || strings.HasSuffix(bare, " ") {
		title = strings.TrimSpace(bare)
	}
	return level, title
}

// title takes the first H1 as the file's title; later ones open sections, as
// files do that hold several lists.
func (p *reader) title(n int, title string) {
	if p.file.Title == "" && p.section == nil {
		p.file.Title = plain(title)
		return
	}
	p.tell(SecondTitle, n, "a second H1 is read as a section")
	p.open(n, title)
}

func (p *reader) open(n int, title string) {
	p.closeSection()
	title = plain(title)
	p.file.Sections = append(p.file.Sections, Section{Title: title, Optional: strings.EqualFold(title, "optional")})
	p.section = &p.file.Sections[len(p.file.Sections)-1]
	p.opened = n
	p.last = nil
}

func (p *reader) closeSection() {
	if p.section == nil {
		return
	}
	p.section.Prose = strings.Trim(strings.Join(p.prose, "\n"), "\n")
	p.prose = nil
	if len(p.section.Links) == 0 {
		p.tell(EmptySection, p.opened, "section %q has no links", clip(p.section.Title))
	}
}

var bullet = regexp.MustCompile(`^(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)`)

// item reads a line that is a list item, goes on with one, or is prose.
func (p *reader) item(n, indent int, text string) {
	mark := bullet.FindString(text)
	content := text[len(mark):]
	if mark == "" && p.last != nil && indent > p.indent {
		p.last.Sentence = strings.TrimSpace(p.last.Sentence + " " + plain(text))
		return
	}
	p.last = nil
	link, ok := p.entry(n, content, mark != "")
	if !ok {
		p.text(text)
		return
	}
	if mark == "" {
		p.tell(MissingListBullet, n, "a link without a list bullet")
	}
	if p.section == nil {
		p.tell(OrphanLinks, n, "a link before the first H2")
		p.open(n, "")
	}
	if p.links == maxLinks {
		p.tell(TooLong, n, "more than %d links: the rest is not read", maxLinks)
	}
	if p.links++; p.links > maxLinks {
		return
	}
	p.section.Links = append(p.section.Links, link)
	p.last, p.indent = &p.section.Links[len(p.section.Links)-1], indent
}

func (p *reader) text(line string) {
	if p.section == nil {
		p.notes = append(p.notes, line)
		p.noted = p.noted || line != ""
	} else {
		p.prose = append(p.prose, line)
	}
}

func (p *reader) finish() {
	p.closeSection()
	p.file.Summary = strings.Join(strings.Fields(strings.Join(p.summary, " ")), " ")
	p.file.Notes = strings.Trim(strings.Join(p.notes, "\n"), "\n")
	if p.file.Title == "" {
		p.tell(MissingTitle, 0, "no H1")
	}
}
