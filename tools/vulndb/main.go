// Vulndb writes a vulnerability database that govulncheck reads from a folder,
// from the OSV entries in the Go module golang.org/x/vulndb. So known
// vulnerabilities are checked through the module proxy and the checksum
// database, also where vuln.go.dev cannot be reached.
//
//	go -C tools run ./vulndb [-from FOLDER] OUT
//
// Without -from the newest version of the module is downloaded, or the newest
// one in the module cache is taken when that fails. The layout of OUT is that of
// https://go.dev/doc/security/vuln/database#api.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

const source = "golang.org/x/vulndb"

func main() {
	from := flag.String("from", "", "`FOLDER` with the OSV files, instead of the module's data/osv")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: vulndb [-from FOLDER] OUT")
		os.Exit(2)
	}
	version := "a folder"
	var err error
	if *from == "" {
		*from, version, err = newest()
	}
	var entries []entry
	if err == nil {
		entries, err = read(*from)
	}
	if err == nil {
		err = write(flag.Arg(0), entries)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "vulndb:", err)
		os.Exit(1)
	}
	fmt.Printf("vulndb: %d entries of %s\n", len(entries), version)
}

// newest returns the folder of the entries of the newest version there is.
func newest() (dir, version string, err error) {
	cmd := exec.Command("go", "mod", "download", "-json", source+"@latest")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var got struct{ Dir, Version, Error string }
	if json.Unmarshal(out, &got) == nil && got.Dir != "" {
		return filepath.Join(got.Dir, "data", "osv"), source + " " + got.Version, nil
	}
	cache, cacheErr := exec.Command("go", "env", "GOMODCACHE").Output()
	if cacheErr != nil {
		return "", "", cacheErr
	}
	kept, _ := filepath.Glob(filepath.Join(string(bytes.TrimSpace(cache)), filepath.FromSlash(source)+"@*"))
	if len(kept) == 0 {
		return "", "", fmt.Errorf("download %s: %w %s%s, and the module cache holds none", source, errors.Join(err), got.Error, stderr.String())
	}
	last := slices.Max(kept) // the versions begin with their time
	return filepath.Join(last, "data", "osv"), filepath.Base(last) + " from the module cache", nil
}

// entry is one OSV file, as far as the index needs it. Times are those of the
// files; in the module they are zero, and govulncheck needs none.
type entry struct {
	ID        string    `json:"id"`
	Modified  time.Time `json:"modified"`
	Withdrawn string    `json:"withdrawn"`
	Aliases   []string  `json:"aliases"`
	Affected  []struct {
		Package struct {
			Name string `json:"name"`
		} `json:"package"`
		Ranges []struct {
			Type   string `json:"type"`
			Events []struct {
				Fixed string `json:"fixed"`
			} `json:"events"`
		} `json:"ranges"`
	} `json:"affected"`

	raw []byte
}

// read reads all entries of a folder, by id.
func read(dir string) ([]entry, error) {
	files, err := filepath.Glob(filepath.Join(dir, "GO-*.json"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("there are no GO-*.json in %s", dir)
	}
	var entries []entry
	for _, file := range files {
		var e entry
		if e.raw, err = os.ReadFile(file); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(e.raw, &e); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if e.ID+".json" != filepath.Base(file) {
			return nil, fmt.Errorf("%s says it is %q", file, e.ID)
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.ID, b.ID) })
	return entries, nil
}

// The files of the index.
type (
	dbFile struct {
		Modified time.Time `json:"modified"`
	}
	moduleFile struct {
		Path  string       `json:"path"`
		Vulns []moduleVuln `json:"vulns"`
	}
	moduleVuln struct {
		ID       string    `json:"id"`
		Modified time.Time `json:"modified"`
		Fixed    string    `json:"fixed,omitempty"`
	}
	vulnFile struct {
		ID       string    `json:"id"`
		Modified time.Time `json:"modified"`
		Aliases  []string  `json:"aliases,omitempty"`
	}
)

// write makes the database anew in a folder.
func write(out string, entries []entry) error {
	for _, dir := range []string{"ID", "index"} {
		if err := errors.Join(os.RemoveAll(filepath.Join(out, dir)), os.MkdirAll(filepath.Join(out, dir), 0o755)); err != nil {
			return err
		}
	}
	var vulns []vulnFile
	for _, e := range entries {
		if err := os.WriteFile(filepath.Join(out, "ID", e.ID+".json"), e.raw, 0o644); err != nil {
			return err
		}
		vulns = append(vulns, vulnFile{e.ID, e.Modified, e.Aliases})
	}
	for name, content := range map[string]any{"db": dbFile{newestOf(entries)}, "modules": modules(entries), "vulns": vulns} {
		b, err := json.Marshal(content)
		if err == nil {
			err = os.WriteFile(filepath.Join(out, "index", name+".json"), b, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// modules lists by module path what affects it.
func modules(entries []entry) []moduleFile {
	by := map[string][]moduleVuln{}
	for _, e := range entries {
		seen := map[string]bool{}
		for _, a := range e.Affected {
			if path := a.Package.Name; !seen[path] {
				seen[path] = true
				by[path] = append(by[path], moduleVuln{e.ID, e.Modified, e.fixed(path)})
			}
		}
	}
	out := []moduleFile{}
	for path, vulns := range by {
		out = append(out, moduleFile{path, vulns})
	}
	slices.SortFunc(out, func(a, b moduleFile) int { return cmp.Compare(a.Path, b.Path) })
	return out
}

// fixed is the version that mends a module for good: the last event of its
// last range. "" when one is not mended.
func (e entry) fixed(path string) (version string) {
	for _, a := range e.Affected {
		if a.Package.Name != path {
			continue
		}
		for _, r := range a.Ranges {
			if n := len(r.Events); r.Type == "SEMVER" && n > 0 {
				version = r.Events[n-1].Fixed
			}
		}
	}
	return version
}

func newestOf(entries []entry) (t time.Time) {
	for _, e := range entries {
		if e.Modified.After(t) {
			t = e.Modified
		}
	}
	return t
}
