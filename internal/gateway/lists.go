package gateway

// This file shows which tools calls are repaired for.

import (
	"slices"

	"evergreen"
	"evergreen/internal/repair"
)

// List is a list of tools that calls can be repaired for.
type List struct {
	Name  string // of the upstream; "" is all that the face serves
	Tools int    // that are served
}

// Lists returns what the face serves as a whole, and each upstream that serves
// something.
func (f *Face) Lists() []List {
	m := f.current.Load()
	own := 0
	for _, t := range f.o.Own {
		if !t.Hidden {
			own++
		}
	}
	lists := []List{{Tools: own + len(m.remote)}}
	for _, member := range f.g.members {
		served := 0
		for _, e := range m.remote {
			if e.m == member {
				served++
			}
		}
		if served > 0 {
			lists = append(lists, List{Name: member.o.Name, Tools: served})
		}
	}
	return lists
}

// Catalogue returns what calls of a list are repaired by. A list that is not
// served is an error of kind NotFound.
func (f *Face) Catalogue(list string) (*repair.Catalogue, error) {
	m := f.current.Load()
	if list == "" {
		return m.catalogue, nil
	}
	i := slices.IndexFunc(f.g.members, func(member *member) bool { return member.o.Name == list })
	var tools []repair.Tool
	if i >= 0 {
		for _, e := range f.g.members[i].entries() {
			t := e.repairTool(f.o.Policy)
			if remote, served := m.remote[e.name]; !served || remote.m != e.m {
				t.Hidden = true
			}
			tools = append(tools, t)
		}
	}
	if len(tools) == 0 {
		return nil, evergreen.Errorf(evergreen.NotFound, "no upstream %q serves tools here", list).Fix("leave the list out for all tools")
	}
	return repair.NewCatalogue(tools, repair.Options{Server: f.o.Name})
}
