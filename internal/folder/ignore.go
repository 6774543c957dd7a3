package folder

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Rules of .gitignore files, as git-scm.com/docs/gitignore has them.

const ignoreFile = ".gitignore"

// rules is one file of ignore patterns and those that it overrules. The nil
// rules ignore nothing.
type rules struct {
	parent   *rules
	base     string // folder of the file, relative to the root; "" is the root
	lead     string // for a file above the root: the root relative to its folder
	name     string // how the file is called in reports
	patterns []pattern
}

// within adds the .gitignore of the folder rel, if entries hold one.
func (r *rules) within(dir, rel string, entries []fs.DirEntry) (*rules, error) {
	for _, e := range entries {
		if e.Name() == ignoreFile && e.Type().IsRegular() {
			patterns, err := readPatterns(filepath.Join(dir, ignoreFile))
			return r.add(rules{base: rel, name: join(rel, ignoreFile), patterns: patterns}), err
		}
	}
	return r, nil
}

func (r *rules) add(next rules) *rules {
	if len(next.patterns) == 0 {
		return r
	}
	next.parent = r
	return &next
}

// ignore returns the name of the file whose rule ignores rel, "" when none
// does. The last match of the innermost file that has one decides.
func (r *rules) ignore(rel string, dir bool) string {
	for ; r != nil; r = r.parent {
		under := rel
		if r.lead != "" {
			under = join(r.lead, rel)
		} else if r.base != "" {
			under = strings.TrimPrefix(rel, r.base+"/")
		}
		for i := len(r.patterns) - 1; i >= 0; i-- {
			if p := r.patterns[i]; p.match(under, dir) {
				if p.negate {
					return ""
				}
				return r.name
			}
		}
	}
	return ""
}

// outerRules returns the rules that the repository around root has for it:
// .git/info/exclude and the .gitignore files above. They are void when they
// ignore root itself, for root was asked for by name.
func outerRules(root string) *rules {
	top := repository(root)
	if top == "" {
		return nil
	}
	lead, _ := within(top, root)
	var r *rules
	if patterns, err := readPatterns(filepath.Join(top, ".git", "info", "exclude")); err == nil {
		r = r.add(rules{lead: lead, name: ".git/info/exclude", patterns: patterns})
	}
	steps := strings.Split(lead, "/")
	if lead == "" {
		return r
	}
	for i := range steps {
		above := strings.Join(steps[i:], "/")
		dir := filepath.Join(top, filepath.FromSlash(strings.Join(steps[:i], "/")))
		if patterns, err := readPatterns(filepath.Join(dir, ignoreFile)); err == nil {
			name := strings.Repeat("../", len(steps)-i) + ignoreFile
			r = r.add(rules{lead: above, name: name, patterns: patterns})
		}
		if r.ignoresAncestor(steps[:i+1], steps) {
			return nil
		}
	}
	return r
}

// ignoresAncestor reports whether any file ignores the folder known, the first
// steps of the way from the repository to the root.
func (r *rules) ignoresAncestor(known, all []string) bool {
	for ; r != nil; r = r.parent {
		below := len(strings.Split(r.lead, "/"))
		rel := strings.Join(known[len(all)-below:], "/")
		for i := len(r.patterns) - 1; i >= 0; i-- {
			if p := r.patterns[i]; p.match(rel, true) {
				return !p.negate
			}
		}
	}
	return false
}

// repository returns the top folder of the git work tree around dir, "" when
// there is none.
func repository(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

func readPatterns(name string) ([]pattern, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxIgnoreBytes))
	return parsePatterns(data), err
}

func parsePatterns(data []byte) []pattern {
	var out []pattern
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	for line := range strings.SplitSeq(string(data), "\n") {
		if p, ok := parsePattern(line); ok {
			out = append(out, p)
		}
	}
	return out
}
