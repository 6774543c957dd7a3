package ui

// This file gives addresses to the modules that answer without a server.

import (
	"bytes"
	"embed"
	"path"
)

//go:embed assets/*.mjs
var moduleFiles embed.FS

// modules returns the modules, each after those that it imports. Imports lead
// to the names that hold a hash, so a module changes its own name with theirs.
func modules() ([]asset, error) {
	var list []asset
	var renamed [][2][]byte // import as written, as served
	for _, name := range []string{"evergreen.mjs", "terms.mjs", "passage.mjs", "offline.mjs"} {
		body, err := moduleFiles.ReadFile("assets/" + name)
		if err != nil {
			return nil, err
		}
		for _, r := range renamed {
			body = bytes.ReplaceAll(body, r[0], r[1])
		}
		a := newAsset(name, body)
		a.kind = assetType(".js")
		list = append(list, a)
		renamed = append(renamed, [2][]byte{[]byte(`"./` + name + `"`), []byte(`"./` + path.Base(a.path) + `"`)})
	}
	return list, nil
}
