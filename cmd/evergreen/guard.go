package main

// This file tells people of passages that address the model.

import (
	"context"
	"fmt"

	"evergreen"
)

// sayWarnings names what the guard has marked.
func (a *app) sayWarnings(warnings []evergreen.Warning) {
	for _, w := range warnings {
		a.say("warning: " + w.ID + " addresses the model (" + w.Rule + "): " + w.Text)
	}
}

// checkGuard reads every section of a collection and counts those that address
// the model. It finds nothing while the guard is off.
func checkGuard(ctx context.Context, e library, collection string) check {
	name := "guard " + collection
	outline, err := e.Outline(ctx, evergreen.OutlineRequest{Collection: collection, Limit: -1})
	if err != nil {
		return failed(name, err)
	}
	sections, marked, first := 0, 0, evergreen.Warning{}
	for _, d := range outline.Documents {
		for _, s := range d.Sections {
			text, err := e.Section(ctx, evergreen.SectionRequest{ID: s.ID})
			if err != nil {
				return failed(name, err)
			}
			if sections++; len(text.Warnings) > 0 {
				if marked++; marked == 1 {
					first = text.Warnings[0]
				}
			}
		}
	}
	if marked == 0 {
		return passed(name, count(sections, "section")+", none addresses the model")
	}
	return note(name, fmt.Sprintf("%s of %s address the model, the first: %s (%s): %s", thousands(marked), count(sections, "section"), first.ID, first.Rule, first.Text),
		"read them, and leave out with --exclude what should not be read by agents")
}
