package main

import (
	"os"
	"strings"
	"testing"
)

// TestListIsTrue wants docs/dependencies.txt to name what is linked, so that a
// new dependency, or a new version, is a line in a diff.
func TestListIsTrue(t *testing.T) {
	const file = "../../docs/dependencies.txt"
	for _, read := range []string{"../../go.mod", "../../go.sum"} { // what the list depends on
		if _, err := os.Stat(read); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	modules, err := linkedModules("../..")
	if err != nil {
		t.Fatal(err)
	}
	want := list(modules)
	if want == string(committed) {
		return
	}
	for line := range strings.Lines(want) {
		if !strings.Contains(string(committed), line) {
			t.Errorf("new: %s", line)
		}
	}
	for line := range strings.Lines(string(committed)) {
		if !strings.Contains(want, line) {
			t.Errorf("gone: %s", line)
		}
	}
	t.Error("docs/dependencies.txt is not what is linked: run make dependencies")
}

func TestListNamesVersionAndLicence(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/LICENSE", []byte("Apache License Version 2.0"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := list([]module{{"example.com/m", "v1.2.3", dir}}); got != "example.com/m v1.2.3 Apache-2.0\n" {
		t.Errorf("got %q", got)
	}
}

func TestClassify(t *testing.T) {
	for text, want := range map[string]string{
		"MIT License\n\nPermission is hereby granted, free of charge, to any person\nobtaining a copy":                                                                "MIT",
		"Apache License\n   Version 2.0, January 2004":                                                                                                                "Apache-2.0",
		"GNU General Public License\nPermission is hereby granted, free of charge, to any person obtaining a copy":                                                    "",
		"Use is subject to your choice of exactly one of\nthe following two licenses:\n  * The FreeType License, which ...\n  * The GNU General Public License (GPL)": "FTL",
		"Use is subject to The FreeType License and The GNU General Public License":                                                                                   "",
		"All rights reserved.": "",
	} {
		if got := classify(text); got != want {
			t.Errorf("classify(%.40q) = %q, want %q", text, got, want)
		}
	}
}
