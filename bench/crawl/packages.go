package main

// This file fetches documentation as Debian packages it, and the sources of its
// pages.

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	"evergreen/bench/internal/data"
	"evergreen/bench/internal/peer"
	"evergreen/bench/internal/program"
)

// site is the documentation in one Debian package.
type site struct {
	name    string // of the package
	folder  string // of its HTML, below the package
	version string
	html    string // folder on disk
	sources string // folder of reStructuredText beside it, "" when there is none
	suffix  string // that a source has in place of .html
}

// unpack downloads a package with apt-get and unpacks it below work, where it
// stays for the next run. why says what is missing, "" when nothing is.
func (s *site) unpack(ctx context.Context, work string) (why string) {
	var root string
	if root, s.version, why = peer.Debian(ctx, work, s.name); why != "" {
		return why
	}
	s.html = filepath.Join(root, filepath.FromSlash(s.folder))
	if !isFolder(s.html) {
		return "it holds no " + s.folder
	}
	return ""
}

// findSources finds the pages' sources: in the package, or in the release of
// the same version on PyPI when project names one.
func (s *site) findSources(ctx context.Context, work, project string) (why string) {
	if inside := filepath.Join(s.html, "_sources"); isFolder(inside) {
		s.sources, s.suffix = inside, ".rst.txt"
		return ""
	}
	upstream := regexp.MustCompile(`^(?:\d+:)?([\d.]+)`).FindStringSubmatch(s.version)
	if project == "" || upstream == nil {
		return "the package holds no _sources"
	}
	folder := filepath.Join(work, "debian", s.name, "release")
	release := fmt.Sprintf("%s==%s", project, upstream[1])
	if archives, _ := filepath.Glob(filepath.Join(folder, "*.tar.gz")); len(archives) == 0 {
		if _, err := program.Measure(exec.CommandContext(ctx, "python3", "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", folder, release)); err != nil {
			return "pip could not download " + release
		}
	}
	archives, _ := filepath.Glob(filepath.Join(folder, "*.tar.gz"))
	if len(archives) == 0 {
		return "pip left no archive of " + release
	}
	tree := filepath.Join(folder, "tree")
	if err := data.Unpack(archives[0], tree); err != nil {
		return err.Error()
	}
	docs, _ := filepath.Glob(filepath.Join(tree, "*", "docs"))
	if len(docs) == 0 {
		return release + " holds no docs"
	}
	s.sources, s.suffix = docs[0], ".txt"
	return ""
}

// pages lists the HTML files below the folder, with slashes.
func (s *site) pages() (all []string, err error) {
	err = filepath.WalkDir(s.html, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".html" {
			return err
		}
		relative, err := filepath.Rel(s.html, path)
		all = append(all, filepath.ToSlash(relative))
		return err
	})
	return all, err
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
