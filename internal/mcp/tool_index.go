package mcp

import (
	"context"
	"slices"
	"strings"

	"evergreen"
	"evergreen/internal/text"
)

// indexLocal adds a folder or file to the library, or refreshes it.
func indexLocal() tool {
	return tool{
		name: "index_local", title: "Index a folder", set: SetAdmin, effect: adds,
		description: "Indexes a local folder or file of documents below the allowed roots, or refreshes it.",
		schema: `{"type":"object","properties":{"path":{"type":"string"},"name":{"type":"string","description":"Collection"},` +
			`"include":{"type":"array","items":{"type":"string"},"description":"Globs"},` +
			`"exclude":{"type":"array","items":{"type":"string"}}},"required":["path"]}`,
		example: `{"path":"./docs"}`,
		run:     runIndexLocal,
	}
}

type indexMeta struct {
	Collection string           `json:"collection"`
	Documents  evergreen.Counts `json:"documents"`
	Sections   int              `json:"sections"`
	Tokens     int              `json:"tokens"`
	Truncated  bool             `json:"truncated"` // the run met a cap
	Skipped    []evergreen.Skip `json:"skipped"`   // those the text names
}

func runIndexLocal(ctx context.Context, s *Server, c *call) (answer, error) {
	path, name := c.Required("path"), strings.TrimSpace(c.Text("name"))
	include, exclude := c.List("include"), c.List("exclude")
	budget := c.Budget(listBudget)
	if err := c.Fault(); err != nil {
		return answer{}, err
	}
	resolved, kind, err := s.allowedPath(ctx, path)
	if err != nil {
		return answer{}, err
	}
	r := evergreen.IndexRequest{Source: evergreen.Source{Kind: kind, Location: resolved, Include: include, Exclude: exclude}, Name: name}
	s.options.Limits.Bound(&r, c.client())
	report, err := s.engine.Index(ctx, r, s.progress(ctx, c.request))
	s.Changed(ctx)
	if err != nil {
		return answer{}, err
	}
	return s.indexAnswer(langOf("", c.accept), report, budget), nil
}

func (s *Server) indexAnswer(l lang, r evergreen.IndexReport, budget int) answer {
	d := r.Documents
	head := l.say("Indexed **%s**: %d documents found, %d new or changed, %d unchanged, %d removed, %d skipped; %d sections, %d tokens.\n",
		"已索引 **%s**：发现 %d 个文档，新增或变更 %d，未变 %d，移除 %d，跳过 %d；共 %d 个章节，%d token。\n",
		s.echo(r.Collection), d.Discovered, d.Indexed, d.Unchanged, d.Removed, d.Skipped, r.Sections, r.Tokens)
	if r.Truncated {
		head += l.say("A cap was met: not everything was indexed.\n", "达到上限：未全部索引。\n")
	}
	for _, w := range r.Warnings {
		head += "- " + s.echo(w) + "\n"
	}
	head = clip(head, budget*3/4, s.count)
	text, shown := fitList(budget, len(r.Skipped), s.count, head,
		func(i int) string {
			return "- " + s.echo(r.Skipped[i].Path) + ": " + s.echo(r.Skipped[i].Reason) + "\n"
		},
		func(n int) string {
			if n == len(r.Skipped) {
				return ""
			}
			return l.say("%d more skipped; raise budget to see them.", "另有 %d 个被跳过；提高 budget 可查看。", len(r.Skipped)-n)
		})
	return answer{text: text, meta: indexMeta{
		r.Collection, d, r.Sections, r.Tokens, r.Truncated, nonNil(r.Skipped[:shown]),
	}}
}

// deleteIndex removes a collection; an absent one is success.
func deleteIndex() tool {
	return tool{
		name: "delete_index", title: "Delete a collection", set: SetAdmin, effect: destroys,
		description: "Removes a collection from the library; its sources stay.",
		schema:      `{"type":"object","properties":{"repo":{"type":"string","description":"Collection"}},"required":["repo"]}`,
		example:     `{"repo":"old-docs"}`,
		run:         runDeleteIndex,
	}
}

type deleteMeta struct {
	Collection string   `json:"collection"`
	Deleted    bool     `json:"deleted"`
	Nearest    []string `json:"nearest,omitempty"`
}

func runDeleteIndex(ctx context.Context, s *Server, c *call) (answer, error) {
	name := strings.TrimSpace(c.Required("repo"))
	if err := c.Fault(); err != nil {
		return answer{}, err
	}
	deleted, err := s.engine.Delete(ctx, name)
	if err != nil {
		return answer{}, err
	}
	l := langOf("", c.accept)
	m := deleteMeta{Collection: brief(name), Deleted: deleted}
	if deleted {
		s.Changed(ctx)
		return answer{text: l.say("Deleted **%s**.", "已删除 **%s**。", s.echo(name)), meta: m}, nil
	}
	all, err := s.engine.Collections(ctx)
	if err != nil {
		return answer{}, err
	}
	names := make([]string, 0, len(all))
	for _, c := range all {
		names = append(names, c.Name)
	}
	slices.Sort(names)
	m.Nearest = text.Nearest(name, names, nearestNames)
	parts := []string{l.say("There is no collection **%s**; nothing was deleted.", "没有名为 **%s** 的集合，未删除任何内容。", s.echo(name))}
	if len(m.Nearest) > 0 {
		parts = append(parts, l.say("Nearest: %s", "最接近：%s", strings.Join(m.Nearest, ", ")))
	}
	return answer{text: s.lines(faultBudget, parts), meta: m}, nil
}
