package ui

import (
	"bytes"
	"compress/gzip"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// scriptBudget is what the scripts of one page may weigh, compressed, with all
// that they import now or later.
const scriptBudget = 40 << 10

// retrieval are the modules that answer without a server.
func retrieval() []string {
	return []string{"evergreen.mjs", "terms.mjs", "passage.mjs", "share.mjs", "offline.mjs"}
}

var importFrom = regexp.MustCompile(`(?m)(?:^import .* from |import\()"\./([^"]+)"`)

func TestModulesImportWhatIsServed(t *testing.T) {
	u, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	imports := 0
	for _, at := range u.Assets() {
		body, kind, fixed, _ := u.Asset(at)
		if !strings.HasSuffix(at, "js") {
			continue
		}
		for _, m := range importFrom.FindAllSubmatch(body, -1) {
			imports++
			if _, _, _, ok := u.Asset(path.Join(path.Dir(at), string(m[1]))); !ok {
				t.Errorf("%s imports %s, which is not served", at, m[1])
			}
		}
		if kind != "text/javascript; charset=utf-8" || !fixed {
			t.Errorf("%s: kind %s, fixed %v", at, kind, fixed)
		}
	}
	if imports == 0 {
		t.Error("no import was found")
	}
}

func TestScriptsKeepTheirBudget(t *testing.T) {
	u, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"playground.mjs", "search.mjs", "reader.mjs", "live.mjs"} {
		loaded := map[string]bool{}
		size := 0
		for _, name := range []string{"theme.js", "webmcp.js", "site.mjs", page} {
			size += weigh(t, u, u.names[name], loaded)
		}
		t.Logf("%s and all that it can load: %d files, %d bytes, compressed", page, len(loaded), size)
		if size > scriptBudget {
			t.Errorf("a page with %s may load %d bytes of scripts, compressed; the budget is %d", page, size, scriptBudget)
		}
	}
}

// weigh is the compressed size of a script with what it imports, each once.
func weigh(t *testing.T, u *UI, at string, loaded map[string]bool) int {
	t.Helper()
	if loaded[at] {
		return 0
	}
	loaded[at] = true
	body, _, _, ok := u.Asset(at)
	if !ok {
		t.Fatalf("%s is not served", at)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(body); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	size := b.Len()
	for _, m := range importFrom.FindAllSubmatch(body, -1) {
		size += weigh(t, u, path.Join(path.Dir(at), string(m[1])), loaded)
	}
	return size
}

// A page that loads a module anew when a neighbour changed can never hold two
// that do not fit together.
func TestNamesChangeWithWhatIsImported(t *testing.T) {
	u, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	body, _, _, ok := u.Asset(u.names["offline.mjs"])
	if !ok || !bytes.Contains(body, []byte(`"./`+path.Base(u.names["evergreen.mjs"])+`"`)) {
		t.Errorf("offline.mjs does not import %s", u.names["evergreen.mjs"])
	}
	plain, err := files.ReadFile("assets/offline.mjs")
	if err != nil || newAsset("offline.mjs", plain).path == u.names["offline.mjs"] {
		t.Errorf("the name %s does not hold the imports: %v", u.names["offline.mjs"], err)
	}
}

func TestRetrievalAsksNothingOfPages(t *testing.T) {
	for _, name := range retrieval() {
		body, err := files.ReadFile("assets/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"fetch(", "document.query", "window.", "eval(", "localStorage", "Locale", "Intl"} {
			if bytes.Contains(body, []byte(word)) {
				t.Errorf("%s speaks of %s", name, word)
			}
		}
	}
}

func TestExportsLeaveOutWhatNeedsAServer(t *testing.T) {
	u, err := New(Options{Static: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range serverOnly() {
		if slices.ContainsFunc(u.Assets(), func(at string) bool { return strings.Contains(at, strings.TrimSuffix(name, path.Ext(name))) }) {
			t.Errorf("an export has %s", name)
		}
	}
}
