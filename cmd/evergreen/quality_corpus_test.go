package main

// This file makes the corpora into folders that a test may read and change.

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// unpackTree extracts docs/NAME.tar.gz of the corpora into a folder of the
// test's own, with the files' times.
func unpackTree(t *testing.T, corpora, name string) string {
	t.Helper()
	file, err := os.Open(filepath.Join(corpora, "docs", name+".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	zipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), name)
	for entries := tar.NewReader(zipped); ; {
		entry, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return folder
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.FromSlash(strings.TrimPrefix(entry.Name, "./"))
		if entry.Typeflag != tar.TypeReg || !filepath.IsLocal(path) {
			continue
		}
		text, err := io.ReadAll(entries)
		if err != nil {
			t.Fatal(err)
		}
		writeAged(t, filepath.Join(folder, path), text, entry)
	}
}

func writeAged(t *testing.T, path string, text []byte, entry *tar.Header) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, entry.ModTime, entry.ModTime); err != nil {
		t.Fatal(err)
	}
}

// copyTree copies the Markdown of docs/NAME of the corpora.
func copyTree(t *testing.T, corpora, name string) string {
	t.Helper()
	from, to := filepath.Join(corpora, "docs", name), filepath.Join(t.TempDir(), name)
	err := filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, relative)), 0o755); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, relative), text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}
