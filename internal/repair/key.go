package repair

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"evergreen/internal/repair/jsonvalue"
	"evergreen/internal/repair/shape"
	"evergreen/internal/repair/spelling"
)

// This file gives keys their declared names (stage 5).

// refusal says why a repair stopped. An empty reason leaves the word to the
// faults of the original call.
type refusal struct {
	code   string
	reason string
}

// object repairs one object against its shape: keys, then values.
func (r *run) object(path string, in *jsonvalue.Value, s *shape.Shape) (*jsonvalue.Value, *refusal) {
	if len(in.Fields) > maxKeys {
		return nil, &refusal{code: ErrInvalid, reason: "more than 256 keys"}
	}
	if len(s.Props) == 0 && len(s.Patterns) == 0 && s.Rest == nil && s.Extra != shape.Closed {
		return in, nil
	}
	if out := r.addWrapper(path, in, s); out != nil {
		return out, nil
	}
	fields, unknown := split(in, s)
	if r.tool.ladder.shape {
		var fault *refusal
		if fields, unknown, fault = r.rename(path, fields, unknown, s); fault != nil {
			return nil, fault
		}
	}
	fields, fault := r.leftover(path, fields, unknown, s)
	if fault != nil {
		return nil, fault
	}
	if path == "" && r.seen != nil {
		r.see(stageKey, r.tool.Name, jsonvalue.NewObject(slices.Clone(fields)))
	}
	return jsonvalue.NewObject(r.values(path, fields, s)), nil
}

func split(in *jsonvalue.Value, s *shape.Shape) (fields, unknown []jsonvalue.Field) {
	for _, f := range in.Sorted() {
		if s.Knows(f.Name) {
			fields = append(fields, f)
		} else {
			unknown = append(unknown, f)
		}
	}
	return fields, unknown
}

func has(fields []jsonvalue.Field, name string) bool {
	return slices.ContainsFunc(fields, func(f jsonvalue.Field) bool { return f.Name == name })
}

func missing(fields []jsonvalue.Field, s *shape.Shape) []string {
	var out []string
	for _, name := range s.Required {
		if !has(fields, name) {
			out = append(out, name)
		}
	}
	return out
}

// addWrapper puts arguments into the one required object parameter when they
// all belong into it.
func (r *run) addWrapper(path string, in *jsonvalue.Value, s *shape.Shape) *jsonvalue.Value {
	if !r.tool.ladder.shape || path != "" || len(s.Required) != 1 || len(in.Fields) == 0 {
		return nil
	}
	p := s.ByName[s.Required[0]]
	if p == nil || p.Shape.Types != shape.TypeObject || len(p.Shape.Props) == 0 {
		return nil
	}
	if fields, _ := split(in, s); len(fields) > 0 {
		return nil
	}
	mark := len(r.changes)
	inner, fault := r.object(p.Name, in, p.Shape)
	if fault != nil || len(inner.Fields) != len(in.Fields) || !p.Shape.Valid(inner) {
		r.changes = r.changes[:mark]
		return nil
	}
	r.note(stageWrapper, WrapperAdded, p.Name, "parameters → in "+p.Name)
	return jsonvalue.NewObject([]jsonvalue.Field{{Name: p.Name, Value: inner}})
}

// target is where an unknown key goes.
type target struct {
	name, code string
}

// rename gives unknown keys the declared names that they stand for. Two keys
// with different values for one parameter are two readings.
func (r *run) rename(path string, fields, unknown []jsonvalue.Field, s *shape.Shape) (kept, left []jsonvalue.Field, fault *refusal) {
	need := s.Extra == shape.Closed || len(missing(fields, s)) > 0
	byTarget := map[string][]jsonvalue.Field{}
	codes := map[string]string{}
	for _, f := range unknown {
		t := r.target(f, fields, unknown, s)
		if t.name == "" || !need && t.code != KeyLetters {
			left = append(left, f)
			continue
		}
		byTarget[t.name] = append(byTarget[t.name], f)
		codes[f.Name] = t.code
	}
	kept = slices.Clone(fields)
	for _, name := range slices.Sorted(maps.Keys(byTarget)) {
		from := byTarget[name]
		for i, f := range from {
			at := jsonvalue.Join(path, name)
			switch {
			case i == 0:
				kept = append(kept, jsonvalue.Field{Name: name, Value: f.Value})
				r.note(stageKey, codes[f.Name], at, shown(f.Name)+" → "+name)
			case jsonvalue.Same(f.Value, from[0].Value):
				r.note(stageKey, KeyRepeated, at, shown(f.Name)+" repeats "+shown(from[0].Name))
			default:
				return nil, nil, &refusal{code: ErrInvalid, reason: fmt.Sprintf("%s and %s both stand for %s, with different values",
					quote(shown(from[0].Name)), quote(shown(f.Name)), name)}
			}
		}
	}
	return kept, left, nil
}

// target finds the parameter that an unknown key stands for: by its letters,
// its plural, its family, or one edit. Every level wants exactly one.
func (r *run) target(f jsonvalue.Field, fields, unknown []jsonvalue.Field, s *shape.Shape) target {
	free := func(name string) bool { return !has(fields, name) }
	word := spelling.Letters(f.Name)
	only := func(match func(*shape.Prop) bool) (string, int) {
		name, n := "", 0
		for i := range s.Props {
			if p := &s.Props[i]; free(p.Name) && match(p) {
				name, n = p.Name, n+1
			}
		}
		return name, n
	}
	if word == "" {
		return target{}
	}
	for _, level := range []struct {
		code  string
		match func(*shape.Prop) bool
	}{
		{KeyLetters, func(p *shape.Prop) bool { return p.Letters == word }},
		{KeyPlural, func(p *shape.Prop) bool { return spelling.Singular(p.Letters) == spelling.Singular(word) }},
	} {
		if name, n := only(level.match); n == 1 {
			return target{name, level.code}
		} else if n > 1 {
			return target{}
		}
	}
	if name := r.byFamily(f, s, free); name != "" {
		return target{name, KeyAlias}
	}
	if !r.tool.ladder.guess {
		return target{}
	}
	typo := func(p *shape.Prop) bool {
		long, short := max(len(p.Letters), len(word)), min(len(p.Letters), len(word))
		return long >= minTypoWord && short >= minTypoWord-1 && spelling.OneEdit(p.Letters, word) && r.fits(f.Value, p.Shape)
	}
	if name, n := only(typo); n == 1 {
		return target{name, KeyTypo}
	}
	if lack := missing(fields, s); len(unknown) == 1 && len(lack) == 1 && len(lack[0]) >= 3 && spelling.OneEdit(spelling.Letters(lack[0]), word) {
		return target{lack[0], KeyTypo}
	}
	return target{}
}

// byFamily picks the one parameter of the key's families that takes the value.
func (r *run) byFamily(f jsonvalue.Field, s *shape.Shape, free func(string) bool) string {
	for _, targets := range familyTargets(f.Name, s, free) {
		targets = slices.DeleteFunc(targets, func(p *shape.Prop) bool { return !r.fits(f.Value, p.Shape) })
		if len(targets) == 1 {
			return targets[0].Name
		}
		if len(targets) > 1 {
			return ""
		}
	}
	return r.byNoun(f.Name, s, free)
}

// byNoun matches "id" with the one "<noun>_id" of a schema, and "<noun>_id" with
// its "id" where the noun is in the tool's name; both for a required parameter.
func (r *run) byNoun(key string, s *shape.Shape, free func(string) bool) string {
	var ids []shape.Prop
	for _, p := range s.Props {
		if words := spelling.Tokens(p.Name); len(words) > 0 && words[len(words)-1] == "id" {
			ids = append(ids, p)
		}
	}
	if len(ids) != 1 || !free(ids[0].Name) || !s.Needs(ids[0].Name) {
		return ""
	}
	words := spelling.Tokens(key)
	switch n := len(words); {
	case n == 1 && words[0] == "id":
		return ids[0].Name
	case n == 2 && words[1] == "id" && ids[0].Letters == "id" && slices.Contains(r.tool.bareTokens, words[0]):
		return ids[0].Name
	}
	return ""
}

// leftover decides about keys that stand for nothing declared: an open schema
// passes them on, a closed one has them dropped on tools that only read.
func (r *run) leftover(path string, fields, unknown []jsonvalue.Field, s *shape.Shape) ([]jsonvalue.Field, *refusal) {
	lack := len(missing(fields, s)) > 0
	for _, f := range unknown {
		at := jsonvalue.Join(path, f.Name)
		switch {
		case s.Extra != shape.Closed:
			fields = append(fields, f)
			if s.Extra == shape.OpenUnset {
				r.note(stageKey, KeyPassed, at, "not a declared parameter, passed on")
			}
		case !r.tool.ladder.shape || lack:
			return nil, &refusal{code: ErrInvalid}
		case repeats(f, fields):
			r.note(stageKey, KeyRepeated, at, "the same again in other letters")
		case bookkeeping(f.Name):
			r.note(stageKey, KeyBookkeeping, at, "client's own key dropped")
		case !r.tool.ladder.guess || nearMiss(f.Name, s):
			return nil, &refusal{code: ErrInvalid}
		default:
			r.note(stageKey, KeyDropped, at, "unknown key dropped")
		}
	}
	return fields, nil
}

// repeats reports whether a field says again what one of fields says.
func repeats(f jsonvalue.Field, fields []jsonvalue.Field) bool {
	return slices.ContainsFunc(fields, func(g jsonvalue.Field) bool {
		return spelling.Letters(g.Name) == spelling.Letters(f.Name) && jsonvalue.Same(f.Value, g.Value)
	})
}

// nearMiss reports whether an unknown key may be a declared one misspelt, so
// that dropping it could lose what the caller wants.
func nearMiss(key string, s *shape.Shape) bool {
	word := spelling.Letters(key)
	for _, p := range s.Props {
		short, long := min(len(word), len(p.Letters)), max(len(word), len(p.Letters))
		if edits := 1 + short/5; short >= 3 && long-short <= edits && spelling.Distance(word, p.Letters) <= edits {
			return true
		}
	}
	return false
}

// misspelt lists the keys of valid arguments that differ from one declared,
// absent parameter in case or separators only. Schemas that speak about
// additional properties mean what they say.
func misspelt(s *shape.Shape, args *jsonvalue.Value) map[string]string {
	if s.Extra != shape.OpenUnset || s.Opaque || len(s.Patterns) > 0 || len(args.Fields) > maxKeys {
		return nil
	}
	var out map[string]string
	for _, f := range args.Fields {
		if s.ByName[f.Name] != nil {
			continue
		}
		word, name, n := spelling.Letters(f.Name), "", 0
		for i := range s.Props {
			if p := &s.Props[i]; p.Letters == word && word != "" && args.Get(p.Name) == nil {
				name, n = p.Name, n+1
			}
		}
		if n == 1 {
			if out == nil {
				out = map[string]string{}
			}
			out[f.Name] = name
		}
	}
	return out
}

// respell renames misspelt keys. Two keys for one parameter are left alone.
func respell(s *shape.Shape, args *jsonvalue.Value) (*jsonvalue.Value, []Change) {
	wrong := misspelt(s, args)
	if len(wrong) == 0 {
		return args, nil
	}
	taken := map[string]int{}
	for _, name := range wrong {
		taken[name]++
	}
	var fields []jsonvalue.Field
	var changes []Change
	for _, f := range args.Sorted() {
		if name := wrong[f.Name]; name != "" && taken[name] == 1 {
			changes = append(changes, Change{stageKey, KeyLetters, name, shown(f.Name) + " → " + name})
			f.Name = name
		}
		fields = append(fields, f)
	}
	return jsonvalue.NewObject(fields), changes
}

func quote(s string) string {
	return `"` + strings.ReplaceAll(spelling.Cut(s, maxEcho), `"`, "'") + `"`
}
