package site

// This file writes llms.txt, for the whole site and for each collection, and
// cuts what is too long into files of one form.

import (
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"evergreen/internal/llmstxt"
)

// indexFile is a written index beside the root.
type indexFile struct {
	path string
	body []byte
}

// indexFiles are all indexes of the site.
type indexFiles struct {
	root  []byte
	files []indexFile // collections and their parts, in order
}

func (s *Site) indexType() string {
	if s.o.PlainText {
		return typeText
	}
	return typeMarkdown
}

func (s *Site) writeRoot(w io.Writer) error { return writeAll(w, s.index().root) }

func (s *Site) indexFile(path string) (Resource, bool) {
	for _, f := range s.index().files {
		if f.path == path {
			return Resource{Path: path, Type: s.indexType(), Modified: s.snap.Time().UTC(),
				write: func(w io.Writer) error { return writeAll(w, f.body) }}, true
		}
	}
	return Resource{}, false
}

// sectionFile is the path of a collection's own index.
func (s *Site) sectionFile(collection string) string { return docsPrefix + collection + "/llms.txt" }

// writeIndex writes the root and the collections' indexes. A root that is too
// long links to the files that list the pages, all of them, so that a reader is
// one step from every page.
func (s *Site) writeIndex() indexFiles {
	var out indexFiles
	var split []llmstxt.Section // the root, should it be too long
	whole := &llmstxt.File{Title: s.o.Name, Summary: s.o.Summary, Notes: s.readingOrder()}
	docs := s.documentCollections()
	for _, c := range s.collectionPages() {
		groups := s.groups(c)
		files, leaves := s.collectionIndex(c, groups)
		out.files = append(out.files, files...)
		split = append(split, llmstxt.Section{Title: c.Title, Links: leaves})
		if docs == 1 && !s.isKnowledge(c) {
			for _, g := range groups {
				whole.Sections = append(whole.Sections, s.section(g))
			}
			continue
		}
		all := group{title: c.Title}
		for _, g := range groups {
			all.pages = append(all.pages, g.pages...)
		}
		whole.Sections = append(whole.Sections, s.section(all))
	}
	whole.Sections = append(s.withHome(whole.Sections), s.optional())
	out.root = whole.Format()
	if utf8.RuneCount(out.root) > llmstxt.MaxRunes {
		root := *whole
		root.Sections = append(s.withHome(split), s.optional())
		out.root = root.Format()
	}
	return out
}

// withHome puts the home page first.
func (s *Site) withHome(sections []llmstxt.Section) []llmstxt.Section {
	home := s.link(0)
	if len(sections) == 0 {
		return []llmstxt.Section{{Title: s.say("Pages", "页面"), Links: []llmstxt.Link{home}}}
	}
	sections[0].Links = append([]llmstxt.Link{home}, sections[0].Links...)
	return sections
}

// collectionIndex writes a collection's own index, cut into parts when it is
// too long. leaves are the links to the files that list pages.
func (s *Site) collectionIndex(c *Page, groups []group) (files []indexFile, leaves []llmstxt.Link) {
	file := &llmstxt.File{Title: s.o.Name + ": " + c.Title, Summary: s.collectionSentence(c), Notes: s.readingOrder()}
	byTitle := map[string]group{}
	for _, g := range groups {
		file.Sections = append(file.Sections, s.section(g))
		byTitle[g.title] = g
	}
	root, parts := file.Split(llmstxt.MaxRunes, func(section llmstxt.Section, n int) llmstxt.Link {
		return s.partLink(byTitle[section.Title], n)
	})
	own := s.sectionFile(c.Collection)
	files = append(files, indexFile{own, root.Format()})
	if parts == nil {
		return files, []llmstxt.Link{{Name: c.Title, URL: s.url(own), Sentence: s.collectionSentence(c)}}
	}
	for _, section := range root.Sections {
		leaves = append(leaves, section.Links...)
	}
	for _, part := range parts {
		name, err := url.PathUnescape(strings.TrimPrefix(part.URL, s.base))
		if err != nil {
			continue // partLink escaped it
		}
		files = append(files, indexFile{name, part.File.Format()})
	}
	return files, leaves
}

// partLink is where the nth file of a group stands and what it is called.
func (s *Site) partLink(g group, n int) llmstxt.Link {
	file, title := "llms.txt", g.title
	if n > 0 || g.top {
		file = fmt.Sprintf("llms-%d.txt", n+1)
	}
	if n > 0 {
		title = fmt.Sprintf("%s (%d)", g.title, n+1)
	}
	sentence := s.say("Index of the pages on "+g.title+".", g.title+" 的页面索引。")
	if n > 0 {
		sentence = fmt.Sprintf(s.say("Index of more pages on %s, part %d.", "%s 的更多页面，第 %d 部分。"), g.title, n+1)
	}
	return llmstxt.Link{Name: title, URL: s.url(path.Join(g.dir, file)), Sentence: sentence}
}

// collectionPages are the collections in the order of the site, knowledge bases
// last.
func (s *Site) collectionPages() []*Page {
	var docs, knowledge []*Page
	for i := range s.pages.list {
		p := &s.pages.list[i]
		switch {
		case p.Collection == "" || i > 0 && s.pages.list[i-1].Collection == p.Collection:
		case s.isKnowledge(p):
			knowledge = append(knowledge, s.collectionHead(p))
		default:
			docs = append(docs, s.collectionHead(p))
		}
	}
	return append(docs, knowledge...)
}

// collectionHead is a page that speaks for p's collection.
func (s *Site) collectionHead(p *Page) *Page {
	for _, c := range s.snap.Collections() {
		if c.Name == p.Collection {
			return &Page{Kind: KindCollection, Collection: c.Name, Title: collectionTitle(c, s.o)}
		}
	}
	return p
}

func (s *Site) documentCollections() int {
	n := 0
	for _, c := range s.snap.Collections() {
		if !c.Knowledge {
			n++
		}
	}
	return n
}

func (s *Site) isKnowledge(p *Page) bool {
	for _, c := range s.snap.Collections() {
		if c.Name == p.Collection {
			return c.Knowledge
		}
	}
	return false
}

func (s *Site) section(g group) llmstxt.Section {
	section := llmstxt.Section{Title: g.title}
	for _, i := range g.pages {
		section.Links = append(section.Links, s.link(i))
	}
	return section
}

// link is a page's line: its mirror and its sentence.
func (s *Site) link(i int) llmstxt.Link {
	p := &s.pages.list[i]
	return llmstxt.Link{Name: p.Title, URL: s.pageTarget(i, toMirrors, ""), Sentence: s.sentence(p)}
}

// optional holds what a reader short of space may skip.
func (s *Site) optional() llmstxt.Section {
	links := []llmstxt.Link{{Name: s.say("Whole text", "全文"), URL: s.url("/llms-full.txt"),
		Sentence: s.say("All pages in one file, about "+roughly(s.FullTokens())+" tokens.", "全部页面合为一个文件，约 "+roughly(s.FullTokens())+" token。")}}
	return llmstxt.Section{Title: "Optional", Optional: true, Links: append(links, s.o.Optional...)}
}

// readingOrder is the paragraph that tells an agent where to begin.
func (s *Site) readingOrder() string {
	api, mcp := "`"+s.url(contextPath)+"?topic=QUERY&budget=2000`", "`"+s.url(mcpPath)+"`"
	tool := s.o.MCP != nil && s.tool("search_context")
	var ask string
	switch {
	case s.api() && tool:
		ask = s.say("ask "+api+" (or the MCP tool `search_context` at "+mcp+") first",
			"先问 "+api+"（或 "+mcp+" 上的 MCP 工具 `search_context`）")
	case s.api():
		ask = s.say("ask "+api+" first", "先问 "+api)
	case tool:
		ask = s.say("ask the MCP tool `search_context` at "+mcp+" first", "先问 "+mcp+" 上的 MCP 工具 `search_context`")
	default:
		return s.say("Reading order: choose pages by their sentences below and read their `.html.md`; `"+s.url("/context.json")+
			"` holds the same text in entries with ids, `llms-full.txt` everything in one file. Cite each claim with its `[ID]`.",
			"阅读顺序：按下面的说明挑选页面，读它的 `.html.md`；`"+s.url("/context.json")+
				"` 是同样内容的带编号条目，`llms-full.txt` 是一个文件里的全文。每个断言都用 `[ID]` 标注来源。")
	}
	return s.say("Reading order: "+ask+"; it returns cited passages within the budget. When `truncated` is true, raise the budget or narrow the topic. "+
		"Read a page's `.html.md` below only for whole-page work, and `llms-full.txt` only when everything must be in context. Cite each claim with its `[ID]`.",
		"阅读顺序："+ask+"，它在预算内返回带引用的段落。`truncated` 为 true 时，提高预算或收窄主题。"+
			"只有需要整页时才读下面的 `.html.md`，只有必须全部载入时才读 `llms-full.txt`。每个断言都用 `[ID]` 标注来源。")
}
