package mcp

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"evergreen"
	"evergreen/internal/pack"
)

// listRepos names the collections, and to those who may start any, the jobs.
func listRepos() tool {
	return tool{
		name: "list_repos", title: "List collections", set: SetDocs,
		description: "Lists the indexed collections of documents with size, date and source, and indexing jobs.",
		schema: `{"type":"object","properties":{"cursor":{"type":"string"},` +
			`"budget":{"type":"integer","default":1000}}}`,
		example: `{}`,
		run:     runListRepos,
	}
}

type reposMeta struct {
	Collections []repoMeta `json:"collections"`
	Jobs        []jobMeta  `json:"jobs,omitempty"`
	Total       int        `json:"total"`
	Truncated   bool       `json:"truncated"`
	NextCursor  string     `json:"next_cursor,omitempty"`

	Warnings []evergreen.Warning `json:"warnings,omitempty"`
}

type repoMeta struct {
	Name      string `json:"collection"`
	Documents int    `json:"documents"`
	Sections  int    `json:"sections"`
	Tokens    int    `json:"tokens"`
	IndexedAt string `json:"indexed_at,omitempty"`
}

func runListRepos(ctx context.Context, s *Server, c *call) (answer, error) {
	budget := c.Budget(listBudget)
	cursor := c.Text("cursor")
	if err := c.Fault(); err != nil {
		return answer{}, err
	}
	after, err := splitKey(cursor, 1)
	if err != nil {
		return answer{}, err
	}
	all, err := s.engine.Collections(ctx)
	if err != nil {
		return answer{}, err
	}
	l := c.lang("")
	jobs, metas := "", []jobMeta(nil)
	if cursor == "" {
		jobs, metas = s.shownJobs(l, budget/jobShare)
	}
	var warnings []evergreen.Warning
	for _, d := range s.engine.Damaged(ctx) {
		warnings = append(warnings, d.Warning())
	}
	damaged := missingNote(l, warnings)
	if len(all) == 0 {
		if damaged == "" {
			damaged = s.emptyLibrary(l)
		}
		return answer{text: clip(jobs+damaged, budget, s.count), meta: reposMeta{Collections: []repoMeta{}, Jobs: metas, Warnings: warnings}}, nil
	}
	slices.SortFunc(all, func(a, b evergreen.Collection) int { return strings.Compare(a.Name, b.Name) })
	page := slices.DeleteFunc(slices.Clone(all), func(c evergreen.Collection) bool { return c.Name <= after[0] })
	text, shown := fitList(budget, len(page), s.count, jobs+l.say("# Collections: %d\n", "# 集合：%d 个\n", len(all))+damaged,
		func(i int) string { return s.repoLine(l, page[i]) },
		func(n int) string { return s.moreRepos(l, page, n) })
	m := reposMeta{Collections: []repoMeta{}, Jobs: metas, Total: len(all), Truncated: shown < len(page), Warnings: warnings}
	for _, c := range page[:shown] {
		m.Collections = append(m.Collections, repoMetaOf(c))
	}
	if m.Truncated && shown > 0 {
		m.NextCursor = keyCursor(page[shown-1].Name)
	}
	return answer{text: text, meta: m}, nil
}

// missingNote is the line about damaged collections, "" without any.
func missingNote(l lang, warnings []evergreen.Warning) string {
	if note := pack.Missing(warnings, string(l)); note != "" {
		return note + "\n"
	}
	return ""
}

func (s *Server) emptyLibrary(l lang) string {
	if _, ok := s.tools["index_local"]; ok {
		return l.say("The library is empty. Add a folder: %s, or a site: %s", "资料库为空。添加文件夹：%s，或网站：%s",
			`index_local {"path":"./docs"}`, `index_url {"url":"https://docs.example.com/"}`)
	}
	return l.say("The library is empty.", "资料库为空。")
}

func (s *Server) repoLine(l lang, c evergreen.Collection) string {
	line := "- **" + clip(oneLine(c.Name), echoTokens, s.count) + "** · " + l.say(
		"%d documents · %d sections · %d tokens", "%d 个文档 · %d 个章节 · %d token", c.Documents, c.Sections, c.Tokens)
	if !c.IndexedAt.IsZero() {
		line += l.say(" · indexed %s", " · 索引于 %s", c.IndexedAt.UTC().Format("2006-01-02"))
	}
	if from := s.sourceName(c.Source); from != "" && from != c.Name {
		line += " · " + clip(oneLine(from), echoTokens, s.count)
	}
	return line + "\n"
}

func (s *Server) moreRepos(l lang, page []evergreen.Collection, n int) string {
	switch {
	case n == len(page):
		return ""
	case n == 0:
		return l.tooSmall()
	}
	return l.say("%d left out. Go on: %s", "还有 %d 个未显示。继续：%s", len(page)-n,
		callText("list_repos", map[string]string{"cursor": keyCursor(page[n-1].Name)}))
}

func repoMetaOf(c evergreen.Collection) repoMeta {
	m := repoMeta{Name: c.Name, Documents: c.Documents, Sections: c.Sections, Tokens: c.Tokens}
	if !c.IndexedAt.IsZero() {
		m.IndexedAt = c.IndexedAt.UTC().Format("2006-01-02T15:04:05Z")
	}
	return m
}

// sourceName shows URLs, and local paths whole only to those who may index:
// others learn the last element, not how this machine's folders are laid out.
func (s *Server) sourceName(source string) string {
	if strings.Contains(source, "://") || slices.Contains(s.options.Sets, SetAdmin) {
		return source
	}
	if source == "" {
		return ""
	}
	return path.Base(filepath.ToSlash(source))
}
