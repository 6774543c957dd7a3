package mcp

import (
	"context"
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
	id := c.ID()
	limit, room := c.maxBytes()
	if err := c.Fault(); err != nil {
		return answer{}, err
	}
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
			return head + note(body, restNote(l, sec, next)) + "\n" + tail
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

// surroundings lists the neighbours and then the children, as many as fit into
// room bytes, and says how many of the children those are.
func surroundings(l lang, around evergreen.SectionContext, room int) (text string, children int) {
	var lines []string
	add := func(label string, r *evergreen.SectionRef) {
		if r != nil {
			lines = append(lines, label+reference(*r))
		}
	}
	add(l.say("Previous: ", "上一节："), around.Previous)
	add(l.say("Next: ", "下一节："), around.Next)
	neighbours := len(lines)
	for i, c := range around.Children {
		line := "- " + reference(c)
		if i == 0 {
			line = l.say("Children (%d):\n", "子章节（%d）：\n", len(around.Children)) + line
		}
		lines = append(lines, line)
	}
	text, shown := fitList(room, len(lines), byteSize, "\n",
		func(i int) string { return lines[i] },
		func(n int) string {
			if n == len(lines) {
				return ""
			}
			return l.say("%d more around it: see get_toc\n", "周围另有 %d 节：见 get_toc\n", len(lines)-n)
		})
	return text, max(0, shown-neighbours)
}

func reference(r evergreen.SectionRef) string { return oneLine(r.Title) + " `" + r.ID + "`\n" }
