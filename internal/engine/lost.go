package engine

import (
	"evergreen"
)

// This file tells with an answer which collections are not in it: who asks of all
// of them would take the rest for everything there is.

// lost are the warnings of an answer from the collections in scope: of those that
// cannot be read, when none was named, and of those that are not whole.
func (sc *scope) lost(named bool) []evergreen.Warning {
	var out []evergreen.Warning
	if !named {
		for _, d := range sc.snap.damaged {
			out = append(out, evergreen.Damage{Name: d.name, Kind: evergreen.KindOf(d.err)}.Warning())
		}
	}
	for _, c := range sc.within {
		out = append(out, c.lost()...)
	}
	return out
}

// lost is the warning of an answer from a collection that is not whole.
func (c *collection) lost() []evergreen.Warning {
	if len(c.manifest.Missing) == 0 {
		return nil
	}
	return []evergreen.Warning{evergreen.Damage{Name: c.name(), Kind: evergreen.Damaged}.Warning()}
}
