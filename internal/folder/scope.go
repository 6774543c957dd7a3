package folder

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"evergreen"
)

// What counts as a document, and which folders stay shut, by name alone.

// class is what a file is to a walk.
type class int

const (
	otherKind class = iota
	outOfScope
	document
)

// knowledgeFile is the one name under which JSON is a document by itself.
const knowledgeFile = "context.json"

// scope holds the caller's patterns.
type scope struct{ include, exclude []string }

func newScope(opts Options) (scope, error) {
	var s scope
	for _, list := range []struct {
		in  []string
		out *[]string
	}{{opts.Include, &s.include}, {opts.Exclude, &s.exclude}} {
		for _, p := range list.in {
			clean := strings.TrimPrefix(DocPath(p), "/")
			if strings.HasSuffix(clean, "/") {
				clean += "**"
			}
			if clean == "" || !doublestar.ValidatePattern(clean) {
				return scope{}, evergreen.Errorf(evergreen.Invalid, "%q is not a pattern", p).
					Fix("use * within a name, ** across folders, {a,b} for either; quote the pattern for the shell")
			}
			*list.out = append(*list.out, clean)
		}
	}
	return s, nil
}

// classify tells what the file at rel is.
func (s scope) classify(rel string) class {
	named, included := false, len(s.include) == 0
	for _, p := range s.include {
		if matches(p, rel) {
			included = true
			named = named || namesKind(p)
		}
	}
	switch {
	case !named && !defaultKind(rel):
		return otherKind
	case !included || s.excluded(rel):
		return outOfScope
	}
	return document
}

func (s scope) excluded(rel string) bool {
	for _, p := range s.exclude {
		if matches(p, rel) {
			return true
		}
	}
	return false
}

// shut says why a folder is not entered, "" when it is.
func (s scope) shut(rel, name string, rules *rules) string {
	switch name {
	case ".git", ".hg", ".svn", ".bzr", "CVS":
		return "version control folder"
	case "node_modules", "bower_components", "site-packages":
		if !s.asksFor(name) {
			return "dependency folder"
		}
	}
	if s.excluded(rel) {
		return "excluded by a pattern"
	}
	if strings.HasPrefix(name, ".") && !s.asksFor(name) {
		return "hidden folder"
	}
	if by := rules.ignore(rel, true); by != "" {
		return "ignored by " + by
	}
	return ""
}

// asksFor reports whether an Include pattern names a folder that is normally
// left shut.
func (s scope) asksFor(name string) bool {
	for _, p := range s.include {
		for segment := range strings.SplitSeq(p, "/") {
			if segment == name || (strings.HasPrefix(segment, ".") && matches(segment, name)) {
				return true
			}
		}
	}
	return false
}

// matches applies a doublestar pattern to a doc_path, and a pattern without a
// slash to the base name as well.
func matches(pattern, rel string) bool {
	if ok, _ := doublestar.Match(pattern, rel); ok {
		return true
	}
	if strings.Contains(pattern, "/") {
		return false
	}
	ok, _ := doublestar.Match(pattern, path.Base(rel))
	return ok
}

// namesKind reports whether a pattern spells out an extension or a whole name,
// so that it can ask for kinds that are not documents by default.
func namesKind(pattern string) bool {
	last := path.Base(pattern)
	if !strings.ContainsAny(last, "*?[{") {
		return true
	}
	dot := strings.LastIndexByte(last, '.')
	return dot >= 0 && dot+1 < len(last) && !strings.ContainsAny(last[dot+1:dot+2], "*?")
}

// defaultKind reports whether a file is a document by its name.
func defaultKind(rel string) bool {
	switch extension(rel) {
	case ".md", ".markdown", ".mdx", ".txt", ".text", ".html", ".htm", ".xhtml":
		return true
	}
	base := path.Base(rel)
	return base == knowledgeFile || strings.EqualFold(base, "readme")
}

// extension is the lower-case extension of a path, "" for a dot-file.
func extension(rel string) string {
	base := path.Base(rel)
	if dot := strings.LastIndexByte(base, '.'); dot > 0 {
		return strings.ToLower(base[dot:])
	}
	return ""
}

// DocPath writes a path within a source the one way that all parts of Evergreen
// use: '/' between, none doubled, no "./" in front.
func DocPath(p string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	for strings.Contains(p, "//") {
		p = strings.ReplaceAll(p, "//", "/")
	}
	for strings.HasPrefix(p, "./") {
		p = strings.TrimLeft(p[2:], "/")
	}
	return p
}

// DefaultName is the collection name for a source that was given none: the
// folder's base name, the file's stem, "kb" for a context.json.
func DefaultName(root string) string {
	abs, err := filepath.Abs(root)
	if err != nil {
		abs = root
	}
	base := filepath.Base(abs)
	info, err := os.Stat(abs)
	if err == nil && info.Mode().IsRegular() {
		if base == knowledgeFile {
			return "kb"
		}
		base = base[:len(base)-len(extension(base))]
	}
	if strings.Trim(base, `./\`) == "" {
		return "root"
	}
	return base
}
