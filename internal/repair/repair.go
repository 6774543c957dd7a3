// Package repair turns malformed tool calls into canonical ones. It is a pure
// function from the params of a tools/call and a catalogue of tools to what
// should be called: it does no I/O, keeps no state, counts nothing and calls no
// tool.
//
// A call that is canonical goes on byte for byte. Any other climbs a ladder
// (envelope, name, container, wrappers, keys, values) and stops at the first
// stage after which its arguments validate against the tool's JSON Schema. What
// never validates, and what has two good readings, is refused with the faults
// of the original call. How far the ladder goes depends on what the tool may do
// to the world: see Class.
package repair

import (
	"strings"

	"evergreen/internal/repair/jsonvalue"
	"evergreen/internal/repair/spelling"
)

// Outcome is what became of a call.
type Outcome string

// The outcomes.
const (
	Exact    Outcome = "exact"    // the arguments' bytes go on as they came, but see Result.Renamed
	Repaired Outcome = "repaired" // the call goes on in canonical form, with a hint
	Refused  Outcome = "refused"  // nothing may be called
)

// The errors of refused calls.
const (
	ErrUnknownTool = "unknown_tool"        // no tool of that name, or several
	ErrUnavailable = "unavailable_tool"    // the tool is known, but hidden or disabled
	ErrInvalid     = "invalid_arguments"   // the arguments do not validate
	ErrAmbiguous   = "ambiguous_arguments" // the arguments are there twice and differ
)

// Change is one thing that a repair did. It holds names and types, never the
// values of arguments.
type Change struct {
	Stage  string `json:"stage"`            // envelope, name, container, wrapper, key, value, query
	Code   string `json:"code"`             // one of the code constants
	Path   string `json:"path,omitempty"`   // where in the arguments, "" for the whole
	Detail string `json:"detail,omitempty"` // from and to, for people
}

// Result is what Call found.
type Result struct {
	Outcome   Outcome
	Name      string   // the tool to call; for a refused call the tool that was meant, if known
	Arguments []byte   // JSON object; nil when the call has none
	Renamed   bool     // exact: keys of Tool.Keys got their declared names, in Arguments only
	Changes   []Change // in the order of the stages; nil unless repaired or only hinted at

	Hint  string // repaired: what changed and the canonical call, at most 300 bytes
	Short string // repaired: the form for a caller that has seen the hint

	Error      string   // refused: one of the Err constants
	Candidates []string // refused: at most three names of tools
	Refusal    string   // refused: what is wrong and one right example
}

// Call repairs one call. raw is the params member of a tools/call request as it
// was received: {"name": ..., "arguments": ...} in any state. The result does
// not alias cat and may alias raw.
func Call(raw []byte, cat *Catalogue) Result {
	r := &run{cat: cat}
	if len(raw) > maxBody {
		return r.refuse(ErrInvalid, "the call is larger than 1 MiB")
	}
	if top, ok := jsonvalue.Skim(raw, reserved); ok {
		if res, ok := cat.exact(top); ok {
			return res
		}
	}
	top, err := jsonvalue.Parse(raw)
	switch {
	case err == jsonvalue.ErrNesting:
		return r.refuse(ErrInvalid, "the call nests deeper than 64 levels")
	case err != nil:
		return r.refuse(ErrInvalid, "the call is not JSON")
	}
	return r.climb(top)
}

// exact returns the call unchanged when nothing about it needs repair.
func (c *Catalogue) exact(top *jsonvalue.Value) (Result, bool) {
	var name, args *jsonvalue.Value
	for _, f := range top.Fields {
		switch f.Name {
		case "name":
			if name != nil {
				return Result{}, false
			}
			name = f.Value
		case "arguments":
			if args != nil {
				return Result{}, false
			}
			args = f.Value
		}
	}
	if name == nil || name.Kind != jsonvalue.Text {
		return Result{}, false
	}
	t := c.byName[name.Text]
	if t == nil || t.Hidden {
		return Result{}, false
	}
	res := Result{Outcome: Exact, Name: t.Name}
	if args != nil {
		res.Arguments = args.Raw
	} else {
		args = emptyObject()
	}
	if len(t.keys) > 0 {
		spelt, fault := (&run{cat: c, tool: t}).accepted(args)
		if fault != nil && t.Policy != PolicyOff {
			return Result{}, false
		}
		if fault == nil && spelt != args {
			args, res.Arguments, res.Renamed = spelt, spelt.AppendJSON(nil), true
		}
	}
	if t.Policy == PolicyOff {
		return res, true
	}
	if strays(top, args, t) || !c.accepts(t, args) {
		return Result{}, false
	}
	if t.ladder.shape {
		if spelt, changes := respell(t.root, args); len(changes) > 0 && c.accepts(t, spelt) {
			return Result{}, false
		}
	}
	return res, true
}

// strays reports whether declared properties lie beside the arguments.
func strays(top, args *jsonvalue.Value, t *tool) bool {
	if len(top.Fields) == 2 || args.Kind != jsonvalue.Object {
		return false
	}
	for _, f := range top.Fields {
		if f.Name != "name" && f.Name != "arguments" && beside(f, len(args.Fields) == 0) &&
			t.takes(f.Name, args) {
			return true
		}
	}
	return false
}

// accepts is the gate that every call passes before it goes on: its arguments
// are an object that validates, no key is there twice with different values,
// and a search has something to search for.
func (c *Catalogue) accepts(t *tool, args *jsonvalue.Value) bool {
	if args.Kind != jsonvalue.Object {
		return false
	}
	if c.ungated {
		return true
	}
	if !t.root.Valid(args) || t.blank(args) {
		return false
	}
	_, twice := args.Duplicate("")
	return !twice
}

// blank reports whether the query of our own search tool holds nothing.
func (t *tool) blank(args *jsonvalue.Value) bool {
	if t.Primary == "" {
		return false
	}
	v := args.Get(t.Primary)
	return v == nil || v.Kind == jsonvalue.Text && strings.TrimSpace(v.Text) == ""
}

func emptyObject() *jsonvalue.Value { return &jsonvalue.Value{Kind: jsonvalue.Object} }

// run is the state of one repair.
type run struct {
	cat     *Catalogue
	tool    *tool
	changes []Change
	renamed bool // keys of Tool.Keys got their declared names
	steps   int
	texts   jsonvalue.Reader
	seen    map[string][]byte // the call after each stage; nil unless traced
}

func (r *run) note(stage, code, path, detail string) {
	r.changes = append(r.changes, Change{Stage: stage, Code: code, Path: shown(path), Detail: detail})
}

// climb takes a call that is not exact up the ladder.
func (r *run) climb(top *jsonvalue.Value) Result {
	top = r.unpackTop(top)
	if top == nil {
		return r.refuse(ErrInvalid, "the call is not an object with name and arguments")
	}
	env := r.openEnvelope(top)
	m := r.cat.resolve(env.name)
	if m.tool == nil {
		return r.unknown(env.name, m.tied)
	}
	r.tool = m.tool
	if m.tool.Hidden {
		return r.unavailable()
	}
	if m.code != "" {
		r.note(stageName, m.code, "", spelling.Cut(env.name, maxEcho)+" → "+m.tool.Name)
	}
	if m.tool.Policy == PolicyOff {
		return r.unknown(env.name, []*tool{m.tool})
	}
	if path, twice := top.Duplicate(""); twice {
		return r.invalid(nil, &refusal{code: ErrAmbiguous, reason: quote(shown(path)) + " is there twice with different values"})
	}
	given, fault := r.gather(env)
	r.seeGathered(env, given)
	if fault == nil {
		var spelt *jsonvalue.Value
		if spelt, fault = r.accepted(given); fault == nil {
			given = spelt
		}
	}
	if fault == nil {
		var done *jsonvalue.Value
		if done, fault = r.arguments(given); fault == nil {
			return r.finish(done)
		}
	}
	return r.invalid(given, fault)
}

// arguments takes the arguments through wrappers, keys, values and, for our own
// search tool, the query, until the gate lets them through.
func (r *run) arguments(args *jsonvalue.Value) (*jsonvalue.Value, *refusal) {
	if out, ok := r.passes(args); ok {
		return out, nil
	}
	mark := len(r.changes)
	if r.tool.ladder.shape {
		var fault *refusal
		peeled := r.peel(args)
		r.see(stageWrapper, r.tool.Name, peeled)
		if args, fault = r.accepted(peeled); fault != nil {
			r.changes = r.changes[:mark]
			return nil, fault
		}
		if out, ok := r.passes(args); ok {
			return out, nil
		}
	}
	peeled := len(r.changes)
	out, fault := r.object("", args, r.tool.root)
	if fault == nil {
		if done, ok := r.passes(out); ok {
			return done, nil
		}
	}
	for _, b := range r.tool.root.Branches {
		r.changes = r.changes[:peeled]
		if out, f := r.object("", args, b); f == nil {
			if done, ok := r.passes(out); ok {
				return done, nil
			}
		}
	}
	if r.tool.Primary != "" && r.tool.ladder.guess {
		r.changes = r.changes[:peeled]
		done, several := r.query(args)
		if done != nil {
			return done, nil
		}
		if several != nil {
			fault = several
		}
	}
	r.changes = r.changes[:mark]
	if fault == nil {
		fault = &refusal{code: ErrInvalid}
	}
	return nil, fault
}

// query finds the query of our own search tool and repairs the rest again.
func (r *run) query(args *jsonvalue.Value) (*jsonvalue.Value, *refusal) {
	found, several := r.extract(args)
	if found == nil {
		return nil, several
	}
	r.see(stageQuery, r.tool.Name, found)
	out, fault := r.object("", found, r.tool.root)
	if fault != nil {
		return nil, nil
	}
	done, _ := r.passes(out)
	return done, nil
}

// passes puts arguments through the gate, with the one repair that valid
// arguments may need: keys in other letters.
func (r *run) passes(args *jsonvalue.Value) (*jsonvalue.Value, bool) {
	if !r.cat.accepts(r.tool, args) {
		return nil, false
	}
	if r.tool.ladder.shape {
		if spelt, changes := respell(r.tool.root, args); len(changes) > 0 && r.cat.accepts(r.tool, spelt) {
			r.changes = append(r.changes, changes...)
			return spelt, true
		}
	}
	return args, true
}
