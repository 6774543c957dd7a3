package repair

import (
	"slices"
	"strings"
)

// This file turns what carries the arguments into an object (stage 3) and takes
// wrappers off it (stage 4).

// container returns the arguments as an object. v is nil when nothing carried
// any.
func (r *run) container(v *value) (*value, *refusal) {
	if v == nil {
		return emptyObject(), nil
	}
	for range maxDecode + 2 {
		switch v.kind {
		case kindObject:
			return v, nil
		case kindNull:
			return r.emptied("null")
		case kindList:
			inner := oneOf(v)
			if inner == nil && len(v.items) == 0 {
				return r.emptied("[]")
			}
			if inner == nil {
				return emptyObject(), &refusal{code: ErrInvalid, reason: "arguments must be an object, not an array"}
			}
			r.note(stageContainer, ContainerList, "", "array of one → object")
			v = inner
		case kindText:
			if absent(v) {
				return r.emptied("empty text")
			}
			inner, how, fault := r.decode(v.s)
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

func (r *run) emptied(from string) (*value, *refusal) {
	r.note(stageContainer, ContainerEmpty, "", from+" → {}")
	return emptyObject(), nil
}

// oneOf returns what an array of one, or of identical items, holds.
func oneOf(list *value) *value {
	if len(list.items) == 0 {
		return nil
	}
	first := list.items[0]
	if slices.ContainsFunc(list.items, func(v *value) bool { return !same(first, v) }) {
		return nil
	}
	return first
}

// decode reads text as a container or as JSON text of text. nil: plain text.
func (r *run) decode(s string) (*value, string, *refusal) {
	if v, err := parse([]byte(s)); err == nil && v.kind == kindText {
		return v, "JSON text", nil
	}
	v, how, reading := r.texts.read(s)
	switch reading {
	case readDiffering:
		return nil, "", &refusal{code: ErrAmbiguous, reason: "arguments hold several JSON values that differ"}
	case readTruncated:
		return nil, "", &refusal{code: ErrInvalid, reason: "arguments are JSON text that was cut short"}
	case readDamaged:
		return nil, "", &refusal{code: ErrInvalid, reason: "arguments are damaged JSON text"}
	case readNothing:
		return nil, "", nil
	}
	return v, how, nil
}

// bareValue gives a bare text, number or boolean to the parameter it can only
// be meant for: the declared primary one or the single required string.
func (r *run) bareValue(v *value) (*value, *refusal) {
	key := r.tool.Primary
	if s := r.tool.root; key == "" && len(s.required) == 1 {
		if p := s.byName[s.required[0]]; p != nil && p.shape.types == typeText {
			key = p.name
		}
	}
	if key == "" || !r.tool.ladder.shape {
		return emptyObject(), &refusal{code: ErrInvalid, reason: "arguments must be an object, not a bare " + v.kind.String()}
	}
	text := v.s
	if v.kind == kindBool {
		text = string(v.raw)
	}
	r.note(stageContainer, ContainerBare, key, "bare "+v.kind.String()+" → {"+quote(key)+": …}")
	return objectValue([]field{{key, textValue(text)}}), nil
}

// wrapperWords are the keys that clients and models wrap arguments in.
func wrapperWords() []string {
	return []string{"input", "arguments", "args", "params", "parameters", "kwargs", "toolinput", "payload", "request", "properties"}
}

// peel takes wrappers off, as long as there are any.
func (r *run) peel(args *value) *value {
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
func (r *run) unwrap(args *value) *value {
	root := r.tool.root
	if n := args.get("name"); n != nil && n.kind == kindText && root.byName["name"] == nil && r.cat.resolve(n.s).tool == r.tool {
		for _, key := range []string{"arguments", "parameters", "input", "args"} {
			if inner := r.asObject(args.get(key)); inner != nil {
				r.note(stageWrapper, WrapperCall, key, "inner call → arguments")
				return inner
			}
		}
	}
	var lone *field
	fields := args.sorted()
	for i, f := range fields {
		if bookkeeping(f.name) || schemaEcho(f) {
			continue
		}
		if lone != nil {
			return nil
		}
		lone = &fields[i]
	}
	if lone == nil || root.knows(lone.name) {
		return nil
	}
	if name := strings.TrimSpace(lone.name); strings.HasPrefix(name, "{") && absent(lone.v) {
		if inner := r.asObject(textValue(name)); inner != nil {
			r.note(stageWrapper, WrapperKey, "", "JSON text as a key → object")
			return inner
		}
	}
	word := letters(lone.name)
	if !slices.Contains(wrapperWords(), word) && word != letters(r.tool.Name) && word != letters(r.tool.bare) {
		return nil
	}
	inner := r.asObject(lone.v)
	if inner != nil {
		r.note(stageWrapper, WrapperPeeled, lone.name, shown(lone.name)+" peeled")
	}
	return inner
}

// schemaEcho reports whether a field is the frame of a JSON Schema that a model
// filled in.
func schemaEcho(f field) bool {
	return f.name == "type" && f.v.kind == kindText && f.v.s == "object" || f.name == "required" && f.v.kind == kindList
}

// asObject returns v if it is an object or the text of one, else nil.
func (r *run) asObject(v *value) *value {
	switch {
	case v == nil:
		return nil
	case v.kind == kindObject:
		return v
	case v.kind == kindText:
		if inner, _, reading := r.texts.read(v.s); reading == readContainer && inner.kind == kindObject {
			return inner
		}
	}
	return nil
}

// absent reports whether a value stands for "not given".
func absent(v *value) bool {
	switch v.kind {
	case kindNull:
		return true
	case kindText:
		switch strings.ToLower(strings.TrimSpace(v.s)) {
		case "", "null", "none", "nil", "undefined":
			return true
		}
	}
	return false
}

// bookkeeping reports whether a key is a client's own.
func bookkeeping(name string) bool {
	if strings.HasPrefix(name, "_") {
		return true
	}
	switch letters(name) {
	case "toolcallid", "toolcalldescription", "tooluseid", "callid":
		return true
	}
	return false
}
