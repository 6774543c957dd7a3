package llmstxt

import (
	"strings"
	"unicode/utf8"
)

// Format writes the file in its strict form: title, summary, notes, then
// sections of links, optional ones last. No section is empty, no URL stands
// twice. Same file, same bytes.
func (f *File) Format() []byte {
	var b strings.Builder
	title := headingText(f.Title)
	if title == "" {
		title = "Documentation" // the format demands a title
	}
	b.WriteString("# " + title + "\n")
	if summary := unquote(plain(f.Summary)); summary != "" {
		b.WriteString("\n> " + summary + "\n")
	}
	if notes := strings.TrimSpace(f.Notes); notes != "" {
		b.WriteString("\n" + notes + "\n")
	}
	seen := map[string]bool{}
	for _, optional := range []bool{false, true} {
		for _, s := range f.Sections {
			if s.Optional == optional {
				s.format(&b, seen)
			}
		}
	}
	return []byte(b.String())
}

func (s *Section) format(b *strings.Builder, seen map[string]bool) {
	title := headingText(s.Title)
	if title == "" {
		title = "Links"
	}
	started := false
	for _, l := range s.Links {
		url := destinationEscaper.Replace(strings.TrimSpace(l.URL))
		if url == "" || seen[url] {
			continue
		}
		seen[url] = true
		if !started {
			b.WriteString("\n## " + title + "\n\n")
			started = true
		}
		name := plain(l.Name)
		if name == "" {
			name = url
		}
		b.WriteString("- [" + nameEscaper.Replace(name) + "](" + url + ")")
		if sentence := plain(l.Sentence); sentence != "" {
			b.WriteString(": " + sentence)
		}
		b.WriteByte('\n')
	}
}

// headingText brings a title to what a reader gets back from a heading: one
// line without a closing run of number signs.
func headingText(title string) string {
	for {
		_, read := heading("# " + plain(title))
		if read == title {
			return title
		}
		title = read
	}
}

// Blank space and brackets would end a link early in some reader.
var (
	destinationEscaper = strings.NewReplacer(" ", "%20", "\t", "%09", "\n", "%0A", "\r", "%0D", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", `\`, "%5C")
	nameEscaper        = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`)
)

// Part is one file that Split cut from a list.
type Part struct {
	URL  string
	File *File
}

// Split returns f itself when its text has at most maxRunes characters.
// Otherwise every section that is not optional becomes one or more files of at
// most maxRunes, and root links to them. place names the file of a section's
// nth part (from 0): its link in the root, whose URL is where it will stand.
func (f *File) Split(maxRunes int, place func(s Section, part int) Link) (root *File, parts []Part) {
	if utf8.RuneCount(f.Format()) <= maxRunes {
		return f, nil
	}
	root = &File{Title: f.Title, Summary: f.Summary, Notes: f.Notes}
	for _, s := range f.Sections {
		if s.Optional {
			root.Sections = append(root.Sections, s)
			continue
		}
		kept := Section{Title: s.Title}
		for i, links := range cut(f, s, maxRunes) {
			link := place(s, i)
			kept.Links = append(kept.Links, link)
			parts = append(parts, Part{URL: link.URL, File: part(f, s, links)})
		}
		root.Sections = append(root.Sections, kept)
	}
	return root, parts
}

// cut divides a section's links so that each share fits into a file.
func cut(f *File, s Section, maxRunes int) [][]Link {
	empty := utf8.RuneCount(part(f, s, nil).Format()) + utf8.RuneCountInString(s.Title) + len("\n## \n\n")
	var shares [][]Link
	size := maxRunes
	for _, l := range s.Links {
		var b strings.Builder
		(&Section{Links: []Link{l}}).format(&b, map[string]bool{})
		n := utf8.RuneCountInString(b.String()) - len("\n## Links\n\n")
		if size+n > maxRunes {
			shares = append(shares, nil)
			size = empty
		}
		shares[len(shares)-1] = append(shares[len(shares)-1], l)
		size += n
	}
	return shares
}

func part(f *File, s Section, links []Link) *File {
	return &File{Title: f.Title + ": " + s.Title, Summary: f.Summary, Sections: []Section{{Title: s.Title, Links: links}}}
}
