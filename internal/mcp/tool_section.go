package mcp

import (
	"context"
	"errors"
	"math"
	"strings"
	"unicode/utf8"

	"evergreen"
	"evergreen/internal/pack"
)

// getSection reads one or more sections; max_bytes bounds the whole answer.
func getSection() tool {
	return tool{
		name: "get_section", title: "Get section", set: SetDocs,
		description: "Text of one or more sections by id. max_bytes bounds the whole answer; offset goes on in the first section.",
		schema: `{"type":"object","properties":{"id":{"type":"string"},"ids":{"type":"array","items":{"type":"string"}},` +
			`"max_bytes":{"type":"integer","default":8000,"description":"0: all"},` +
			`"offset":{"type":"integer","default":0,"description":"Bytes"},` +
			`"verify":{"type":"boolean","default":false,"description":"Check the text against its hash"}}}`,
		example: `{"id":"react::learn/state.md::state/setting-state#2"}`,
		run:     runGetSection,
	}
}

type sectionsMeta struct {
	Sections  []sectionMeta `json:"sections"`
	Unknown   []string      `json:"unknown,omitempty"` // ids that name nothing
	Truncated bool          `json:"truncated"`
	Next      *sectionsNext `json:"next,omitempty"` // arguments that go on
}

type sectionsNext struct {
	IDs    []string `json:"ids"`
	Offset int      `json:"offset,omitempty"`
}

type sectionMeta struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	Level       int    `json:"level"`
	ParentID    string `json:"parent_id,omitempty"`
	Marker      string `json:"marker,omitempty"`
	URL         string `json:"url,omitempty"`
	Source      string `json:"source,omitempty"`
	FetchedAt   string `json:"fetched_at,omitempty"`
	Tokens      int    `json:"tokens"`
	Truncated   bool   `json:"truncated"`
	TotalBytes  int    `json:"total_bytes"`
	NextOffset  int    `json:"next_offset,omitempty"`
	Verified    *bool  `json:"verified,omitempty"`
	ContentHash string `json:"content_hash,omitempty"`
	Hint        string `json:"hint,omitempty"`

	Warnings []evergreen.Warning `json:"warnings,omitempty"`
}

// batch is one get_section call while its answer grows.
type batch struct {
	server *Server
	ids    []string
	verify bool
	offset int // into the first section
	room   int // bytes left of the whole answer
	body   int // bytes left of sections' own text
	parts  []string
	meta   sectionsMeta
	err    error // of the first id that could not be read
}

func runGetSection(ctx context.Context, s *Server, c *call) (answer, error) {
	ids := append(c.List("id"), c.List("ids")...)
	if len(ids) == 0 {
		c.Missing("id")
	}
	for _, id := range ids {
		c.CheckID(id)
	}
	body, room := c.maxBytes()
	b := &batch{
		server: s, ids: ids, verify: c.Flag("verify"), offset: c.Number("offset", 0, 0, math.MaxInt32),
		room: room, body: body, meta: sectionsMeta{Sections: []sectionMeta{}},
	}
	if err := c.Fault(); err != nil {
		return answer{}, err
	}
	if len(ids) > maxIDs {
		return answer{}, evergreen.Errorf(evergreen.Invalid, "%d ids are too many; at most %d in one call", len(ids), maxIDs)
	}
	if err := b.run(ctx, langOf("", c.accept)); err != nil {
		return answer{}, err
	}
	return answer{text: strings.Join(b.parts, ""), meta: b.meta}, nil
}

// byteLimit reads max_bytes: 0 and below mean all that a message may hold.
func byteLimit(maxBytes int) int {
	if maxBytes <= 0 {
		return allBytes
	}
	return min(maxBytes, allBytes)
}

func (b *batch) run(ctx context.Context, l lang) error {
	for i, id := range b.ids {
		room := b.room
		if len(b.ids) > 1 {
			room -= noteBytes
		}
		if b.body <= 0 || room < floorBytes && i > 0 {
			if len(b.meta.Sections) == 0 {
				return b.err
			}
			b.leaveOut(l, i, 0)
			return nil
		}
		next, err := b.add(ctx, l, id, room)
		b.offset = 0
		if err != nil && len(b.ids) == 1 || ctx.Err() != nil {
			return err
		}
		if err != nil {
			b.unknown(l, id, err)
			continue
		}
		if next > 0 {
			b.leaveOut(l, i, next)
			return nil
		}
	}
	if len(b.meta.Sections) == 0 {
		return b.err
	}
	return nil
}

// add appends one section within room bytes. next is the offset to go on from,
// 0 when the section was shown to its end.
func (b *batch) add(ctx context.Context, l lang, id string, room int) (next int, err error) {
	r := evergreen.SectionRequest{ID: id, MaxBytes: min(room, b.body), Offset: b.offset, Verify: b.verify}
	sec, err := b.server.readSection(ctx, r)
	if err != nil {
		return 0, err
	}
	head := sectionHead(l, sec, room/2)
	text, shown := b.compose(l, sec, head, room)
	if shown > 0 && shown < len(sec.Markdown) { // the engine cuts between blocks
		r.MaxBytes = shown
		if sec, err = b.server.readSection(ctx, r); err != nil {
			return 0, err
		}
		text, shown = b.compose(l, sec, head, room)
	}
	body := cutLine(sec.Markdown, shown)
	next = after(sec, len(body))
	b.parts = append(b.parts, text)
	b.room -= len(text)
	b.body -= len(body)
	b.meta.Sections = append(b.meta.Sections, b.server.sectionMeta(sec, next))
	return next, nil
}

// compose writes as much of the section as fits into room bytes.
func (b *batch) compose(l lang, sec evergreen.SectionText, head string, room int) (text string, shown int) {
	return fit(room, len(sec.Markdown), byteSize, func(n int) string {
		body := cutLine(sec.Markdown, n)
		if next := after(sec, len(body)); next > 0 && len(b.ids) == 1 {
			return head + note(body, restNote(l, sec, next))
		}
		return head + body + "\n\n"
	})
}

// after is the offset of what follows the first n bytes of the piece that sec
// holds, 0 when that is the end of the section.
func after(sec evergreen.SectionText, n int) int {
	begin := sec.TotalBytes - len(sec.Markdown)
	if sec.Truncated {
		begin = sec.NextOffset - len(sec.Markdown)
	}
	if begin+n < sec.TotalBytes {
		return begin + n
	}
	return 0
}

// readSection never answers with nothing while text is left: a max_bytes below
// the size of one code point would not get on.
func (s *Server) readSection(ctx context.Context, r evergreen.SectionRequest) (evergreen.SectionText, error) {
	sec, err := s.engine.Section(ctx, r)
	if err == nil && r.Offset > sec.TotalBytes {
		return sec, evergreen.Errorf(evergreen.Invalid, "`offset` %d lies beyond the section's %d bytes", r.Offset, sec.TotalBytes)
	}
	if err == nil && sec.Markdown == "" && r.Offset < sec.TotalBytes && r.MaxBytes < utf8.UTFMax {
		r.MaxBytes = utf8.UTFMax
		return s.engine.Section(ctx, r)
	}
	return sec, err
}

func (s *Server) sectionMeta(sec evergreen.SectionText, next int) sectionMeta {
	return sectionMeta{
		ID: sec.ID, Title: sec.Title, Level: sec.Level, ParentID: sec.ParentID, Marker: bracketed(sec.Marker),
		URL: sec.URL, Source: s.sourceName(sec.Source), FetchedAt: sec.FetchedAt, Tokens: sec.Tokens,
		Truncated: next > 0, TotalBytes: sec.TotalBytes, NextOffset: next,
		Verified: sec.Verified, ContentHash: sec.ContentHash, Hint: sec.Hint, Warnings: sec.Warnings,
	}
}

// sectionHead names the section in at most room bytes; the marker to cite it by
// comes first.
func sectionHead(l lang, sec evergreen.SectionText, room int) string {
	head := "# " + strings.TrimSpace(bracketed(sec.Marker)+" "+clip(oneLine(sec.Title), 120, byteSize)) + "\n"
	if strings.HasPrefix(sec.Markdown, "#") {
		head = "> " + bracketed(sec.Marker) + "\n" // the text brings its own heading
	}
	for _, line := range []string{"`" + sec.ID + "`", sec.URL, sec.Hint, verdict(l, sec.Verified)} {
		if line != "" && len(head)+len(line)+4 <= room {
			head += "> " + line + "\n"
		}
	}
	if note := pack.Addressed(sec.Warnings, sec.ID, string(l)); note != "" && len(head)+len(note)+2 <= room {
		head += note + "\n"
	}
	return head + "\n"
}

// bracketed is a marker as answers cite it.
func bracketed(marker string) string {
	if marker == "" || strings.HasPrefix(marker, "[") {
		return marker
	}
	return "[" + marker + "]"
}

func verdict(l lang, verified *bool) string {
	switch {
	case verified == nil:
		return ""
	case *verified:
		return l.say("verified", "已校验")
	}
	return l.say("NOT verified: the stored text does not match its hash; index the source again", "校验失败：存储的文本与哈希不符，请重新索引")
}

func restNote(l lang, sec evergreen.SectionText, next int) string {
	m := map[string]any{"id": sec.ID, "offset": next}
	call := callText("get_section", m)
	if len(call) > noteBytes*2/3 {
		call = callText("get_section", map[string]any{"offset": next})
	}
	return l.say("%d of %d bytes shown. Go on: %s", "已显示 %d / %d 字节。继续：%s", next, sec.TotalBytes, call)
}

// leaveOut ends a batch: ids from i on are not shown, the first one from offset.
func (b *batch) leaveOut(l lang, i, offset int) {
	b.meta.Truncated = true
	b.meta.Next = &sectionsNext{IDs: b.ids[i:], Offset: offset}
	if len(b.ids) == 1 {
		return
	}
	left := l.say("> %d sections left out. Go on with get_section, offset %d, ids from %s on",
		"> 有 %d 个章节未显示。继续：get_section，offset %d，ids 从 %s 开始", len(b.ids)-i, offset, b.ids[i])
	b.write(left)
}

// unknown notes an id that cannot be read; the others are still answered.
func (b *batch) unknown(l lang, id string, err error) {
	if b.err == nil {
		b.err = err
	}
	b.meta.Unknown = append(b.meta.Unknown, id)
	line := "> " + clip(err.Error(), noteBytes/2, byteSize)
	if e, ok := errors.AsType[*evergreen.Error](err); ok && len(e.Nearest) > 0 {
		line += l.say(" Nearest: %s", " 最接近：%s", strings.Join(e.Nearest[:min(nearestNames, len(e.Nearest))], ", "))
	}
	b.write(clip(line, noteBytes-2, byteSize) + "\n\n")
}

// write appends a line, cut to the room that is left.
func (b *batch) write(line string) {
	line = clip(line, min(b.room, noteBytes), byteSize)
	b.parts = append(b.parts, line)
	b.room -= len(line)
}
