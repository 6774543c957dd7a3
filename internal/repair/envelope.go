package repair

import (
	"slices"
	"strings"

	"evergreen/internal/repair/jsonvalue"
	"evergreen/internal/repair/spelling"
)

// This file finds name and arguments in params of any form (stage 1).

// envelope is a call taken apart.
type envelope struct {
	name string
	args *jsonvalue.Value  // nil when nothing carries arguments
	rest []jsonvalue.Field // the other keys that may be arguments, sorted
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
func beside(f jsonvalue.Field, flat bool) bool {
	switch {
	case reserved(f.Name):
		return false
	case f.Name != "type" && f.Name != "id":
		return true
	case !flat || f.Value.Kind != jsonvalue.Text:
		return flat
	case f.Name == "type":
		return !slices.Contains([]string{"function", "function_call", "tool_use", "tool_call", "tool"}, f.Value.Text)
	}
	return !spelling.HasAnyPrefix(f.Value.Text, "call", "tool", "fc_", "chatcmpl")
}

// unpackTop returns the params object, decoding params that are JSON text or an
// array of one. nil when there is none.
func (r *run) unpackTop(top *jsonvalue.Value) *jsonvalue.Value {
	for range maxDecode {
		switch {
		case top.Kind == jsonvalue.Object:
			return top
		case top.Kind == jsonvalue.List && len(top.Items) == 1:
			r.note(stageEnvelope, EnvelopeText, "", "params: array of one → object")
			top = top.Items[0]
		case top.Kind == jsonvalue.Text:
			v, how, reading := r.texts.Read(top.Text)
			if reading != jsonvalue.ReadContainer {
				return nil
			}
			r.note(stageEnvelope, EnvelopeText, "", "params: "+how+" → object")
			top = v
		default:
			return nil
		}
	}
	if top.Kind != jsonvalue.Object {
		return nil
	}
	return top
}

// openEnvelope takes params apart and notes what was not in its place.
func (r *run) openEnvelope(top *jsonvalue.Value) envelope {
	var env envelope
	fields := top.Sorted()
	take := func(i int) *jsonvalue.Value {
		v := fields[i].Value
		fields = slices.Delete(fields, i, i+1)
		return v
	}
	for _, key := range nameKeys() {
		i := slices.IndexFunc(fields, func(f jsonvalue.Field) bool {
			return spelling.Letters(f.Name) == key && f.Value.Kind == jsonvalue.Text && strings.TrimSpace(f.Value.Text) != ""
		})
		if i >= 0 && env.name == "" {
			if fields[i].Name != "name" {
				r.note(stageEnvelope, EnvelopeName, "", shown(fields[i].Name)+" → name")
			}
			env.name = take(i).Text
		}
	}
	if i := slices.IndexFunc(fields, func(f jsonvalue.Field) bool { return f.Name == "function" }); i >= 0 && env.name == "" {
		r.note(stageEnvelope, EnvelopeName, "", "function → name, arguments")
		env.name, env.args = functionOf(take(i))
	}
	fields = slices.DeleteFunc(fields, func(f jsonvalue.Field) bool {
		return f.Name == "name" || f.Name == "function" && f.Value.Kind == jsonvalue.Object
	})
	r.findCarrier(&env, fields)
	return env
}

// functionOf reads the function object of a chat format's tool call.
func functionOf(f *jsonvalue.Value) (name string, args *jsonvalue.Value) {
	if f.Kind == jsonvalue.Text {
		return f.Text, nil
	}
	if n := f.Get("name"); n != nil && n.Kind == jsonvalue.Text {
		name = n.Text
	}
	for _, key := range carriers() {
		for _, inner := range f.Sorted() {
			if args == nil && spelling.Letters(inner.Name) == key {
				args = inner.Value
			}
		}
	}
	return name, args
}

// findCarrier picks the first key that carries arguments; one that holds
// nothing gives way to one that does.
func (r *run) findCarrier(env *envelope, fields []jsonvalue.Field) {
	best := -1
	for _, key := range carriers() {
		for i, f := range fields {
			if spelling.Letters(f.Name) != key || env.args != nil && !hollow(env.args) {
				continue
			}
			if best < 0 || hollow(fields[best].Value) && !hollow(f.Value) {
				best = i
			}
		}
	}
	if best >= 0 {
		if fields[best].Name != "arguments" {
			r.note(stageEnvelope, EnvelopeArguments, "", shown(fields[best].Name)+" → arguments")
		}
		env.args = fields[best].Value
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
func hollow(v *jsonvalue.Value) bool {
	switch v.Kind {
	case jsonvalue.Null:
		return true
	case jsonvalue.Text:
		return strings.TrimSpace(v.Text) == ""
	case jsonvalue.List:
		return len(v.Items) == 0
	case jsonvalue.Object:
		return len(v.Fields) == 0
	}
	return false
}

// gather makes one object of the carrier and of what lies beside it.
func (r *run) gather(env envelope) (*jsonvalue.Value, *refusal) {
	args, fault := r.container(env.args)
	if fault != nil {
		return nil, fault
	}
	flat := len(args.Fields) == 0
	whole := flat && len(env.rest) > 0 && !r.tool.root.Valid(args)
	fields := args.Fields
	for _, f := range env.rest {
		if !r.tool.takes(f.Name, args) && !whole || args.Get(f.Name) != nil {
			continue
		}
		if !r.tool.ladder.shape {
			return args, &refusal{code: ErrInvalid, reason: quote(shown(f.Name)) + " lies beside the arguments; put all parameters into arguments"}
		}
		fields = append(slices.Clip(fields), f)
		if !flat {
			r.note(stageEnvelope, EnvelopeSibling, f.Name, "beside arguments → in arguments")
		}
	}
	if len(fields) == len(args.Fields) {
		return args, nil
	}
	if flat {
		r.note(stageEnvelope, EnvelopeFlat, "", "beside the name → in arguments")
	}
	return jsonvalue.NewObject(fields), nil
}

// Params returns the params to send on for a call that was not refused: raw
// itself for an exact one whose keys were not renamed, else name and arguments in canonical form with the
// protocol's own members (_meta and its like) as they came.
func (r Result) Params(raw []byte) []byte {
	if r.Outcome != Repaired && !r.Renamed {
		return raw
	}
	out := append(jsonvalue.AppendQuoted([]byte(`{"name":`), r.Name), `,"arguments":`...)
	out = append(out, r.Arguments...)
	top, err := jsonvalue.Parse(raw)
	if err == nil {
		top = (&run{}).unpackTop(top)
	}
	if top != nil {
		for _, f := range top.Sorted() {
			if reserved(f.Name) && f.Name != "jsonrpc" && f.Name != "method" {
				out = append(jsonvalue.AppendQuoted(append(out, ','), f.Name), ':')
				out = f.Value.AppendJSON(out)
			}
		}
	}
	return append(out, '}')
}
