package engine

import (
	"evergreen"
)

// This file marks what addresses the model that reads it. Nothing is changed or
// left out: a page about such attacks is told from one only by its reader.

// warnings are the marks of a passage, nil when the guard is off.
func (e *Engine) warnings(id string, texts ...string) []evergreen.Warning {
	if e.guard == nil {
		return nil
	}
	var out []evergreen.Warning
	for _, text := range texts {
		for _, m := range e.guard.Find(text) {
			out = append(out, evergreen.Warning{ID: id, Rule: m.Rule, Text: m.Text})
		}
	}
	return out
}

// guardBundle adds the marks of what was packed.
func (e *Engine) guardBundle(b evergreen.Bundle, err error) (evergreen.Bundle, error) {
	for _, p := range b.Entries {
		b.Warnings = append(b.Warnings, e.warnings(p.ID, p.Title, p.Body)...)
	}
	return b, err
}
