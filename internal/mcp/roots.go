package mcp

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"evergreen"
)

// allowedPath resolves a path that a caller wants indexed and checks that it
// lies below an allowed root, with every symlink followed on both sides. A path
// outside is refused alike whether it exists or not. A relative path counts from
// the folder the server works in, as its user would write it.
func (s *Server) allowedPath(ctx context.Context, path string) (resolved, kind string, err error) {
	all, err := s.engine.Collections(ctx)
	if err != nil {
		return "", "", err
	}
	return LocalSource(path, Roots(s.options.Roots, all))
}

// LocalSource resolves a path that somebody wants indexed and tells what kind of
// source it is. It must lie below a root (see Roots). Errors are of kind Blocked
// outside of them, NotFound and Invalid.
func LocalSource(path string, roots []string) (resolved, kind string, err error) {
	absolute, err := filepath.Abs(filepath.FromSlash(strings.TrimPrefix(path, "file://")))
	if err != nil {
		return "", "", err
	}
	resolved, ok := within(absolute, roots)
	if !ok {
		return "", "", evergreen.Errorf(evergreen.Blocked, "%q lies outside the folders that may be indexed here", cut(path, 200)).
			Fix("choose a path below one of: %s", strings.Join(roots, ", "))
	}
	info, err := os.Stat(resolved)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", "", evergreen.Errorf(evergreen.NotFound, "%q does not exist", cut(path, 200)).
			Fix("the allowed folders are: %s", strings.Join(roots, ", "))
	case err != nil:
		return "", "", evergreen.Errorf(evergreen.Invalid, "%q cannot be read: %w", cut(path, 200), err)
	case info.IsDir():
		return resolved, evergreen.SourceFolder, nil
	case filepath.Base(resolved) == "context.json":
		return resolved, evergreen.SourceKnowledge, nil
	}
	return resolved, evergreen.SourceFile, nil
}

// Roots are the configured roots and the library's local sources, absolute and
// with symlinks followed. A root that is gone is no root.
func Roots(configured []string, all []evergreen.Collection) []string {
	places := slices.Clone(configured)
	for _, c := range all {
		places = append(places, c.Source)
		for _, source := range c.Sources {
			places = append(places, source.Location)
		}
	}
	var roots []string
	for i, p := range places {
		if i >= len(configured) && !filepath.IsAbs(p) {
			continue // a URL, or nothing
		}
		absolute, err := filepath.Abs(p)
		if err != nil {
			continue
		}
		if real, err := filepath.EvalSymlinks(absolute); err == nil && !slices.Contains(roots, real) {
			roots = append(roots, real)
		}
	}
	return roots
}

// within resolves path and tells whether it is a root or lies below one. Of a
// path that does not exist the nearest existing folder decides.
func within(path string, roots []string) (string, bool) {
	real, rest := filepath.Clean(path), ""
	for {
		resolved, err := filepath.EvalSymlinks(real)
		if err == nil {
			real = filepath.Join(resolved, rest)
			break
		}
		parent := filepath.Dir(real)
		if parent == real {
			return "", false
		}
		rest = filepath.Join(filepath.Base(real), rest)
		real = parent
	}
	for _, root := range roots {
		if rel, err := filepath.Rel(root, real); err == nil && filepath.IsLocal(rel) {
			return real, true
		}
	}
	return "", false
}
