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
	Missing   []Missing          `json:"missing,omitempty"` // what damage took and no source has brought back
	Client    string             `json:"client,omitempty"`  // mark of who made it, see ClientMark; "" is the operator
}

// Missing is a file whose documents were lost. Without a path it stands for all
// of a source.
type Missing struct {
	Source int    `json:"source"` // index into Sources
	Path   string `json:"path,omitempty"`
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
// with the nearest names; one of an earlier format counts as unknown, one of a
// later format is a Conflict and must be left as it is.
func (l *Library) Manifest(name string) (Manifest, error) {
	var m Manifest
	dir := l.dir(name)
	b, err := readSmall(filepath.Join(dir, manifestName))
	switch {
	case errors.Is(err, fs.ErrNotExist) && exists(filepath.Join(dir, repoName)):
		return m, damaged(name, "its manifest is missing")
	case errors.Is(err, fs.ErrNotExist):
		return m, evergreen.Errorf(evergreen.NotFound, "no collection is named %q", name)
	case errors.Is(err, errTooLarge):
		return m, damaged(name, "its manifest is too large")
	case err != nil:
		return m, readError(err)
	}
	if err := checkFormat(name, b); err != nil {
		return m, err
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return Manifest{}, damaged(name, "its manifest cannot be read")
	}
	if m.Name == "" {
		m.Name = name
	}
	return m, nil
}

// checkFormat tells whether a manifest is of this format and as it was written.
// A wrong sum is damage whatever the format seems to be: its number may be what
// flipped.
func checkFormat(name string, manifest []byte) error {
	var head struct {
		Format *int `json:"format"`
	}
	has, right := sealed(manifest)
	if has && !right {
		return damaged(name, "its manifest is not as it was written")
	}
	if json.Unmarshal(manifest, &head) != nil || head.Format == nil {
		return damaged(name, "its manifest cannot be read")
	}
	switch f := *head.Format; {
	case f > formatVersion:
		return evergreen.Errorf(evergreen.Conflict, "collection %q is of format %d, which a newer Evergreen wrote; this one reads format %d", name, f, formatVersion).
			Fix("Use the newer Evergreen, or name another library with --library DIR. Nothing was changed.")
	case f < formatVersion:
		return evergreen.Errorf(evergreen.NotFound, "collection %q was written by another version of Evergreen", name).
			Fix("Index its source again: `evergreen index SOURCE --name %s`.", name)
	case !has:
		return damaged(name, "its manifest has no checksum")
	}
	return nil
}

var errTooLarge = errors.New("larger than it can be")

// readSmall reads a file that is held in memory.
func readSmall(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err == nil && info.Size() > maxManifestBytes {
		return nil, errTooLarge
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

// Commit makes m the collection's state and removes files that it no longer
// names. It is the only step that readers can see.
func (w *Writer) Commit(m Manifest) error {
	dir := w.lib.dir(m.Name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return writeError(err)
	}
	m.Format = formatVersion
	b, err := seal(m)
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(dir, manifestName), b); err != nil {
		return err
	}
	if err := writeRepo(dir, m); err != nil {
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
	keep := map[string]bool{repoName: true, manifestName: true}
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
		if !keep[e.Name()] && (ours(e.Name()) || strings.HasPrefix(e.Name(), tempPrefix)) {
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
