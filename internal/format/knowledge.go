package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"evergreen"
	"evergreen/internal/text"
)

// context.json: a knowledge base of curated entries. Reading is tolerant: an
// entry that cannot be used is left out with a reason, the others stay.

// readKnowledge reads a context.json. It fails only when there is no list of
// entries at all.
func readKnowledge(data []byte) (Doc, error) {
	body := bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	var raw json.RawMessage
	if err := json.Unmarshal(body, &raw); err != nil {
		return Doc{}, jsonError(body, err)
	}
	r := knowledgeReader{ids: map[string]int{}, categories: map[string]bool{}}
	top, ok := r.object("", raw)
	if !ok {
		return Doc{}, notKnowledge("it is no JSON object")
	}
	var items []json.RawMessage
	if json.Unmarshal(top["entries"], &items) != nil || items == nil {
		return Doc{}, notKnowledge(`it has no list "entries"`)
	}
	doc := Doc{Text: data, Plain: true, Knowledge: r.about(top)}
	for i, item := range items {
		if e, ok := r.entry(i, item); ok {
			doc.Entries = append(doc.Entries, e)
		}
	}
	if r.more > 0 {
		r.warnings = append(r.warnings, fmt.Sprintf("%d more warnings", r.more))
	}
	doc.Warnings = r.warnings
	doc.Meta.Title = doc.Knowledge.SiteName
	return doc, nil
}

func notKnowledge(why string) error {
	return evergreen.Errorf(evergreen.Invalid, "no knowledge base: %s", why).
		Fix(`a context.json is an object with "entries": [{"id", "title", "body", ...}]`)
}

// jsonError names the line and column of a syntax error.
func jsonError(data []byte, err error) error {
	offset := len(data)
	if e, ok := errors.AsType[*json.SyntaxError](err); ok && e.Error() != "unexpected end of JSON input" {
		offset = min(max(int(e.Offset)-1, 0), offset) // Offset counts the offending byte
	}
	before := data[:offset]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(bytes.Runes(before[bytes.LastIndexByte(before, '\n')+1:])) + 1
	return evergreen.Errorf(evergreen.Invalid, "no valid JSON at line %d, column %d: %s", line, column, err)
}

// knowledgeReader collects what is doubtful while a file is read.
type knowledgeReader struct {
	warnings   []string
	more       int
	ids        map[string]int // where each id was first seen
	categories map[string]bool
}

func (r *knowledgeReader) warn(format string, args ...any) {
	if len(r.warnings) >= maxWarnings {
		r.more++
		return
	}
	r.warnings = append(r.warnings, fmt.Sprintf(format, args...))
}

// about reads what the file says about itself.
func (r *knowledgeReader) about(top map[string]json.RawMessage) *Knowledge {
	k := &Knowledge{
		Version:  r.text("", top, "version"),
		Revision: r.text("", top, "revision"),
		License:  r.license(top),
	}
	if site, ok := r.object("site", top["site"]); ok {
		k.SiteName = r.text("site.", site, "name")
		k.SiteURL = r.text("site.", site, "canonicalUrl")
	}
	var list []json.RawMessage
	if raw := top["categories"]; !isNull(raw) && json.Unmarshal(raw, &list) != nil {
		r.warn("categories: not a list")
	}
	for i, item := range list {
		at := fmt.Sprintf("categories[%d]", i)
		c, ok := r.object(at, item)
		if !ok {
			continue
		}
		category := Category{r.text(at+".", c, "id"), r.text(at+".", c, "label"), r.text(at+".", c, "description")}
		if category.ID == "" {
			r.warn("%s.id: missing", at)
			continue
		}
		k.Categories = append(k.Categories, category)
		r.categories[category.ID] = true
	}
	return k
}

// license is a name or an object with an id.
func (r *knowledgeReader) license(top map[string]json.RawMessage) string {
	var object map[string]json.RawMessage
	if json.Unmarshal(top["license"], &object) == nil && object != nil {
		return r.text("license.", object, "id")
	}
	return r.text("", top, "license")
}

// entry reads one entry; ok is false when it has to be left out.
func (r *knowledgeReader) entry(i int, raw json.RawMessage) (e evergreen.Entry, ok bool) {
	at := fmt.Sprintf("entries[%d]", i)
	fields, ok := r.object(at, raw)
	if !ok {
		return e, false
	}
	at += "."
	e = evergreen.Entry{
		ID:       r.text(at, fields, "id"),
		Category: r.text(at, fields, "category"),
		Title:    r.text(at, fields, "title"),
		Summary:  r.text(at, fields, "summary"),
		Body:     r.exact(at, fields, "body"),
		Tags:     r.list(at, fields, "tags"),
		URL:      r.text(at, fields, "url"),
		Updated:  r.text(at, fields, "updated"),
		Curated:  true,
	}
	if !r.usable(i, e) {
		return e, false
	}
	e.Anchor = e.ID
	if e.Category != "" && len(r.categories) > 0 && !r.categories[e.Category] {
		r.warn("%scategory: %q is not among the file's categories", at, e.Category)
	}
	if e.Updated != "" {
		day, ok := isoDay(e.Updated)
		if !ok {
			r.warn("%supdated: %q is no date", at, e.Updated)
		}
		e.Updated = day
	}
	e.Confidence = r.confidence(at, fields)
	e.Tokens = r.tokens(at, fields, text.TokensOf(e.Title, "\n", e.Body))
	return e, true
}

// usable checks what an entry cannot do without.
func (r *knowledgeReader) usable(i int, e evergreen.Entry) bool {
	switch first, seen := r.ids[e.ID]; {
	case e.ID == "":
		r.warn("entries[%d].id: missing; the entry is left out", i)
		return false
	case seen:
		r.warn("entries[%d].id: %q is that of entries[%d] already; the entry is left out", i, e.ID, first)
		return false
	case e.Title == "":
		r.warn("entries[%d].title: missing; the entry %q is left out", i, e.ID)
		return false
	}
	r.ids[e.ID] = i
	return true
}

// confidence is 1 unless the entry says otherwise.
func (r *knowledgeReader) confidence(at string, fields map[string]json.RawMessage) float64 {
	c, ok := r.number(at, fields, "confidence")
	switch {
	case !ok:
		return 1
	case c > 1:
		r.warn("%sconfidence: %v is above 1; taken as 1", at, c)
		return 1
	case c <= 0:
		r.warn("%sconfidence: %v is not above 0; taken as %v", at, c, leastConfidence)
		return leastConfidence
	}
	return c
}

// tokens keeps the file's own count while it is near the estimate.
func (r *knowledgeReader) tokens(at string, fields map[string]json.RawMessage, estimate int) int {
	own, ok := r.number(at, fields, "tokens")
	if !ok {
		return estimate
	}
	if own != math.Trunc(own) || math.Abs(own-float64(estimate)) > tokensOff*float64(estimate) {
		r.warn("%stokens: %v, but the text has about %d; recomputed", at, own, estimate)
		return estimate
	}
	return int(own)
}
