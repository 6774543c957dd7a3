package repair

import (
	"fmt"
	"strings"

	"evergreen/internal/repair/jsonvalue"
	"evergreen/internal/repair/spelling"
)

// This file finds the query of our own search tool in arguments that hold it
// somewhere else (stage 7).

// extract returns the arguments with the primary parameter filled from the one
// place that can hold it: the last user message, or the single remaining text.
// nil when there is none; several are a refusal.
func (r *run) extract(args *jsonvalue.Value) (*jsonvalue.Value, *refusal) {
	primary, root := r.tool.Primary, r.tool.root
	if v := args.Get(primary); v != nil && !jsonvalue.Absent(v) {
		return nil, nil
	}
	fields, unknown := split(args, root)
	var kept []jsonvalue.Field
	for _, f := range fields {
		if f.Name != primary {
			kept = append(kept, f)
		}
	}
	var found []jsonvalue.Field
	for _, f := range unknown {
		t := r.target(f, kept, unknown, root)
		switch {
		case t.name != "" && t.name != primary:
			kept = append(kept, jsonvalue.Field{Name: t.name, Value: f.Value})
		case spelling.Letters(f.Name) == "messages":
			if text := r.lastUserMessage(f.Value); text != "" {
				found = append(found, jsonvalue.Field{Name: f.Name, Value: jsonvalue.NewText(text)})
			}
		case f.Name == "role" && args.Get("content") != nil:
		case f.Value.Kind == jsonvalue.Text && !jsonvalue.Absent(f.Value):
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	if len(found) > 1 {
		var names []string
		for _, f := range found {
			names = append(names, quote(shown(f.Name)))
		}
		return nil, &refusal{code: ErrInvalid, reason: fmt.Sprintf("%s is missing and could be any of %s",
			primary, strings.Join(names[:min(len(names), maxFaults)], ", "))}
	}
	r.note(stageQuery, QueryExtracted, primary, shown(found[0].Name)+" → "+primary)
	return jsonvalue.NewObject(append(kept, jsonvalue.Field{Name: primary, Value: found[0].Value})), nil
}

// lastUserMessage returns the text of the last message of a chat whose role is
// user.
func (r *run) lastUserMessage(v *jsonvalue.Value) string {
	if v.Kind == jsonvalue.Text {
		in, _, reading := r.texts.Read(v.Text)
		if reading != jsonvalue.ReadContainer {
			return ""
		}
		v = in
	}
	for i := len(v.Items) - 1; i >= 0; i-- {
		m := v.Items[i]
		if role := m.Get("role"); role == nil || role.Text != "user" {
			continue
		}
		content := m.Get("content")
		if content != nil && content.Kind == jsonvalue.List {
			content = lastText(content)
		}
		if content != nil && content.Kind == jsonvalue.Text && strings.TrimSpace(content.Text) != "" {
			return content.Text
		}
	}
	return ""
}

// lastText returns the last text part of a message's content.
func lastText(parts *jsonvalue.Value) *jsonvalue.Value {
	for i := len(parts.Items) - 1; i >= 0; i-- {
		if text := parts.Items[i].Get("text"); text != nil && text.Kind == jsonvalue.Text {
			return text
		}
	}
	return nil
}
