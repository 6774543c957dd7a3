package ui

// This file holds the files that pages load, and gives them addresses.

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"path"
	"regexp"
	"slices"
	"strings"
)

//go:embed templates/*.tmpl assets/*
var files embed.FS

// asset is a file with its hash in its path.
type asset struct {
	path  string
	kind  string // media type
	body  []byte
	fixed bool // never changes under this path
}

const assetsPrefix = "/assets/"

func newAsset(name string, body []byte) asset {
	sum := sha256.Sum256(body)
	ext := path.Ext(name)
	return asset{path: assetsPrefix + strings.TrimSuffix(name, ext) + "-" + hex.EncodeToString(sum[:4]) + ext,
		kind: assetType(ext), body: body, fixed: true}
}

func assetType(ext string) string {
	switch ext {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return "application/octet-stream"
}

// serverOnly are the files that need a server: an export leaves them out.
func serverOnly() []string { return []string{"webmcp.js", "live.mjs"} }

// loadAssets reads every file of assets/ and gives it its path.
func (u *UI) loadAssets() error {
	entries, err := files.ReadDir("assets")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if u.o.Static && slices.Contains(serverOnly(), e.Name()) {
			continue
		}
		if _, err := u.loadAsset(e.Name()); err != nil {
			return err
		}
	}
	icon := u.assets[u.names["favicon.svg"]]
	icon.fixed = false
	u.assets["/favicon.ico"] = icon // where browsers look that read no head
	return nil
}

// imported finds the files of ours that a module imports.
var imported = regexp.MustCompile(`"\./([a-z0-9-]+\.mjs)"`)

// loadAsset reads a file and what it imports, and returns the file's path.
// Imports lead to names that hold a hash, so a module changes its own name with
// theirs.
func (u *UI) loadAsset(name string) (string, error) {
	if p, ok := u.names[name]; ok {
		return p, nil
	}
	body, err := files.ReadFile("assets/" + name)
	if err != nil {
		return "", err
	}
	for _, m := range imported.FindAllSubmatch(body, -1) {
		to, err := u.loadAsset(string(m[1]))
		if err != nil {
			return "", err
		}
		body = bytes.ReplaceAll(body, m[0], []byte(`"./`+path.Base(to)+`"`))
	}
	a := newAsset(name, body)
	u.assets[a.path], u.names[name] = a, a.path
	return a.path, nil
}

// Asset returns the file at a path. fixed says that it never changes there.
func (u *UI) Asset(path string) (body []byte, kind string, fixed, ok bool) {
	a, ok := u.assets[path]
	return a.body, a.kind, a.fixed, ok
}

// Assets are the paths of all files.
func (u *UI) Assets() []string {
	var paths []string
	for p := range u.assets {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	return paths
}
