package store

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"evergreen"
)

const manifestName = "manifest.json"

// Manifest says what a collection consists of.
type Manifest struct {
	Format    int                `json:"format"`
	Name      string             `json:"name"`
	Serial    int                `json:"serial"`     // number of the last file written
	IndexedAt time.Time          `json:"indexed_at"` // when content last changed
	CheckedAt time.Time          `json:"checked_at"` // when the sources were last compared with it
	Sources   []evergreen.Source `json:"sources"`
	Segments  []SegmentInfo      `json:"segments"`
	State     int                `json:"state,omitempty"` // number of the state file, 0 for none
	Knowledge *Knowledge         `json:"knowledge,omitempty"`
}

// Knowledge is what a context.json says about itself.
type Knowledge struct {
	Version    string     `json:"version,omitempty"`
	Revision   string     `json:"revision,omitempty"`
	License    string     `json:"license,omitempty"`
	Site       string     `json:"site,omitempty"`
	Categories []Category `json:"categories,omitempty"`
}

// Category is a declared category of entries.
type Category struct {
	ID          string `json:"id"`
	Label       string `json:"label,omitempty"`
	Description string `json:"description,omitempty"`
}

// SegmentInfo describes one immutable segment and which of its documents are
// no longer part of the collection. The counts are of live documents.
type SegmentInfo struct {
	Number    int   `json:"number"`
	Documents int   `json:"documents"`
	Sections  int   `json:"sections"`
	Entries   int   `json:"entries,omitempty"` // documents that are curated entries
	Drafts    int   `json:"drafts,omitempty"`  // documents that are drafts, dead ones included
	Tokens    int   `json:"tokens"`
	TextBytes int64 `json:"text_bytes"` // of all its texts, dead ones included
	DeadBytes int64 `json:"dead_bytes,omitempty"`
	Dead      []int `json:"dead,omitempty"` // document numbers, ascending
}

// Totals adds up the live counts.
func (m Manifest) Totals() (documents, sections, tokens int) {
	for _, s := range m.Segments {
		documents, sections, tokens = documents+s.Documents, sections+s.Sections, tokens+s.Tokens
	}
	return documents, sections, tokens
}

// Manifest reads a collection's manifest. An unknown collection is NotFound
// with the nearest names; one of another format version counts as unknown.
func (l *Library) Manifest(name string) (Manifest, error) {
	var m Manifest
	dir := l.dir(name)
	file := filepath.Join(dir, manifestName)
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return m, evergreen.Errorf(evergreen.NotFound, "no collection is named %q", name)
	}
	if err == nil && info.Size() > maxManifestBytes {
		return m, damaged(name, "its manifest is too large")
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return m, readError(err)
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return m, damaged(name, "its manifest cannot be read")
	}
	if m.Format != formatVersion {
		return m, evergreen.Errorf(evergreen.NotFound, "collection %q was written by another version of Evergreen", name).
			Fix("Index its source again: `evergreen index SOURCE --name %s`.", name)
	}
	if m.Name == "" {
		m.Name = name
	}
	return m, nil
}

// Commit makes m the collection's state and removes files that it no longer
// names. It is the only step that readers can see.
func (w *Writer) Commit(m Manifest) error {
	dir := w.lib.dir(m.Name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return writeError(err)
	}
	repo, err := json.Marshal(map[string]string{"name": m.Name})
	if err != nil {
		return err
	}
	if nameOf(dir) != m.Name || !exists(filepath.Join(dir, "repo.json")) {
		if err := writeFile(filepath.Join(dir, "repo.json"), append(repo, '\n')); err != nil {
			return err
		}
	}
	m.Format = formatVersion
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(dir, manifestName), append(b, '\n')); err != nil {
		return err
	}
	w.sweep(dir, m)
	return w.bump()
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// Sweep removes files that an interrupted write left behind.
func (w *Writer) Sweep(name string) {
	if m, err := w.lib.Manifest(name); err == nil {
		w.sweep(w.lib.dir(name), m)
	}
}

// sweep removes what m does not name. Files that a reader still has mapped may
// resist on some systems; the next sweep gets them.
func (w *Writer) sweep(dir string, m Manifest) {
	keep := map[string]bool{"repo.json": true, manifestName: true}
	for _, s := range m.Segments {
		keep[strconv.Itoa(s.Number)+".seg"] = true
		keep[strconv.Itoa(s.Number)+".text"] = true
	}
	keep[strconv.Itoa(m.State)+".state"] = true
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !keep[e.Name()] && (ours(e.Name()) || strings.HasPrefix(e.Name(), ".tmp-")) {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

func ours(name string) bool {
	switch filepath.Ext(name) {
	case ".seg", ".text", ".state":
		return true
	}
	return false
}

// Kill marks document number n, which is d, as removed.
func (s *SegmentInfo) Kill(n int, d Doc) {
	i := sort.SearchInts(s.Dead, n)
	if i < len(s.Dead) && s.Dead[i] == n {
		return
	}
	s.Dead = slices.Insert(s.Dead, i, n)
	s.Documents--
	s.Sections -= d.Sections
	s.Tokens -= d.Tokens
	s.DeadBytes += int64(d.TextBytes)
	if d.Flags&FlagEntry != 0 {
		s.Entries--
	}
}
