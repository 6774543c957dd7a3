// Licences checks that every module linked into the product carries a licence
// that lets anyone ship it: MIT, BSD, Apache-2.0, ISC, Unlicense, or the like.
// It reads the licence files in the module cache and the build list of the
// module in the folder it is given; it downloads nothing that the build does
// not need. Exit 1 names every module without such a licence.
//
//	go -C tools run ./licences ..
//	go -C tools run ./licences .. -list > docs/dependencies.txt
//
// With -list it prints every module with its version and licence: the list that
// is committed, so that a new dependency is a line in a diff.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Platforms of the product: a dependency may be linked on one of them only.
var platforms = []string{"linux", "darwin", "windows"}

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	modules, err := linkedModules(root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
	bad := 0
	for _, m := range modules {
		if moduleLicence(m.dir) == "" {
			bad++
			fmt.Fprintf(os.Stderr, "%-50s no permissive licence found in %s\n", m.path, m.dir)
		}
	}
	if bad > 0 {
		os.Exit(1)
	}
	if len(os.Args) > 2 && os.Args[2] == "-list" {
		fmt.Print(list(modules))
		return
	}
	fmt.Printf("licences: %d modules, all permissive\n", len(modules))
}

type module struct{ path, version, dir string }

// list is the text of docs/dependencies.txt.
func list(modules []module) string {
	var b strings.Builder
	for _, m := range modules {
		fmt.Fprintf(&b, "%s %s %s\n", m.path, m.version, moduleLicence(m.dir))
	}
	return b.String()
}

// linkedModules lists the modules that packages of the product and its tests
// come from, on any of the platforms, sorted by path.
func linkedModules(root string) ([]module, error) {
	seen := map[string]string{}
	for _, goos := range platforms {
		cmd := exec.Command("go", "list", "-deps", "-test", "-f",
			"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", "./...")
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w\n%s", goos, err, stderr.String())
		}
		for line := range strings.Lines(string(out)) {
			if name, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
				seen[name] = dir
			}
		}
	}
	modules := make([]module, 0, len(seen))
	for name, dir := range seen {
		path, version, _ := strings.Cut(name, " ")
		modules = append(modules, module{path, version, dir})
	}
	slices.SortFunc(modules, func(a, b module) int { return strings.Compare(a.path, b.path) })
	return modules, nil
}

// moduleLicence names the first permissive licence among the files of a
// module's root, or returns "".
func moduleLicence(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if !strings.HasPrefix(name, "LICEN") && !strings.HasPrefix(name, "COPYING") &&
			!strings.HasPrefix(name, "UNLICENSE") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			continue
		}
		if licence := classify(string(text)); licence != "" {
			return licence
		}
	}
	return ""
}

// classify recognises a licence by the sentence that grants the rights. Texts
// that also restrict them (GPL, SSPL, Commons Clause ...) are not permissive,
// unless they leave the choice of a permissive one.
func classify(text string) string {
	words := strings.ToLower(strings.Join(strings.Fields(text), " "))
	if strings.Contains(words, "your choice of exactly one of the following two licenses: * the freetype license") {
		return "FTL" // SPDX; the credit that it asks for is in docs/adr/0002-dependencies.md
	}
	for _, no := range []string{"gnu general public", "gnu lesser", "gnu affero",
		"server side public", "commons clause", "business source license"} {
		if strings.Contains(words, no) {
			return ""
		}
	}
	for _, known := range []struct{ name, grant string }{
		{"Apache-2.0", "apache license version 2.0"},
		{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy"},
		{"BSD", "redistribution and use in source and binary forms, with or without modification, are permitted"},
		{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose"},
		{"Unlicense", "this is free and unencumbered software released into the public domain"},
	} {
		if strings.Contains(words, known.grant) {
			return known.name
		}
	}
	return ""
}
