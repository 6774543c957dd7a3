package store

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"evergreen"
)

// repo is what repo.json holds: who the collection is and where it came from,
// in a file of its own so that it outlives damage to the manifest.
type repo struct {
	Name    string             `json:"name"`
	Sources []evergreen.Source `json:"sources,omitempty"`
	Client  string             `json:"client,omitempty"` // as in the manifest
}

const repoName = "repo.json"

// writeRepo follows the manifest: until it is there the manifest's name counts.
func writeRepo(dir string, m Manifest) error {
	b, err := seal(repo{m.Name, m.Sources, m.Client})
	if err != nil {
		return err
	}
	file := filepath.Join(dir, repoName)
	if old, err := readSmall(file); err == nil && bytes.Equal(old, b) {
		return nil
	}
	return writeFile(file, b)
}

// readRepo reads repo.json. whole tells that it is as it was written; one
// without a sum may have been made by hand, and its name still counts.
func readRepo(dir string) (r repo, whole bool) {
	b, err := readSmall(filepath.Join(dir, repoName))
	if err != nil || json.Unmarshal(b, &r) != nil {
		return repo{}, false
	}
	has, right := sealed(b)
	if has && !right {
		return repo{}, false
	}
	return r, right
}

// nameOf finds a collection's name: in repo.json, else in the manifest, else
// the folder's own. A name that does not lead to the folder is none of its own.
func nameOf(dir string) string {
	if r, _ := readRepo(dir); r.Name != "" {
		return r.Name
	}
	if name := manifestOf(dir).Name; name != "" && Key(name) == filepath.Base(dir) {
		return name
	}
	return filepath.Base(dir)
}

// manifestOf reads a manifest of any format that has its sum, or never had one.
func manifestOf(dir string) (m Manifest) {
	b, err := readSmall(filepath.Join(dir, manifestName))
	if err != nil {
		return Manifest{}
	}
	if has, right := sealed(b); has && !right || json.Unmarshal(b, &m) != nil {
		return Manifest{}
	}
	return m
}

// Sources returns where a collection came from, also when its manifest is
// damaged or of an earlier format; nil when nothing says so any more.
func (l *Library) Sources(name string) []evergreen.Source {
	dir := l.dir(name)
	if m := manifestOf(dir); len(m.Sources) > 0 {
		return m.Sources
	}
	if r, whole := readRepo(dir); whole {
		return r.Sources
	}
	return nil
}

// LastNumber returns the highest number that a file of the collection has, 0
// for none: what a writer that cannot read the manifest goes on from, so that
// no file that a reader has open is written again.
func (l *Library) LastNumber(name string) int {
	entries, err := os.ReadDir(l.dir(name))
	if err != nil {
		return 0
	}
	last := 0
	for _, e := range entries {
		if stem, _, ok := strings.Cut(e.Name(), "."); ok && ours(e.Name()) {
			if n, err := strconv.Atoi(stem); err == nil {
				last = max(last, n)
			}
		}
	}
	return last
}
