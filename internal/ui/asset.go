package ui

// This file holds the files that pages load.

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"path"
	"slices"
	"strings"
)

//go:embed templates/*.tmpl assets/site.css assets/favicon.svg assets/webmcp.js
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
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return "application/octet-stream"
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
