package repair

import (
	"fmt"
	"strings"
)

// This file finds the query of our own search tool in arguments that hold it
// somewhere else (stage 7).

// extract returns the arguments with the primary parameter filled from the one
// place that can hold it: the last user message, or the single remaining text.
// nil when there is none; several are a refusal.
func (r *run) extract(args *value) (*value, *refusal) {
	primary, root := r.tool.Primary, r.tool.root
	if v := args.get(primary); v != nil && !absent(v) {
		return nil, nil
	}
	fields, unknown := split(args, root)
	var kept []field
	for _, f := range fields {
		if f.name != primary {
			kept = append(kept, f)
		}
	}
	var found []field
	for _, f := range unknown {
		t := r.target(f, kept, unknown, root)
		switch {
		case t.name != "" && t.name != primary:
			kept = append(kept, field{t.name, f.v})
		case letters(f.name) == "messages":
			if text := r.lastUserMessage(f.v); text != "" {
				found = append(found, field{f.name, textValue(text)})
			}
		case f.name == "role" && args.get("content") != nil:
		case f.v.kind == kindText && !absent(f.v):
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	if len(found) > 1 {
		var names []string
		for _, f := range found {
			names = append(names, quote(shown(f.name)))
		}
		return nil, &refusal{code: ErrInvalid, reason: fmt.Sprintf("%s is missing and could be any of %s",
			primary, strings.Join(names[:min(len(names), maxFaults)], ", "))}
	}
	r.note(stageQuery, QueryExtracted, primary, shown(found[0].name)+" → "+primary)
	return objectValue(append(kept, field{primary, found[0].v})), nil
}

// lastUserMessage returns the text of the last message of a chat whose role is
// user.
func (r *run) lastUserMessage(v *value) string {
	if v.kind == kindText {
		in, _, reading := r.texts.read(v.s)
		if reading != readContainer {
			return ""
		}
		v = in
	}
	for i := len(v.items) - 1; i >= 0; i-- {
		m := v.items[i]
		if role := m.get("role"); role == nil || role.s != "user" {
			continue
		}
		content := m.get("content")
		if content != nil && content.kind == kindList {
			content = lastText(content)
		}
		if content != nil && content.kind == kindText && strings.TrimSpace(content.s) != "" {
			return content.s
		}
	}
	return ""
}

// lastText returns the last text part of a message's content.
func lastText(parts *value) *value {
	for i := len(parts.items) - 1; i >= 0; i-- {
		if text := parts.items[i].get("text"); text != nil && text.kind == kindText {
			return text
		}
	}
	return nil
}
