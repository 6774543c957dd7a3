package mcp

import (
	"context"
	"math"
	"strings"

	"evergreen"
)

// getSectionContext reads a section with what surrounds it.
func getSectionContext() tool {
	return tool{
		name: "get_section_context", title: "Get section in context", set: SetDocs,
		description: "A section's text with its ancestors' and children's titles and its neighbours.",
		schema: `{"type":"object","properties":{"id":{"type":"string"},` +
			`"max_bytes":{"type":"integer","default":8000,"description":"Of the whole answer; 0: all"}},"required":["id"]}`,
		example: `{"id":"react::learn/state.md::state/setting-state#2"}`,
		run:     runGetSectionContext,
	}
}

type contextMeta struct {
	sectionMeta
	Context evergreen.SectionContext `json:"context"`
}

func runGetSectionContext(ctx context.Context, s *Server, c *call) (answer, error) {
	id := c.id()
	limit := byteLimit(c.number("max_bytes", defaultBytes, math.MinInt32, math.MaxInt32))
	if err := c.fault(); err != nil {
		return answer{}, err
	}
	room := max(limit, floorBytes)
	sec, err := s.readSection(ctx, evergreen.SectionRequest{ID: id, MaxBytes: limit, Context: true})
	if err != nil {
		return answer{}, err
	}
	around := evergreen.SectionContext{}
	if sec.Context != nil {
		around = *sec.Context
	}
	l := langOf("", c.accept)
	head := sectionHead(l, sec, room/4) + ancestorsLine(l, around, room/8)
	tail, children := surroundings(l, around, room/3)
	text, shown := fit(room, len(sec.Markdown), byteSize, func(n int) string {
		body := cutLine(sec.Markdown, n)
		if next := after(sec, len(body)); next > 0 {
			return head + body + "\n\n> " + restNote(l, sec, next) + "\n" + tail
		}
		return head + body + "\n" + tail
	})
	next := after(sec, len(cutLine(sec.Markdown, shown)))
	around.Ancestors, around.Children = nonNil(around.Ancestors), nonNil(around.Children[:children])
	return answer{text: text, meta: contextMeta{s.sectionMeta(sec, next), around}}, nil
}

func ancestorsLine(l lang, around evergreen.SectionContext, room int) string {
	if len(around.Ancestors) == 0 {
		return ""
	}
	titles := make([]string, 0, len(around.Ancestors))
	for _, a := range around.Ancestors {
		titles = append(titles, oneLine(a.Title))
	}
	return clip(l.say("> In: %s", "> 位于：%s", strings.Join(titles, " > ")), room, byteSize) + "\n\n"
}

// surroundings lists neighbours and as many children as fit into room bytes,
// and says how many those are.
func surroundings(l lang, around evergreen.SectionContext, room int) (text string, children int) {
	neighbours := neighbour(l.say("Previous", "上一节"), around.Previous) + neighbour(l.say("Next", "下一节"), around.Next)
	if len(neighbours) > room*2/3 {
		neighbours = clip(neighbours, room*2/3, byteSize) + "\n"
	}
	head := "\n" + neighbours
	if len(around.Children) > 0 {
		head += l.say("Children (%d):\n", "子章节（%d）：\n", len(around.Children))
	}
	return fitList(room, len(around.Children), byteSize, head,
		func(i int) string {
			return "- " + oneLine(around.Children[i].Title) + " `" + around.Children[i].ID + "`\n"
		},
		func(n int) string {
			if n == len(around.Children) {
				return ""
			}
			return l.say("%d more: get_toc lists them\n", "另有 %d 个：见 get_toc\n", len(around.Children)-n)
		})
}

func neighbour(label string, r *evergreen.SectionRef) string {
	if r == nil {
		return ""
	}
	return label + ": " + oneLine(r.Title) + " `" + r.ID + "`\n"
}
