package engine

import (
	"strings"

	"evergreen"
	"evergreen/internal/index"
	"evergreen/internal/store"
	"evergreen/internal/text"
)

// unknownID makes the error for an id that names nothing, with the nearest ids:
// of the same document when that exists, else of what its words find.
func (e *Engine) unknownID(s *snapshot, id string) error {
	err := evergreen.Errorf(evergreen.NotFound, "no section or entry has the id %q", id).
		Fix("Take an id from search or toc; ids are case-sensitive.")
	if len(s.collections) == 0 {
		return err.Fix("The library is empty: `evergreen index SOURCE` fills it.")
	}
	var near []string
	add := func(ids []string) {
		for _, n := range text.Nearest(id, ids, nearestShown) {
			if len(near) < nearestShown {
				near = append(near, n)
			}
		}
	}
	name, docPath, _, isSection := evergreen.SplitSectionID(id)
	if c, ok := s.byName[name]; isSection && ok {
		if seg, d, derr := e.findDoc(c, docPath); derr == nil {
			var ids []string
			for i := d.First; i < d.First+d.Sections; i++ {
				ids = append(ids, idOf(name, seg.Segment, d, i))
			}
			add(ids)
		}
	}
	if len(near) < nearestShown {
		add(without(s.entryIDs(), near))
	}
	if isSection || len(near) < nearestShown {
		near = mixNear(id, near, e.idsAbout(s, id))
	}
	if len(near) < nearestShown {
		near = append(near, text.Nearest(id, without(s.someIDs(), near), nearestShown-len(near))...)
	}
	return err.Near(near...)
}

// someIDs lists ids from the beginning of each collection, for an id that is
// like none.
func (s *snapshot) someIDs() []string {
	var ids []string
	for _, c := range s.collections {
		for _, d := range c.docs(false)[:min(len(c.docs(false)), maxCompared/100)] {
			for i := d.doc.First; i < d.doc.First+min(d.doc.Sections, nearestShown); i++ {
				ids = append(ids, idOf(c.name(), d.segment.Segment, d.doc, i))
			}
		}
	}
	return ids
}

// mixNear chooses among the candidates of several searches.
func mixNear(id string, near, more []string) []string {
	return text.Nearest(id, append(append([]string{}, near...), without(more, near)...), nearestShown)
}

func without(list, drop []string) []string {
	seen := map[string]bool{}
	for _, d := range drop {
		seen[d] = true
	}
	var out []string
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

func (s *snapshot) entryIDs() []string {
	var ids []string
	for _, c := range s.collections {
		for _, p := range c.parts {
			if p.info.Entries == 0 {
				continue
			}
			for n := range p.Docs() {
				if !p.dead[n] && p.DocFlags(n)&store.FlagEntry != 0 {
					ids = append(ids, entryID(p.DocPath(n)))
				}
			}
		}
	}
	return ids
}

// idsAbout finds sections by the words of an id.
func (e *Engine) idsAbout(s *snapshot, id string) []string {
	sc, err := e.scope(s, "", "", "")
	if err != nil {
		return nil
	}
	words := strings.NewReplacer("::", " ", "/", " ", "-", " ", "_", " ", "#", " ", ".", " ").Replace(id)
	found, _ := e.rank(sc, index.ParseQuery(words), 20)
	var ids []string
	for _, f := range found {
		ids = append(ids, sc.id(f.Ref))
	}
	return ids
}
