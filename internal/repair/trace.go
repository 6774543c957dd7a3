package repair

import (
	"slices"

	"evergreen/internal/repair/jsonvalue"
)

// This file tells how a call climbed the ladder, for people who want to see it.

// Step is one stage of the ladder that changed a call.
type Step struct {
	Stage   string   // as Change.Stage names it
	Changes []Change // of this stage, in order; at least one
	// Before and After are the call around the stage: JSON, but for the first
	// Before, which is the call as it was received.
	Before, After []byte
}

// Trace repairs a call as [Call] does and returns the stages that changed it,
// in the order of the ladder. The last After is the call that may run. Of a
// refused call only those stages are told that were certain before it failed.
func Trace(raw []byte, cat *Catalogue) (Result, []Step) {
	if len(raw) > maxBody {
		return Call(raw, cat), nil
	}
	top, err := jsonvalue.Parse(raw)
	if err != nil {
		return Call(raw, cat), nil
	}
	if res, ok := cat.exact(top); ok {
		return res, nil
	}
	r := &run{cat: cat, seen: map[string][]byte{}}
	res := r.climb(top)
	if res.Outcome == Exact {
		return res, nil
	}
	return res, r.ladderSteps(raw)
}

// stageDone is where the finished call is kept among those seen.
const stageDone = ""

// ladderOrder lists the stages as a call climbs them.
func ladderOrder() []string {
	return []string{stageEnvelope, stageName, stageContainer, stageWrapper, stageQuery, stageKey, stageValue}
}

// ladderSteps groups the changes by stage and puts the calls around them.
func (r *run) ladderSteps(raw []byte) []Step {
	var steps []Step
	before := raw
	for _, stage := range ladderOrder() {
		changes := slices.DeleteFunc(slices.Clone(r.changes), func(c Change) bool { return c.Stage != stage })
		if len(changes) == 0 {
			continue
		}
		after := r.seen[stage]
		if after == nil {
			after = before
		}
		steps = append(steps, Step{Stage: stage, Changes: changes, Before: before, After: after})
		before = after
	}
	if final := r.seen[stageDone]; len(steps) > 0 && final != nil {
		steps[len(steps)-1].After = final
	}
	return steps
}

// see keeps the call as it is after a stage, if somebody wants to know. A later
// attempt of the same stage wins: it is the one that went on.
func (r *run) see(stage, name string, args *jsonvalue.Value) {
	if r.seen == nil {
		return
	}
	if args == nil {
		args = emptyObject()
	}
	r.seen[stage] = []byte(callJSON(name, args))
}

// seeGathered keeps what was made of envelope, name and container. Arguments
// that lay beside the name are the envelope's work, unless the container was
// opened in between.
func (r *run) seeGathered(env envelope, given *jsonvalue.Value) {
	if r.seen == nil {
		return
	}
	carried := env.args
	if !slices.ContainsFunc(r.changes, func(c Change) bool { return c.Stage == stageContainer }) {
		carried = given
	}
	r.see(stageEnvelope, env.name, carried)
	r.see(stageName, r.tool.Name, carried)
	r.see(stageContainer, r.tool.Name, given)
}
