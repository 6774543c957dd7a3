package pack

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path"
	"strings"

	"evergreen"
)

// This file says how to cite entries.

// Marker returns how an answer cites an entry: [EG-201] for a curated entry,
// [react:3fa9c1] for a section, which is its collection and the first six hex
// digits of the sha256 of its id.
func Marker(e evergreen.Entry) string {
	return marker(e, minMarkerDigits)
}

// Markers returns the markers of entries that stand in one bundle. Where two of
// them would share one, those get more digits, or, as curated entries of
// different collections, their collection's name.
func Markers(entries []evergreen.Entry) []string {
	key := func(e evergreen.Entry) string { return e.Collection + "\x00" + e.ID }
	digits := map[string]int{} // by key
	for _, e := range entries {
		digits[key(e)] = minMarkerDigits
	}
	out := make([]string, len(entries))
	for clash := true; clash; {
		clash = false
		owner := map[string]string{} // marker to key
		for i, e := range entries {
			out[i] = marker(e, digits[key(e)])
			if other, taken := owner[out[i]]; taken && other != key(e) {
				clash = clash || max(digits[other], digits[key(e)]) < sha256.Size*2
				digits[other]++
				digits[key(e)]++
			}
			owner[out[i]] = key(e)
		}
	}
	return out
}

func marker(e evergreen.Entry, digits int) string {
	collection, isSection := sectionOf(e)
	if !isSection {
		if digits > minMarkerDigits && e.Collection != "" {
			return "[" + e.Collection + ":" + oneLine(e.ID) + "]"
		}
		return "[" + oneLine(e.ID) + "]"
	}
	sum := sha256.Sum256([]byte(e.ID))
	h := hex.EncodeToString(sum[:])
	return "[" + collection + ":" + h[:min(digits, len(h))] + "]"
}

func sectionOf(e evergreen.Entry) (collection string, ok bool) {
	if e.Curated {
		return "", false
	}
	collection, _, _, ok = evergreen.SplitSectionID(e.ID)
	return collection, ok
}

// CitationURL returns where a reader finds an entry: its own URL with its
// anchor, else /context.json#ID for a curated entry and the page of its
// document for a section. base is put before site-absolute ones.
func CitationURL(e evergreen.Entry, base string) string {
	_, isSection := sectionOf(e)
	switch {
	case e.URL != "":
		address := e.URL
		if strings.HasPrefix(address, "/") {
			address = strings.TrimSuffix(base, "/") + address
		}
		if e.Anchor == "" || strings.Contains(address, "#") {
			return address
		}
		return address + (&url.URL{Fragment: e.Anchor}).String()
	case !isSection:
		u := url.URL{Path: "/context.json", Fragment: e.ID}
		return strings.TrimSuffix(base, "/") + u.String()
	}
	collection, docPath, _, _ := evergreen.SplitSectionID(e.ID)
	u := url.URL{
		Path:     "/docs/" + collection + "/" + strings.TrimSuffix(docPath, path.Ext(docPath)),
		Fragment: e.Anchor,
	}
	return strings.TrimSuffix(base, "/") + u.String()
}

func citation(e evergreen.Entry, marker, lang, base string) evergreen.Citation {
	return evergreen.Citation{
		Marker:     marker,
		EntryID:    e.ID,
		URL:        CitationURL(e, base),
		Text:       wordsFor(lang).source + oneLine(e.Title),
		Confidence: e.Confidence,
	}
}

// cite returns the citations of what was packed and the list of what was not.
func cite(f Filling, r Request) ([]evergreen.Citation, []evergreen.LeftOut) {
	var entries []evergreen.Entry
	for _, list := range [][]evergreen.PackedEntry{f.Packed, f.LeftOut} {
		for _, p := range list {
			entries = append(entries, p.Entry)
		}
	}
	markers := Markers(entries)
	citations := []evergreen.Citation{}
	for i, p := range f.Packed {
		citations = append(citations, citation(p.Entry, markers[i], r.Lang, r.BaseURL))
	}
	var left []evergreen.LeftOut
	for i, p := range f.LeftOut {
		left = append(left, leftOut(p, markers[len(f.Packed)+i]))
	}
	return citations, left
}

func leftOut(p evergreen.PackedEntry, marker string) evergreen.LeftOut {
	return evergreen.LeftOut{ID: p.ID, Title: p.Title, Marker: marker, Tokens: p.Tokens, Score: p.Score}
}
