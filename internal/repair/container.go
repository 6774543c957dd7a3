package repair

import (
	"slices"
	"strings"

	"evergreen/internal/repair/jsonvalue"
	"evergreen/internal/repair/shape"
	"evergreen/internal/repair/spelling"
)

// This file turns what carries the arguments into an object (stage 3) and takes
// wrappers off it (stage 4).

// container returns the arguments as an object. v is nil when nothing carried
// any.
func (r *run) container(v *jsonvalue.Value) (*jsonvalue.Value, *refusal) {
	if v == nil {
		return emptyObject(), nil
	}
	for range maxDecode + 2 {
		switch v.Kind {
		case jsonvalue.Object:
			return v, nil
		case jsonvalue.Null:
			return r.emptied("null")
		case jsonvalue.List:
			inner := oneOf(v)
			if inner == nil && len(v.Items) == 0 {
				return r.emptied("[]")
			}
			if inner == nil {
				return emptyObject(), &refusal{code: ErrInvalid, reason: "arguments must be an object, not an array"}
			}
			r.note(stageContainer, ContainerList, "", "array of one → object")
			v = inner
		case jsonvalue.Text:
			if jsonvalue.Absent(v) {
				return r.emptied("empty text")
			}
			inner, how, fault := r.decode(v.Text)
			if fault != nil {
				return emptyObject(), fault
			}
			if inner == nil {
				return r.bareValue(v)
			}
			r.note(stageContainer, ContainerDecoded, "", how+" → object")
			v = inner
		default:
			return r.bareValue(v)
		}
	}
	return emptyObject(), &refusal{code: ErrInvalid, reason: "arguments are encoded more than three times"}
}

func (r *run) emptied(from string) (*jsonvalue.Value, *refusal) {
	r.note(stageContainer, ContainerEmpty, "", from+" → {}")
	return emptyObject(), nil
}

// oneOf returns what an array of one, or of identical items, holds.
func oneOf(list *jsonvalue.Value) *jsonvalue.Value {
	if len(list.Items) == 0 {
		return nil
	}
	first := list.Items[0]
	if slices.ContainsFunc(list.Items, func(v *jsonvalue.Value) bool { return !jsonvalue.Same(first, v) }) {
		return nil
	}
	return first
}

// decode reads text as a container or as JSON text of text. nil: plain text.
func (r *run) decode(s string) (*jsonvalue.Value, string, *refusal) {
	if v, err := jsonvalue.Parse([]byte(s)); err == nil && v.Kind == jsonvalue.Text {
		return v, "JSON text", nil
	}
	v, how, reading := r.texts.Read(s)
	switch reading {
	case jsonvalue.ReadDiffering:
		return nil, "", &refusal{code: ErrAmbiguous, reason: "arguments hold several JSON values that differ"}
	case jsonvalue.ReadTruncated:
		return nil, "", &refusal{code: ErrInvalid, reason: "arguments are JSON text that was cut short"}
	case jsonvalue.ReadDamaged:
		return nil, "", &refusal{code: ErrInvalid, reason: "arguments are damaged JSON text"}
	case jsonvalue.ReadNothing:
		return nil, "", nil
	}
	return v, how, nil
}

// bareValue gives a bare text, number or boolean to the parameter it can only
// be meant for: the declared primary one or the single required string.
func (r *run) bareValue(v *jsonvalue.Value) (*jsonvalue.Value, *refusal) {
	key := r.tool.Primary
	if s := r.tool.root; key == "" && len(s.Required) == 1 {
		if p := s.ByName[s.Required[0]]; p != nil && p.Shape.Types == shape.TypeText {
			key = p.Name
		}
	}
	if key == "" || !r.tool.ladder.shape {
		return emptyObject(), &refusal{code: ErrInvalid, reason: "arguments must be an object, not a bare " + v.Kind.String()}
	}
	text := v.Text
	if v.Kind == jsonvalue.Bool {
		text = string(v.Raw)
	}
	r.note(stageContainer, ContainerBare, key, "bare "+v.Kind.String()+" → {"+quote(key)+": …}")
	return jsonvalue.NewObject([]jsonvalue.Field{{Name: key, Value: jsonvalue.NewText(text)}}), nil
}

// wrapperWords are the keys that clients and models wrap arguments in.
func wrapperWords() []string {
	return []string{"input", "arguments", "args", "params", "parameters", "kwargs", "toolinput", "payload", "request", "properties"}
}

// peel takes wrappers off, as long as there are any.
func (r *run) peel(args *jsonvalue.Value) *jsonvalue.Value {
	for range maxDecode {
		inner := r.unwrap(args)
		if inner == nil {
			return args
		}
		args = inner
	}
	return args
}

// unwrap takes one wrapper off: a whole call, JSON text as a key, a lone key.
func (r *run) unwrap(args *jsonvalue.Value) *jsonvalue.Value {
	root := r.tool.root
	if n := args.Get("name"); n != nil && n.Kind == jsonvalue.Text && root.ByName["name"] == nil && r.cat.resolve(n.Text).tool == r.tool {
		for _, key := range []string{"arguments", "parameters", "input", "args"} {
			if inner := r.asObject(args.Get(key)); inner != nil {
				r.note(stageWrapper, WrapperCall, key, "inner call → arguments")
				return inner
			}
		}
	}
	var lone *jsonvalue.Field
	fields := args.Sorted()
	for i, f := range fields {
		if bookkeeping(f.Name) || schemaEcho(f) {
			continue
		}
		if lone != nil {
			return nil
		}
		lone = &fields[i]
	}
	if lone == nil || root.Knows(lone.Name) {
		return nil
	}
	if name := strings.TrimSpace(lone.Name); strings.HasPrefix(name, "{") && jsonvalue.Absent(lone.Value) {
		if inner := r.asObject(jsonvalue.NewText(name)); inner != nil {
			r.note(stageWrapper, WrapperKey, "", "JSON text as a key → object")
			return inner
		}
	}
	word := spelling.Letters(lone.Name)
	if !slices.Contains(wrapperWords(), word) && word != spelling.Letters(r.tool.Name) && word != spelling.Letters(r.tool.bare) {
		return nil
	}
	inner := r.asObject(lone.Value)
	if inner != nil {
		r.note(stageWrapper, WrapperPeeled, lone.Name, shown(lone.Name)+" peeled")
	}
	return inner
}

// schemaEcho reports whether a field is the frame of a JSON Schema that a model
// filled in.
func schemaEcho(f jsonvalue.Field) bool {
	return f.Name == "type" && f.Value.Kind == jsonvalue.Text && f.Value.Text == "object" || f.Name == "required" && f.Value.Kind == jsonvalue.List
}

// asObject returns v if it is an object or the text of one, else nil.
func (r *run) asObject(v *jsonvalue.Value) *jsonvalue.Value {
	switch {
	case v == nil:
		return nil
	case v.Kind == jsonvalue.Object:
		return v
	case v.Kind == jsonvalue.Text:
		if inner, _, reading := r.texts.Read(v.Text); reading == jsonvalue.ReadContainer && inner.Kind == jsonvalue.Object {
			return inner
		}
	}
	return nil
}

// bookkeeping reports whether a key is a client's own.
func bookkeeping(name string) bool {
	if strings.HasPrefix(name, "_") {
		return true
	}
	switch spelling.Letters(name) {
	case "toolcallid", "toolcalldescription", "tooluseid", "callid":
		return true
	}
	return false
}
