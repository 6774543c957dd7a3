// Package data finds the public corpora that the measurements read: folders and
// archives of real documentation, and judged queries, below the folder that the
// environment variable EVERGREEN_CORPORA names. Nothing of them is kept here.
package data

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Variable names the folder of the corpora.
const Variable = "EVERGREEN_CORPORA"

// Corpora is the folder of the corpora, "" when there is none.
type Corpora string

// Find returns the folder that the environment names. A name that is no folder
// is an error: a mistyped one must not pass for "not there".
func Find() (Corpora, error) {
	dir := os.Getenv(Variable)
	if dir == "" {
		return "", nil
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", fmt.Errorf("%s names %s, which is no folder", Variable, dir)
	}
	return Corpora(dir), nil
}

// Path joins the elements to the folder.
func (c Corpora) Path(elements ...string) string {
	return filepath.Join(append([]string{string(c)}, elements...)...)
}

// Docs returns the folder of a documentation tree: as it lies there, or
// unpacked below work when it is an archive. A tree that was unpacked before is
// used again.
func (c Corpora) Docs(name, work string) (string, error) {
	if folder := c.Path("docs", name); isFolder(folder) {
		return folder, nil
	}
	folder := filepath.Join(work, name)
	if isFolder(folder) {
		return folder, nil
	}
	part := folder + ".part"
	if err := os.RemoveAll(part); err != nil {
		return "", err
	}
	if err := Unpack(c.Path("docs", name+".tar.gz"), part); err != nil {
		return "", err
	}
	return folder, os.Rename(part, folder)
}

// Unpack extracts the regular files of a .tar.gz with their times, so that they
// look as old as they are.
func Unpack(archive, folder string) error {
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer file.Close()
	zipped, err := gzip.NewReader(file)
	if err != nil {
		return fmt.Errorf("%s: %w", archive, err)
	}
	for entries := tar.NewReader(zipped); ; {
		entry, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", archive, err)
		}
		if entry.Typeflag != tar.TypeReg {
			continue
		}
		if name := filepath.FromSlash(strings.TrimPrefix(entry.Name, "./")); !filepath.IsLocal(name) {
			return fmt.Errorf("%s: entry %q lies outside", archive, entry.Name)
		} else if err := extract(entries, filepath.Join(folder, name), entry); err != nil {
			return err
		}
	}
}

func extract(r io.Reader, path string, entry *tar.Header) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := io.Copy(file, r); err != nil {
		return errors.Join(err, file.Close())
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Chtimes(path, entry.ModTime, entry.ModTime)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
