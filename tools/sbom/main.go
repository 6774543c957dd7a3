// Sbom writes a software bill of materials beside each program that it is
// given, NAME.cdx.json, in CycloneDX 1.6. It holds what the Go linker wrote
// into the program: modules with version and checksum, and the standard
// library. There is no time and no random number in it: the same program gives
// the same bytes.
//
//	go -C tools run ./sbom PROGRAM...
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	for _, program := range os.Args[1:] {
		if err := describe(program); err != nil {
			fmt.Fprintln(os.Stderr, "sbom:", err)
			os.Exit(1)
		}
	}
}

// The parts of CycloneDX 1.6 (ECMA-424) that are written.
type (
	bom struct {
		Schema       string       `json:"$schema"`
		Format       string       `json:"bomFormat"`
		SpecVersion  string       `json:"specVersion"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	metadata struct {
		Component component `json:"component"`
	}
	component struct {
		Type       string     `json:"type"`
		Ref        string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version"`
		Hashes     []hash     `json:"hashes,omitempty"`
		PURL       string     `json:"purl,omitempty"`
		Properties []property `json:"properties,omitempty"`
	}
	hash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	dependency struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn,omitempty"`
	}
)

func describe(program string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	b, err := json.MarshalIndent(make16(info, filepath.Base(program), sha256.Sum256(data)), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(program+".cdx.json", append(b, '\n'), 0o644)
}

// make16 makes the bill of a program.
func make16(info *buildinfo.BuildInfo, name string, sum [sha256.Size]byte) bom {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	root := component{
		Type: "application", Ref: name, Name: info.Main.Path, Version: versionIn(settings["-ldflags"], info.Main.Version),
		Hashes: []hash{{"SHA-256", hex.EncodeToString(sum[:])}},
	}
	for _, key := range []string{"GOOS", "GOARCH", "CGO_ENABLED", "-trimpath", "vcs.revision"} {
		if v := settings[key]; v != "" {
			root.Properties = append(root.Properties, property{"go:" + strings.TrimPrefix(key, "-"), v})
		}
	}
	goVersion := strings.TrimPrefix(strings.Fields(info.GoVersion)[0], "go")
	list := []component{library("std", goVersion, "")}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		list = append(list, library(m.Path, m.Version, m.Sum))
	}
	slices.SortFunc(list, func(a, b component) int { return strings.Compare(a.Ref, b.Ref) })
	refs := make([]string, len(list))
	dependencies := []dependency{{Ref: root.Ref}}
	for i, c := range list {
		refs[i] = c.Ref
		dependencies = append(dependencies, dependency{Ref: c.Ref})
	}
	dependencies[0].DependsOn = refs
	return bom{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Metadata: metadata{root}, Components: list, Dependencies: dependencies,
	}
}

// library is a module; its package URL follows the purl specification's golang
// type.
func library(path, version, sum string) component {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	c := component{Type: "library", Ref: "pkg:golang/" + strings.Join(parts, "/") + "@" + url.PathEscape(version), Name: path, Version: version}
	c.PURL = c.Ref
	if sum != "" {
		c.Properties = []property{{"go:sum", sum}}
	}
	return c
}

// versionIn finds the version that the linker was told (-X main.version=...).
func versionIn(ldflags, otherwise string) string {
	if _, after, ok := strings.Cut(ldflags, "-X main.version="); ok {
		return strings.Trim(strings.Fields(after + " ")[0], `"'`)
	}
	return otherwise
}
