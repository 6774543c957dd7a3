package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const one = `{"id":"GO-2026-0001","modified":"2026-02-01T00:00:00Z","aliases":["CVE-2026-1"],"affected":[
 {"package":{"name":"stdlib","ecosystem":"Go"},"ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":"1.26.9"},{"introduced":"1.27.0"},{"fixed":"1.27.3"}]}]},
 {"package":{"name":"example.com/m"},"ranges":[{"type":"SEMVER","events":[{"introduced":"0"}]}]}]}`

const two = `{"id":"GO-2026-0002","modified":"2026-03-01T00:00:00Z","affected":[
 {"package":{"name":"example.com/m"},"ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":"1.0.1"}]}]}]}`

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestDatabase(t *testing.T) {
	entries, err := read(folder(t, map[string]string{"GO-2026-0002.json": two, "GO-2026-0001.json": one, "README": "x"}))
	if err != nil || len(entries) != 2 {
		t.Fatal(entries, err)
	}
	out := t.TempDir()
	if err := write(out, entries); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"index/db.json": `{"modified":"2026-03-01T00:00:00Z"}`,
		"index/modules.json": `[{"path":"example.com/m","vulns":[{"id":"GO-2026-0001","modified":"2026-02-01T00:00:00Z"},{"id":"GO-2026-0002","modified":"2026-03-01T00:00:00Z","fixed":"1.0.1"}]},` +
			`{"path":"stdlib","vulns":[{"id":"GO-2026-0001","modified":"2026-02-01T00:00:00Z","fixed":"1.27.3"}]}]`,
		"index/vulns.json":     `[{"id":"GO-2026-0001","modified":"2026-02-01T00:00:00Z","aliases":["CVE-2026-1"]},{"id":"GO-2026-0002","modified":"2026-03-01T00:00:00Z"}]`,
		"ID/GO-2026-0001.json": one,
	} {
		got, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(name)))
		if err != nil || string(got) != want {
			t.Errorf("%s, %v:\n got %s\nwant %s", name, err, got, want)
		}
	}
}

func TestUnreadableEntries(t *testing.T) {
	for want, files := range map[string]map[string]string{
		"no GO-":                 {"x.json": one},
		"unexpected end":         {"GO-2026-0001.json": "{"},
		`says it is "GO-2026-00`: {"GO-2026-0009.json": one},
	} {
		if _, err := read(folder(t, files)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
