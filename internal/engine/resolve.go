package engine

import (
	"encoding/hex"
	"path"
	"strings"

	"evergreen"
	"evergreen/internal/section"
	"evergreen/internal/store"
)

// resolve finds the section that an id names. Beside the id itself it accepts
// an entry's id, a bundle's marker, older and other spellings of the slug
// chain, doc_path#anchor, a bare collection::doc_path, and the id of a section
// that has moved; then the place carries a hint.
func (e *Engine) resolve(s *snapshot, asked string) (place, error) {
	id := strings.TrimSpace(asked)
	id = strings.TrimSuffix(strings.TrimPrefix(id, "["), "]")
	if id == "" {
		return place{}, evergreen.Errorf(evergreen.Invalid, "no id is given").Fix("Take an id from search or toc.")
	}
	for _, find := range []func(*snapshot, string) (place, bool){
		e.byID, e.byEntry, e.byMarker, e.byAlias, e.byMoved, e.byDocument,
	} {
		if p, ok := find(s, id); ok && (e.opts.Drafts || p.doc.Flags&store.FlagDraft == 0) {
			if p.hint != "" {
				p.hint = strings.ReplaceAll(p.hint, "{id}", p.id())
			}
			return p, nil
		}
	}
	if err := s.mayHold(id); err != nil {
		return place{}, err
	}
	return place{}, e.unknownID(s, id)
}

// byID takes the id literally.
func (e *Engine) byID(s *snapshot, id string) (place, bool) {
	name, docPath, chain, ok := evergreen.SplitSectionID(id)
	if !ok {
		return place{}, false
	}
	c, ok := s.byName[name]
	if !ok {
		return place{}, false
	}
	seg, n, ok := e.locate(c, docPath)
	if !ok {
		return place{}, false
	}
	d := seg.full(n)
	for i := d.First; i < d.First+d.Sections; i++ {
		if !hasChain(seg.Segment, d, i, chain) {
			continue
		}
		p := place{collection: c, segment: seg, doc: d, row: i}
		if d.Flags&store.FlagEntry == 0 {
			p.asked = id
		}
		return p, true
	}
	return place{}, false
}

// byEntry finds a curated entry, ignoring case when nothing has the exact id.
func (e *Engine) byEntry(s *snapshot, id string) (place, bool) {
	var loose *place
	for _, c := range s.collections {
		for _, p := range c.parts {
			if p.info.Entries == 0 {
				continue
			}
			for n := range p.Docs() {
				if p.dead[n] || p.DocFlags(n)&store.FlagEntry == 0 {
					continue
				}
				have := entryID(p.DocPath(n))
				if !strings.EqualFold(have, id) && have != afterLast(id, "::") {
					continue
				}
				d := p.Doc(n)
				found := place{collection: c, segment: p.segment, doc: d, row: d.First}
				if have == id {
					return found, true
				}
				if loose == nil {
					found.hint = "The id is written {id}."
					loose = &found
				}
			}
		}
	}
	if loose == nil {
		return place{}, false
	}
	return *loose, true
}

func afterLast(s, sep string) string {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[i+len(sep):]
	}
	return s
}

// byMarker takes collection:hex as bundles cite it.
func (e *Engine) byMarker(s *snapshot, id string) (place, bool) {
	i := strings.LastIndexByte(id, ':')
	if i < 1 || strings.HasSuffix(id[:i], ":") {
		return place{}, false
	}
	name, digits := id[:i], strings.ToLower(id[i+1:])
	c, ok := s.byName[name]
	if !ok || len(digits) < 6 || len(digits) > 64 || strings.Trim(digits, "0123456789abcdef") != "" {
		return place{}, false
	}
	head := (digits + "00000000")[:8]
	low, _ := hex.DecodeString(head)
	want := uint32(low[0])<<24 | uint32(low[1])<<16 | uint32(low[2])<<8 | uint32(low[3])
	mask := ^uint32(0)
	if n := min(len(digits), 8); n < 8 {
		mask <<= 4 * (8 - n)
	}
	var found place
	for _, p := range c.parts {
		for i := range p.Sections() {
			if p.Marker(i)&mask != want&mask || p.dead[p.RowDoc(i)] {
				continue
			}
			d := p.Doc(p.RowDoc(i))
			here := place{collection: c, segment: p.segment, doc: d, row: i}
			if !strings.HasPrefix(fullMarker(here.id()), digits) {
				continue
			}
			if found.collection != nil {
				return place{}, false // two sections answer: the marker is too short
			}
			found = here
		}
	}
	return found, found.collection != nil
}

func fullMarker(id string) string {
	sum := hashOf([]byte(id))
	return hex.EncodeToString(sum[:])
}

// byAlias looks through the other names of a document's sections.
func (e *Engine) byAlias(s *snapshot, id string) (place, bool) {
	for _, target := range aliasTargets(s, id) {
		seg, d, err := e.findDoc(target.collection, target.docPath)
		if err != nil || d.Flags&store.FlagEntry != 0 || d.Sections == 0 {
			continue
		}
		text, err := seg.DocText(d)
		if err != nil {
			continue
		}
		here := place{collection: target.collection, segment: seg, doc: d, hint: "The id is now {id}."}
		d = seg.full(seg.RowDoc(d.First))
		options, doc := split(d, text, e.opts.ASCII)
		if len(doc.Rows) != d.Sections {
			continue
		}
		if strings.HasSuffix(target.name, "#0") && d.Sections > 0 { // jdocmunch's preamble
			here.row = d.First
			return here, true
		}
		for i, names := range section.Aliases(text, options, doc) {
			for _, n := range names {
				if n != "" && n == target.name {
					here.row = d.First + i
					return here, true
				}
			}
		}
		if row, ok := looseChain(seg, d, target.name); ok {
			here.row = row
			return here, true
		}
	}
	return place{}, false
}

// looseChain accepts a chain without its level, or its last segment when only
// one section ends so.
func looseChain(seg *segment, d store.Doc, name string) (int, bool) {
	want, _, _ := strings.Cut(name, "#")
	found, count := 0, 0
	for i := d.First; i < d.First+d.Sections; i++ {
		chain, _, _ := strings.Cut(chainOf(seg.Segment, d, i), "#")
		if chain == want {
			return i, true
		}
		if strings.HasSuffix(chain, "/"+want) {
			found, count = i, count+1
		}
	}
	return found, count == 1
}

// aliasTarget is a document and a name in it, as one reading of an id.
type aliasTarget struct {
	collection    *collection
	docPath, name string
}

// aliasTargets lists the readings of an id: collection::path::chain#level,
// collection::path#anchor, path#anchor in any collection.
func aliasTargets(s *snapshot, id string) []aliasTarget {
	first, last := strings.Index(id, "::"), strings.LastIndex(id, "::")
	if first >= 0 && first+2 <= last {
		name, docPath, chain := id[:first], id[first+2:last], id[last+2:]
		if c, ok := s.byName[name]; ok {
			return []aliasTarget{{c, docPath, chain}}
		}
		if c, ok := s.byName[strings.TrimPrefix(name, "local/")]; ok {
			return []aliasTarget{{c, docPath, chain}}
		}
		return nil
	}
	file, anchor, ok := strings.Cut(id, "#")
	if !ok || anchor == "" {
		return nil
	}
	if name, docPath, ok := strings.Cut(file, "::"); ok {
		if c, ok := s.byName[name]; ok {
			return []aliasTarget{{c, docPath, anchor}}
		}
		return nil
	}
	var out []aliasTarget
	for _, c := range s.collections {
		out = append(out, aliasTarget{c, file, anchor})
		if docPath, ok := strings.CutPrefix(file, c.name()+"/"); ok {
			out = append(out, aliasTarget{c, docPath, anchor})
		}
	}
	return out
}

// byMoved follows a section that has lost its id: by what it said when it was
// last seen.
func (e *Engine) byMoved(s *snapshot, id string) (place, bool) {
	name, rest, ok := strings.Cut(id, "::")
	c, known := s.byName[name]
	if !ok || !known {
		return place{}, false
	}
	state, _ := e.lib.State(c.manifest)
	for _, m := range state.Moved {
		if m.Path != rest {
			continue
		}
		for _, p := range c.parts {
			for i := range p.Sections() {
				if p.RowHash(i) == m.Hash && !p.dead[p.RowDoc(i)] {
					return place{
						collection: c, segment: p.segment, doc: p.Doc(p.RowDoc(i)), row: i,
						hint: "This section has moved; its id is now {id}.",
					}, true
				}
			}
		}
	}
	return place{}, false
}

// byDocument takes collection::doc_path, collection/doc_path or a doc_path that
// only one collection has, as its first section.
func (e *Engine) byDocument(s *snapshot, id string) (place, bool) {
	var found []place
	for _, c := range s.collections {
		for _, docPath := range []string{
			id, strings.TrimPrefix(id, c.name()+"::"), strings.TrimPrefix(id, c.name()+"/"),
		} {
			seg, n, ok := e.locate(c, docPath)
			if !ok {
				continue
			}
			if d := seg.Doc(n); d.Sections > 0 && d.Flags&store.FlagEntry == 0 {
				found = append(found, place{
					collection: c, segment: seg, doc: d, row: d.First,
					hint: "That names a document; this is its first section, {id}.",
				})
				break
			}
		}
	}
	if len(found) != 1 {
		return place{}, false
	}
	return found[0], true
}

// locate finds the number of a live document of a collection.
func (e *Engine) locate(c *collection, docPath string) (*segment, int, bool) {
	for i := len(c.parts) - 1; i >= 0; i-- {
		p := c.parts[i]
		if n, ok := p.FindDoc(docPath); ok && !p.dead[n] {
			return p.segment, n, e.opts.Drafts || p.DocFlags(n)&store.FlagDraft == 0
		}
	}
	return nil, 0, false
}

// findDoc finds a live document of a collection, with its Meta.
func (e *Engine) findDoc(c *collection, docPath string) (*segment, store.Doc, error) {
	if seg, n, ok := e.locate(c, docPath); ok {
		return seg, seg.FullDoc(n), nil
	}
	return nil, store.Doc{}, evergreen.Errorf(evergreen.NotFound, "collection %q has no document %q", c.name(), docPath).
		Near(nearest(docPath, c.pathsLike(docPath))...).Fix("`evergreen toc %s` lists its documents.", c.name())
}

// pathsLike lists doc_paths worth comparing with one that is unknown: those
// that share its last segment or begin alike, or all when there are few.
func (c *collection) pathsLike(docPath string) []string {
	var all, like []string
	base := strings.ToLower(path.Base(docPath))
	stem := strings.TrimSuffix(base, path.Ext(base))
	for _, p := range c.parts {
		for n := range p.Docs() {
			if p.dead[n] || p.DocFlags(n)&store.FlagEntry != 0 {
				continue
			}
			name := p.DocPath(n)
			all = append(all, name)
			if stem != "" && strings.Contains(strings.ToLower(name), stem) {
				like = append(like, name)
			}
		}
	}
	if len(like) >= nearestShown || len(all) > maxCompared && len(like) > 0 {
		return like[:min(len(like), maxCompared)]
	}
	return all[:min(len(all), maxCompared)]
}
