package repair

import (
	"fmt"
	"maps"
	"slices"

	"evergreen"

	"evergreen/internal/repair/jsonvalue"
	"evergreen/internal/repair/spelling"
)

// This file knows the further names of parameters that a tool accepts as its
// own (Tool.Keys). A call that uses them is as right as one with the declared
// names, so nothing is hinted at.

// furtherKeys are in.Keys by their letters.
func (t *tool) furtherKeys(in *Tool) error {
	for _, key := range slices.Sorted(maps.Keys(in.Keys)) {
		name, word := in.Keys[key], spelling.Letters(key)
		if word == "" || len(t.root.Props) > 0 && t.root.ByName[name] == nil {
			return evergreen.Errorf(evergreen.Invalid, "key %q of tool %q stands for %q, which is no parameter of it", key, in.Name, name).
				Fix("name one of %s", names(t.root))
		}
		if t.keys == nil {
			t.keys = map[string]string{}
		}
		t.keys[word] = name
	}
	return nil
}

// further is the parameter that a key is a further name of, "" for others.
func (t *tool) further(key string) string {
	if len(t.keys) == 0 || t.root.ByName[key] != nil {
		return ""
	}
	if name := t.keys[spelling.Letters(key)]; name != key {
		return name
	}
	return ""
}

// takes reports whether a key that lies beside args belongs into them.
func (t *tool) takes(key string, args *jsonvalue.Value) bool {
	if t.root.ByName[key] != nil {
		return args.Get(key) == nil
	}
	name := t.further(key)
	return name != "" && args.Get(name) == nil && args.Get(key) == nil
}

// accepted gives the tool's further keys their declared names; args itself comes
// back when there are none. A key that holds nothing, or what its optional
// parameter can never hold, is left as any unknown key. Different values for one
// parameter are two readings.
func (r *run) accepted(args *jsonvalue.Value) (*jsonvalue.Value, *refusal) {
	t := r.tool
	if args.Kind != jsonvalue.Object || len(args.Fields) > maxKeys ||
		!slices.ContainsFunc(args.Fields, func(f jsonvalue.Field) bool { return t.further(f.Name) != "" }) {
		return args, nil
	}
	given := map[string]jsonvalue.Field{} // by parameter
	for _, f := range args.Fields {
		if jsonvalue.Absent(f.Value) || t.further(f.Name) != "" {
			continue
		}
		for i := range t.root.Props {
			if p := &t.root.Props[i]; p.Name == f.Name || p.Letters == spelling.Letters(f.Name) {
				given[p.Name] = f
			}
		}
	}
	var kept []jsonvalue.Field
	moved := map[string]bool{}
	for _, f := range args.Sorted() {
		name := t.further(f.Name)
		if name == "" || jsonvalue.Absent(f.Value) || !t.root.Needs(name) && t.root.Of(name) != nil && !r.fits(f.Value, t.root.Of(name)) {
			kept = append(kept, f)
			continue
		}
		first, twice := given[name]
		if twice && !jsonvalue.Same(first.Value, f.Value) {
			return nil, &refusal{code: ErrAmbiguous, reason: fmt.Sprintf("%s and %s both stand for %s, with different values",
				quote(shown(first.Name)), quote(shown(f.Name)), name)}
		}
		if !twice {
			given[name], moved[name] = f, true
		}
		r.renamed = true
	}
	if len(kept) == len(args.Fields) {
		return args, nil
	}
	kept = slices.DeleteFunc(kept, func(f jsonvalue.Field) bool { return moved[f.Name] })
	for _, name := range slices.Sorted(maps.Keys(moved)) {
		kept = append(kept, jsonvalue.Field{Name: name, Value: given[name].Value})
	}
	return jsonvalue.NewObject(kept), nil
}
