package repair

import (
	"slices"
	"strings"
)

// This file finds name and arguments in params of any form (stage 1).

// envelope is a call taken apart.
type envelope struct {
	name string
	args *value  // nil when nothing carries arguments
	rest []field // the other keys that may be arguments, sorted
}

// nameKeys and carriers are compared by their letters, in this order.
func nameKeys() []string { return []string{"name", "tool", "toolname", "recipientname"} }

func carriers() []string {
	return []string{"arguments", "args", "parameters", "params", "input", "kwargs", "toolinput"}
}

// reserved reports whether a top-level key belongs to the protocol.
func reserved(name string) bool {
	switch name {
	case "_meta", "task", "inputResponses", "requestState", "jsonrpc", "method":
		return true
	}
	return false
}

// beside reports whether a top-level key may be an argument beside name and
// arguments. "type" and "id" belong to chat formats, unless the call is flat
// and they do not look like it.
func beside(f field, flat bool) bool {
	switch {
	case reserved(f.name):
		return false
	case f.name != "type" && f.name != "id":
		return true
	case !flat || f.v.kind != kindText:
		return flat
	case f.name == "type":
		return !slices.Contains([]string{"function", "function_call", "tool_use", "tool_call", "tool"}, f.v.s)
	}
	return !startsWithWord(f.v.s, "call", "tool", "fc_", "chatcmpl")
}

// unpackTop returns the params object, decoding params that are JSON text or an
// array of one. nil when there is none.
func (r *run) unpackTop(top *value) *value {
	for range maxDecode {
		switch {
		case top.kind == kindObject:
			return top
		case top.kind == kindList && len(top.items) == 1:
			r.note(stageEnvelope, EnvelopeText, "", "params: array of one → object")
			top = top.items[0]
		case top.kind == kindText:
			v, how, reading := r.texts.read(top.s)
			if reading != readContainer {
				return nil
			}
			r.note(stageEnvelope, EnvelopeText, "", "params: "+how+" → object")
			top = v
		default:
			return nil
		}
	}
	if top.kind != kindObject {
		return nil
	}
	return top
}

// openEnvelope takes params apart and notes what was not in its place.
func (r *run) openEnvelope(top *value) envelope {
	var env envelope
	fields := top.sorted()
	take := func(i int) *value {
		v := fields[i].v
		fields = slices.Delete(fields, i, i+1)
		return v
	}
	for _, key := range nameKeys() {
		i := slices.IndexFunc(fields, func(f field) bool {
			return letters(f.name) == key && f.v.kind == kindText && strings.TrimSpace(f.v.s) != ""
		})
		if i >= 0 && env.name == "" {
			if fields[i].name != "name" {
				r.note(stageEnvelope, EnvelopeName, "", shown(fields[i].name)+" → name")
			}
			env.name = take(i).s
		}
	}
	if i := slices.IndexFunc(fields, func(f field) bool { return f.name == "function" }); i >= 0 && env.name == "" {
		r.note(stageEnvelope, EnvelopeName, "", "function → name, arguments")
		env.name, env.args = functionOf(take(i))
	}
	fields = slices.DeleteFunc(fields, func(f field) bool { return f.name == "name" || f.name == "function" && f.v.kind == kindObject })
	r.findCarrier(&env, fields)
	return env
}

// functionOf reads the function object of a chat format's tool call.
func functionOf(f *value) (name string, args *value) {
	if f.kind == kindText {
		return f.s, nil
	}
	if n := f.get("name"); n != nil && n.kind == kindText {
		name = n.s
	}
	for _, key := range carriers() {
		for _, inner := range f.sorted() {
			if args == nil && letters(inner.name) == key {
				args = inner.v
			}
		}
	}
	return name, args
}

// findCarrier picks the first key that carries arguments; one that holds
// nothing gives way to one that does.
func (r *run) findCarrier(env *envelope, fields []field) {
	best := -1
	for _, key := range carriers() {
		for i, f := range fields {
			if letters(f.name) != key || env.args != nil && !hollow(env.args) {
				continue
			}
			if best < 0 || hollow(fields[best].v) && !hollow(f.v) {
				best = i
			}
		}
	}
	if best >= 0 {
		if fields[best].name != "arguments" {
			r.note(stageEnvelope, EnvelopeArguments, "", shown(fields[best].name)+" → arguments")
		}
		env.args = fields[best].v
		fields = slices.Delete(slices.Clone(fields), best, best+1)
	}
	flat := env.args == nil || hollow(env.args)
	for _, f := range fields {
		if beside(f, flat) {
			env.rest = append(env.rest, f)
		}
	}
}

// hollow reports whether a carrier holds no arguments.
func hollow(v *value) bool {
	switch v.kind {
	case kindNull:
		return true
	case kindText:
		return strings.TrimSpace(v.s) == ""
	case kindList:
		return len(v.items) == 0
	case kindObject:
		return len(v.fields) == 0
	}
	return false
}

// gather makes one object of the carrier and of what lies beside it.
func (r *run) gather(env envelope) (*value, *refusal) {
	args, fault := r.container(env.args)
	if fault != nil {
		return nil, fault
	}
	flat := len(args.fields) == 0
	whole := flat && len(env.rest) > 0 && !r.tool.root.valid(args)
	fields := args.fields
	for _, f := range env.rest {
		declared := r.tool.root.byName[f.name] != nil
		if !declared && !whole || args.get(f.name) != nil {
			continue
		}
		if !r.tool.ladder.shape {
			return args, &refusal{code: ErrInvalid, reason: quote(shown(f.name)) + " lies beside the arguments; put all parameters into arguments"}
		}
		fields = append(slices.Clip(fields), f)
		if !flat {
			r.note(stageEnvelope, EnvelopeSibling, f.name, "beside arguments → in arguments")
		}
	}
	if len(fields) == len(args.fields) {
		return args, nil
	}
	if flat {
		r.note(stageEnvelope, EnvelopeFlat, "", "beside the name → in arguments")
	}
	return objectValue(fields), nil
}
