package repair

import (
	"fmt"
	"slices"
	"strings"
)

// This file gives keys their declared names (stage 5).

// refusal says why a repair stopped. An empty reason leaves the word to the
// faults of the original call.
type refusal struct {
	code   string
	reason string
}

// object repairs one object against its shape: keys, then values.
func (r *run) object(path string, in *value, s *shape) (*value, *refusal) {
	if len(in.fields) > maxKeys {
		return nil, &refusal{code: ErrInvalid, reason: "more than 256 keys"}
	}
	if len(s.props) == 0 && len(s.patterns) == 0 && s.rest == nil && s.extra != closed {
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
	return objectValue(r.values(path, fields, s)), nil
}

func split(in *value, s *shape) (fields, unknown []field) {
	for _, f := range in.sorted() {
		if s.knows(f.name) {
			fields = append(fields, f)
		} else {
			unknown = append(unknown, f)
		}
	}
	return fields, unknown
}

func has(fields []field, name string) bool {
	return slices.ContainsFunc(fields, func(f field) bool { return f.name == name })
}

func missing(fields []field, s *shape) []string {
	var out []string
	for _, name := range s.required {
		if !has(fields, name) {
			out = append(out, name)
		}
	}
	return out
}

// addWrapper puts arguments into the one required object parameter when they
// all belong into it.
func (r *run) addWrapper(path string, in *value, s *shape) *value {
	if !r.tool.ladder.shape || path != "" || len(s.required) != 1 || len(in.fields) == 0 {
		return nil
	}
	p := s.byName[s.required[0]]
	if p == nil || p.shape.types != typeObject || len(p.shape.props) == 0 {
		return nil
	}
	if fields, _ := split(in, s); len(fields) > 0 {
		return nil
	}
	mark := len(r.changes)
	inner, fault := r.object(p.name, in, p.shape)
	if fault != nil || len(inner.fields) != len(in.fields) || !p.shape.valid(inner) {
		r.changes = r.changes[:mark]
		return nil
	}
	r.note(stageWrapper, WrapperAdded, p.name, "parameters → in "+p.name)
	return objectValue([]field{{p.name, inner}})
}

// target is where an unknown key goes.
type target struct {
	name, code string
}

// rename gives unknown keys the declared names that they stand for. Two keys
// with different values for one parameter are two readings.
func (r *run) rename(path string, fields, unknown []field, s *shape) (kept, left []field, fault *refusal) {
	need := s.extra == closed || len(missing(fields, s)) > 0
	byTarget := map[string][]field{}
	codes := map[string]string{}
	for _, f := range unknown {
		t := r.target(f, fields, unknown, s)
		if t.name == "" || !need && t.code != KeyLetters {
			left = append(left, f)
			continue
		}
		byTarget[t.name] = append(byTarget[t.name], f)
		codes[f.name] = t.code
	}
	kept = slices.Clone(fields)
	for _, name := range sortedKeys(byTarget) {
		from := byTarget[name]
		for i, f := range from {
			at := join(path, name)
			switch {
			case i == 0:
				kept = append(kept, field{name, f.v})
				r.note(stageKey, codes[f.name], at, shown(f.name)+" → "+name)
			case same(f.v, from[0].v):
				r.note(stageKey, KeyRepeated, at, shown(f.name)+" repeats "+shown(from[0].name))
			default:
				return nil, nil, &refusal{code: ErrInvalid, reason: fmt.Sprintf("%s and %s both stand for %s, with different values",
					quote(shown(from[0].name)), quote(shown(f.name)), name)}
			}
		}
	}
	return kept, left, nil
}

// target finds the parameter that an unknown key stands for: by its letters,
// its plural, its family, or one edit. Every level wants exactly one.
func (r *run) target(f field, fields, unknown []field, s *shape) target {
	free := func(name string) bool { return !has(fields, name) }
	word := letters(f.name)
	only := func(match func(*prop) bool) (string, int) {
		name, n := "", 0
		for i := range s.props {
			if p := &s.props[i]; free(p.name) && match(p) {
				name, n = p.name, n+1
			}
		}
		return name, n
	}
	if word == "" {
		return target{}
	}
	for _, level := range []struct {
		code  string
		match func(*prop) bool
	}{
		{KeyLetters, func(p *prop) bool { return p.letters == word }},
		{KeyPlural, func(p *prop) bool { return singular(p.letters) == singular(word) }},
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
	typo := func(p *prop) bool {
		long, short := max(len(p.letters), len(word)), min(len(p.letters), len(word))
		return long >= minTypoWord && short >= minTypoWord-1 && oneEdit(p.letters, word) && r.fits(f.v, p.shape)
	}
	if name, n := only(typo); n == 1 {
		return target{name, KeyTypo}
	}
	if lack := missing(fields, s); len(unknown) == 1 && len(lack) == 1 && len(lack[0]) >= 3 && oneEdit(letters(lack[0]), word) {
		return target{lack[0], KeyTypo}
	}
	return target{}
}

// byFamily picks the one parameter of the key's families that takes the value.
func (r *run) byFamily(f field, s *shape, free func(string) bool) string {
	for _, targets := range familyTargets(f.name, s, free) {
		targets = slices.DeleteFunc(targets, func(p *prop) bool { return !r.fits(f.v, p.shape) })
		if len(targets) == 1 {
			return targets[0].name
		}
		if len(targets) > 1 {
			return ""
		}
	}
	return r.byNoun(f.name, s, free)
}

// byNoun matches "id" with the one "<noun>_id" of a schema, and "<noun>_id" with
// its "id" where the noun is in the tool's name; both for a required parameter.
func (r *run) byNoun(key string, s *shape, free func(string) bool) string {
	var ids []prop
	for _, p := range s.props {
		if words := tokens(p.name); len(words) > 0 && words[len(words)-1] == "id" {
			ids = append(ids, p)
		}
	}
	if len(ids) != 1 || !free(ids[0].name) || !s.needs(ids[0].name) {
		return ""
	}
	words := tokens(key)
	switch n := len(words); {
	case n == 1 && words[0] == "id":
		return ids[0].name
	case n == 2 && words[1] == "id" && ids[0].letters == "id" && slices.Contains(r.tool.bareTokens, words[0]):
		return ids[0].name
	}
	return ""
}

// leftover decides about keys that stand for nothing declared: an open schema
// passes them on, a closed one has them dropped on tools that only read.
func (r *run) leftover(path string, fields, unknown []field, s *shape) ([]field, *refusal) {
	lack := len(missing(fields, s)) > 0
	for _, f := range unknown {
		at := join(path, f.name)
		switch {
		case s.extra != closed:
			fields = append(fields, f)
			if s.extra == openUnset {
				r.note(stageKey, KeyPassed, at, "not a declared parameter, passed on")
			}
		case !r.tool.ladder.shape || lack:
			return nil, &refusal{code: ErrInvalid}
		case repeats(f, fields):
			r.note(stageKey, KeyRepeated, at, "the same again in other letters")
		case bookkeeping(f.name):
			r.note(stageKey, KeyBookkeeping, at, "client's own key dropped")
		case !r.tool.ladder.guess || nearMiss(f.name, s):
			return nil, &refusal{code: ErrInvalid}
		default:
			r.note(stageKey, KeyDropped, at, "unknown key dropped")
		}
	}
	return fields, nil
}

// repeats reports whether a field says again what one of fields says.
func repeats(f field, fields []field) bool {
	return slices.ContainsFunc(fields, func(g field) bool { return letters(g.name) == letters(f.name) && same(f.v, g.v) })
}

// nearMiss reports whether an unknown key may be a declared one misspelt, so
// that dropping it could lose what the caller wants.
func nearMiss(key string, s *shape) bool {
	word := letters(key)
	for _, p := range s.props {
		short, long := min(len(word), len(p.letters)), max(len(word), len(p.letters))
		if edits := 1 + short/5; short >= 3 && long-short <= edits && distance(word, p.letters) <= edits {
			return true
		}
	}
	return false
}

// misspelt lists the keys of valid arguments that differ from one declared,
// absent parameter in case or separators only. Schemas that speak about
// additional properties mean what they say.
func misspelt(s *shape, args *value) map[string]string {
	if s.extra != openUnset || s.opaque || len(s.patterns) > 0 || len(args.fields) > maxKeys {
		return nil
	}
	var out map[string]string
	for _, f := range args.fields {
		if s.byName[f.name] != nil {
			continue
		}
		word, name, n := letters(f.name), "", 0
		for i := range s.props {
			if p := &s.props[i]; p.letters == word && word != "" && args.get(p.name) == nil {
				name, n = p.name, n+1
			}
		}
		if n == 1 {
			if out == nil {
				out = map[string]string{}
			}
			out[f.name] = name
		}
	}
	return out
}

// respell renames misspelt keys. Two keys for one parameter are left alone.
func respell(s *shape, args *value) (*value, []Change) {
	wrong := misspelt(s, args)
	if len(wrong) == 0 {
		return args, nil
	}
	taken := map[string]int{}
	for _, name := range wrong {
		taken[name]++
	}
	var fields []field
	var changes []Change
	for _, f := range args.sorted() {
		if name := wrong[f.name]; name != "" && taken[name] == 1 {
			changes = append(changes, Change{stageKey, KeyLetters, name, shown(f.name) + " → " + name})
			f.name = name
		}
		fields = append(fields, f)
	}
	return objectValue(fields), changes
}

func quote(s string) string { return `"` + strings.ReplaceAll(cut(s, maxEcho), `"`, "'") + `"` }
