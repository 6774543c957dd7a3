package site

// This file writes llms-full.txt: every page in one stream.

import (
	"fmt"
	"io"
	"path"
	"strings"

	"evergreen"
	"evergreen/internal/text"
)

// Full says which part of the whole text is wanted.
type Full struct {
	Section string // collection, or collection and folder with a slash between; "" is all
	Budget  int    // tokens; 0 is no bound
}

// WriteFull writes the title and then page after page, each below a line and
// its address. One page is in memory at a time; a page that cannot be read is
// named and passed over. With a budget, whole pages are written until the next
// one does not fit, and the end says so. An unknown section is a NotFound error
// before anything is written.
func (s *Site) WriteFull(w io.Writer, f Full) error {
	if err := s.checkSection(f.Section); err != nil {
		return err
	}
	head := "# " + escapeText(s.o.Name) + "\n\n> " + oneLine(s.o.Summary) + "\n\nIndex: " + s.url("/llms.txt") + "\n"
	if err := writeAll(w, []byte(head)); err != nil {
		return err
	}
	used, written, total := s.o.Count(head), 0, 0
	full := false
	err := s.eachFull(f.Section, func(p *Page) error {
		total++
		if full {
			return nil
		}
		chunk := s.fullPage(p)
		if f.Budget > 0 {
			cost := s.o.Count(chunk)
			if full = used+cost > f.Budget; full {
				return nil
			}
			used += cost
		}
		written++
		return writeAll(w, []byte(chunk))
	})
	if err != nil || !full {
		return err
	}
	return writeAll(w, fmt.Appendf(nil, "\n---\n\nThe budget of %s tokens is spent: %d of %d pages are above. Raise it, choose a part with ?section=, or ask %s.\n",
		thousands(f.Budget), written, total, s.url("/llms.txt")))
}

// fullPage is one page as it stands in the whole text.
func (s *Site) fullPage(p *Page) string {
	body, err := s.markdown(p, toMirrors)
	if err != nil {
		body = "# " + escapeText(p.Title) + "\n\nThis page could not be read.\n"
	}
	return "\n---\n\nSource: " + s.url(p.Path) + "\n\n" + body
}

// eachFull walks the pages that hold text of their own: documents and knowledge
// bases.
func (s *Site) eachFull(section string, do func(*Page) error) error {
	for i := range s.pages.list {
		p := &s.pages.list[i]
		if p.Kind == KindHome || p.Kind == KindCollection && !s.isKnowledge(p) || !inSection(p, section) {
			continue
		}
		if err := do(p); err != nil {
			return err
		}
	}
	return nil
}

func inSection(p *Page, section string) bool {
	section = strings.Trim(section, "/")
	at := p.Collection
	if p.DocPath != "" {
		at = path.Join(at, p.DocPath)
	}
	return section == "" || at == section || strings.HasPrefix(at, section+"/")
}

// checkSection refuses a section without pages and names the nearest.
func (s *Site) checkSection(section string) error {
	if section == "" {
		return nil
	}
	known := map[string]bool{}
	for i := range s.pages.list {
		p := &s.pages.list[i]
		if p.Kind != KindHome && inSection(p, section) {
			return nil
		}
		known[p.Collection] = true
		if folder, _ := firstFolder(p.DocPath); folder != "" {
			known[p.Collection+"/"+folder] = true
		}
	}
	delete(known, "")
	names := sorted(known)
	return evergreen.Errorf(evergreen.NotFound, "no section is named %q", section).
		Near(text.Nearest(section, names, 3)...).
		Fix("Use a collection's name, or collection/folder.")
}

// FullTokens is the size of llms-full.txt in tokens, page by page; it is
// measured once.
func (s *Site) FullTokens() int {
	n, err := s.full()
	if err != nil {
		return 0
	}
	return n
}

func (s *Site) countFull() (int, error) {
	c := &tokenWriter{count: s.o.Count}
	err := s.WriteFull(c, Full{})
	return c.tokens, err
}

// tokenWriter counts the tokens of what is written, piece by piece.
type tokenWriter struct {
	count  text.Estimator
	tokens int
}

func (c *tokenWriter) Write(p []byte) (int, error) {
	c.tokens += c.count(string(p))
	return len(p), nil
}
