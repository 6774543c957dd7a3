package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"evergreen"
	"evergreen/internal/section"
	"evergreen/internal/site"
	"evergreen/internal/store"
	"evergreen/internal/text"
)

func nearest(word string, names []string) []string { return text.Nearest(word, names, nearestShown) }

// chainOf returns the slug chain and level of section i of a segment.
func chainOf(s *store.Segment, d store.Doc, i int) string {
	var room [128]byte
	return string(appendChain(room[:0], s, d.First, d.Sections, i))
}

// appendChain appends chainOf for a document of n sections from first on.
func appendChain(dst []byte, s *store.Segment, first, n, i int) []byte {
	var room [8]int
	level, parent, leaf := s.RowLeaf(i)
	above := room[:0]
	for p := parent; p >= 0 && p < n; {
		above = append(above, first+p)
		_, next, _ := s.RowLeaf(first + p)
		if next >= p { // a damaged row would circle
			break
		}
		p = next
	}
	for _, a := range slices.Backward(above) {
		_, _, leaf := s.RowLeaf(a)
		dst = append(append(dst, leaf...), '/')
	}
	dst = append(dst, leaf...)
	return append(dst, '#', byte('0'+level%10))
}

// hasChain tells whether chain is what chainOf returns, without making it.
func hasChain(s *store.Segment, d store.Doc, i int, chain string) bool {
	level, parent, leaf := s.RowLeaf(i)
	rest, ok := strings.CutSuffix(chain, "#"+string(rune('0'+level%10)))
	if rest, ok = cutLeaf(rest, leaf, ok); !ok {
		return false
	}
	for p := parent; p >= 0 && p < d.Sections; {
		_, above, leaf := s.RowLeaf(d.First + p)
		if rest, ok = strings.CutSuffix(rest, "/"); !ok {
			return false
		}
		if rest, ok = cutLeaf(rest, leaf, ok); !ok {
			return false
		}
		if above >= p { // a damaged row would circle
			break
		}
		p = above
	}
	return rest == ""
}

// cutLeaf takes a leaf off the end of a chain.
func cutLeaf(chain string, leaf []byte, ok bool) (rest string, found bool) {
	n := len(chain) - len(leaf)
	if !ok || n < 0 || chain[n:] != string(leaf) {
		return chain, false
	}
	return chain[:n], true
}

// idOf returns the public id of section i of document d.
func idOf(collection string, s *store.Segment, d store.Doc, i int) string {
	if d.Flags&store.FlagEntry != 0 {
		return entryID(d.Path)
	}
	return evergreen.SectionID(collection, d.Path, chainOf(s, d, i))
}

// entryID returns a curated entry's own id: what stands behind '#' in the path
// of its document.
func entryID(docPath string) string {
	_, id, _ := strings.Cut(docPath, "#")
	return id
}

// filePath returns the doc_path that readers know: a curated entry's is its
// file's.
func filePath(d store.Doc) string {
	if d.Flags&store.FlagEntry != 0 {
		file, _, _ := strings.Cut(d.Path, "#")
		return file
	}
	return d.Path
}

// marker returns the first bytes of the sha256 of an id, as rows keep them.
func marker(id string) uint32 {
	sum := sha256.Sum256([]byte(id))
	return binary.BigEndian.Uint32(sum[:])
}

// markerText is how an answer cites a section, without brackets.
func markerText(collection, id string) string {
	sum := sha256.Sum256([]byte(id))
	return collection + ":" + hex.EncodeToString(sum[:3])
}

// pathWords turns a doc_path into words worth ranking by.
func pathWords(docPath string) string {
	p := strings.TrimSuffix(docPath, path.Ext(docPath))
	p = strings.TrimSuffix(p, "/index")
	return strings.NewReplacer("/", " ", "_", " ", "-", " ", ".", " ", "#", " ").Replace(p)
}

// titleField is what the title field of a section is indexed from: the chain of
// headings, the document's title when no heading says it, and the path.
func titleField(docTitle, docPath string, rows []section.Row, i int) string {
	parts := []string{rows[i].Title}
	top := rows[i].Title
	for p := rows[i].Parent; p >= 0; p = rows[p].Parent {
		top = rows[p].Title
		parts = append(parts, top)
	}
	if docTitle != top {
		parts = append(parts, docTitle)
	}
	return strings.Join(parts, "\n") + "\n" + pathWords(docPath)
}

// pageURL is where the site shows a document: a page of the origin where it is,
// below the public address.
func pageURL(collection, docPath, address, origin string) string {
	if origin != "" {
		if u := site.Below(origin, address); u != nil {
			return u.String()
		}
	}
	return "/docs/" + escapePath(collection) + "/" + escapePath(strings.TrimSuffix(docPath, path.Ext(docPath)))
}

func escapePath(p string) string {
	const keep = "-._~!$&'()*+,;=:@/"
	var b strings.Builder
	for i := range len(p) {
		c := p[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(keep, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteString("%" + strings.ToUpper(hex.EncodeToString([]byte{c})))
	}
	return b.String()
}
