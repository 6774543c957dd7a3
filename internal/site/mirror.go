package site

// This file writes the Markdown of pages: of documents from their text, of the
// home page and collections from what they list.

import (
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"evergreen/internal/pack"
)

// mirror is the Markdown twin of a page.
func (s *Site) mirror(p *Page) Resource {
	return Resource{Path: p.mirror(), Aliases: p.Mirrors()[1:], Type: typeMarkdown, Modified: s.modified(p), Page: p,
		write: func(w io.Writer) error {
			body, err := s.markdown(p, toMirrors)
			if err != nil {
				return err
			}
			return writeAll(w, []byte(s.frontMatter(p)+s.pointer(p)+"\n"+body))
		}}
}

// modified is the time of the page's last change.
func (s *Site) modified(p *Page) time.Time {
	if t, err := time.Parse(time.DateOnly, p.updated); err == nil {
		return t
	}
	return s.snap.Time().UTC().Truncate(time.Second)
}

// Markdown is the text of a page for rendering: title first, links leading to
// pages, without the pointer that mirrors begin with.
func (s *Site) Markdown(p Page) (string, error) { return s.markdown(&p, toPages) }

// pointer tells where the index and the page itself are.
func (s *Site) pointer(p *Page) string {
	name := path.Base(p.Path)
	if name == "/" || name == "." || strings.HasSuffix(p.Path, "/") {
		name = p.Path
	}
	index, page := "[/llms.txt]("+s.url("/llms.txt")+")", "["+escapeText(name)+"]("+markdownTarget(s.url(p.Path))+")"
	return s.say("> Index of this site for agents: "+index+". This page as HTML: "+page+".\n",
		"> 供 Agent 使用的本站索引："+index+"。本页的 HTML 版："+page+"。\n")
}

func (s *Site) frontMatter(p *Page) string {
	if !s.o.FrontMatter {
		return ""
	}
	front := "---\ntitle: " + yamlText(p.Title) + "\nurl: " + s.url(p.Path) + "\n"
	if p.updated != "" {
		front += "updated: " + p.updated + "\n"
	}
	return front + "---\n\n"
}

// markdown is the page's text from its title on.
func (s *Site) markdown(p *Page, form linkForm) (string, error) {
	switch p.Kind {
	case KindHome:
		return s.homeText(p, form), nil
	case KindCollection:
		return s.collectionText(p, form)
	}
	return s.documentText(p, form)
}

// documentText is a document's own text under its title.
func (s *Site) documentText(p *Page, form linkForm) (string, error) {
	stored, err := s.snap.Text(p.document())
	if err != nil {
		return "", fmt.Errorf("read %s: %w", p.DocPath, err)
	}
	head := min(max(p.headBytes, 0), len(stored))
	body := strings.ReplaceAll(strings.ToValidUTF8(string(stored[head:]), "\uFFFD"), "\r\n", "\n")
	title := "# " + escapeText(p.Title)
	if p.plain {
		return title + "\n\n" + fenced(body), nil
	}
	own, rest := takeTitle(withoutScripts(body), p.Title)
	if own != "" {
		title = own
	}
	text := title + "\n"
	if rest = closeFence(strings.Trim(rest, "\n")); strings.TrimSpace(rest) != "" {
		text += "\n" + rest + "\n"
	}
	return rewriteLinks(text, s.linker(p, form)), nil
}

// withoutScripts leaves out the script and style elements that pages of
// component frameworks hold: they run when a page is built and say nothing.
func withoutScripts(body string) string {
	if !strings.Contains(body, "<script") && !strings.Contains(body, "<style") {
		return body
	}
	var b strings.Builder
	fence, end := "", ""
	for line := range strings.Lines(body) {
		switch {
		case end != "":
			if strings.Contains(line, end) {
				end = ""
			}
			continue
		case fence != "":
			if closesFence(line, fence) {
				fence = ""
			}
		default:
			fence = fenceOf(line)
			for _, name := range []string{"script", "style"} {
				if strings.HasPrefix(line, "<"+name) && end == "" {
					end = "</" + name + ">"
				}
			}
			if end != "" {
				if strings.Contains(line, end) {
					end = ""
				}
				continue
			}
		}
		b.WriteString(line)
	}
	if end != "" {
		return body // an element that never ends is text
	}
	return b.String()
}

// takeTitle takes the page's own heading of level 1 off its text, so that it
// can stand first. own is "" when the text has none.
func takeTitle(body, title string) (own, rest string) {
	fence := ""
	for at := 0; at < len(body); {
		end := len(body)
		if n := strings.IndexByte(body[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		line := strings.TrimRight(body[at:end], " \t\n")
		switch {
		case fence != "":
			if closesFence(line, fence) {
				fence = ""
			}
		case fenceOf(line) != "":
			fence = fenceOf(line)
		case strings.HasPrefix(line, "# "):
			first := strings.TrimSpace(body[:at]) == ""
			if first || plain(line[2:]) == title {
				return line, body[:at] + body[end:]
			}
			return "", body
		case strings.HasPrefix(line, "##"):
			return "", body
		case underlined(body[end:]) && line != "" && strings.TrimSpace(body[:at]) == "":
			_, after, _ := strings.Cut(body[end:], "\n")
			return "# " + line, body[:at] + after
		}
		at = end
	}
	return "", body
}

// underlined reports whether text begins with the line of equals signs that
// makes the line before it a heading.
func underlined(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	line = strings.TrimSpace(line)
	return len(line) >= 2 && strings.Trim(line, "=") == ""
}

// closeFence closes a code block that the text leaves open.
func closeFence(text string) string {
	fence := ""
	for line := range strings.Lines(text) {
		if fence == "" {
			fence = fenceOf(line)
		} else if closesFence(line, fence) {
			fence = ""
		}
	}
	if fence == "" {
		return text
	}
	return strings.TrimRight(text, "\n") + "\n" + fence
}

// fenced writes plain text as a code block.
func fenced(body string) string {
	fence := "```"
	for strings.Contains(body, fence) {
		fence += "`"
	}
	return fence + "text\n" + strings.TrimRight(body, "\n") + "\n" + fence + "\n"
}

// homeText is the start page: what the site is and what it holds.
func (s *Site) homeText(p *Page, form linkForm) string {
	var b strings.Builder
	b.WriteString("# " + escapeText(p.Title) + "\n\n" + s.o.Summary + "\n")
	if s.o.Home != "" {
		b.WriteString("\n" + strings.Trim(s.o.Home, "\n") + "\n")
		return rewriteLinks(closeFence(b.String()), s.linker(p, form))
	}
	var lines []string
	for i := range s.pages.list {
		c := &s.pages.list[i]
		if c.Kind != KindCollection {
			continue
		}
		at := i
		if stand, ok := s.pages.alias(c.Path); ok {
			at = stand // its index document
		}
		lines = append(lines, s.listLine(at, form, c.Title, s.collectionSentence(c)))
	}
	if len(lines) > 0 {
		b.WriteString("\n## " + s.say("Collections", "集合") + "\n\n" + strings.Join(lines, ""))
	}
	b.WriteString("\n## " + s.say("For agents", "供 Agent 使用") + "\n\n")
	for _, e := range s.EntryPoints() {
		b.WriteString("- `" + e.Path + "`: " + s.say(e.English, e.Chinese) + "\n")
	}
	return b.String()
}

// collectionText is a collection's own page: its documents, or the entries of a
// knowledge base in full.
func (s *Site) collectionText(p *Page, form linkForm) (string, error) {
	var b strings.Builder
	b.WriteString("# " + escapeText(p.Title) + "\n\n" + s.collectionSentence(p) + "\n")
	var lines []string
	for i := range s.pages.list {
		d := &s.pages.list[i]
		if d.Kind != KindDocument || d.Collection != p.Collection {
			continue
		}
		if len(lines) == maxListed {
			lines = append(lines, "- "+s.say("More", "更多")+": ["+s.sectionFile(p.Collection)+"]("+markdownTarget(s.url(s.sectionFile(p.Collection)))+")\n")
			break
		}
		lines = append(lines, s.listLine(i, form, d.Title, s.sentence(d)))
	}
	if len(lines) > 0 {
		b.WriteString("\n## " + s.say("Documents", "文档") + "\n\n" + strings.Join(lines, ""))
	}
	for _, e := range s.snap.Entries() {
		if e.Collection != p.Collection {
			continue
		}
		b.WriteString("\n## " + pack.Marker(e) + " " + escapeText(oneLine(e.Title)) + "\n\n")
		if e.Summary != "" && e.Summary != e.Body {
			b.WriteString(oneLine(e.Summary) + "\n\n")
		}
		b.WriteString(rewriteLinks(closeFence(strings.TrimSpace(e.Body)), s.linker(p, form)) + "\n")
	}
	return b.String(), nil
}

// collectionSentence says how much a collection holds.
func (s *Site) collectionSentence(p *Page) string {
	for _, c := range s.snap.Collections() {
		switch {
		case c.Name != p.Collection:
		case c.Knowledge:
			return s.say(fmt.Sprintf("%s with ids to cite, about %s tokens.", countOf(c.Sections, "entry"), roughly(c.Tokens)),
				fmt.Sprintf("%s 个带编号可引用的条目，约 %s token。", thousands(c.Sections), roughly(c.Tokens)))
		default:
			return s.say(fmt.Sprintf("%s in %s, about %s tokens.", countOf(c.Documents, "document"), countOf(c.Sections, "section"), roughly(c.Tokens)),
				fmt.Sprintf("%s 篇文档，%s 个小节，约 %s token。", thousands(c.Documents), thousands(c.Sections), roughly(c.Tokens)))
		}
	}
	return ""
}

func (s *Site) listLine(i int, form linkForm, title, sentence string) string {
	line := "- [" + escapeText(title) + "](" + markdownTarget(s.pageTarget(i, form, "")) + ")"
	if sentence != "" {
		line += ": " + sentence
	}
	return line + "\n"
}

// escapeText keeps a title from being read as markup where it stands in a
// heading or link.
func escapeText(s string) string {
	return textEscaper.Replace(s)
}
