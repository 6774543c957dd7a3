package ui

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
)

// moduleBudget is what all modules may weigh, compressed: they share the 40 KB
// that a page has for scripts with the page's own.
const moduleBudget = 24 << 10

var importFrom = regexp.MustCompile(`(?m)^import .* from "\./([^"]+)";$`)

func TestModulesImportWhatIsServed(t *testing.T) {
	list, err := modules()
	if err != nil {
		t.Fatal(err)
	}
	names, err := fs.Glob(moduleFiles, "assets/*.mjs")
	if err != nil || len(names) != len(list) {
		t.Errorf("%d of %v are served: %v", len(list), names, err)
	}
	served := map[string]bool{}
	imports, size := 0, 0
	for _, a := range list {
		for _, m := range importFrom.FindAllSubmatch(a.body, -1) {
			imports++
			if !served[string(m[1])] {
				t.Errorf("%s imports %s, which is not served before it", a.path, m[1])
			}
		}
		served[path.Base(a.path)] = true
		if a.kind != "text/javascript; charset=utf-8" || !a.fixed || !strings.HasSuffix(a.path, ".mjs") {
			t.Errorf("%s: kind %s, fixed %v", a.path, a.kind, a.fixed)
		}
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write(a.body); err != nil || z.Close() != nil {
			t.Fatal(err)
		}
		size += b.Len()
	}
	if imports == 0 {
		t.Error("no import was found")
	}
	if size > moduleBudget {
		t.Errorf("the modules weigh %d bytes, compressed; the budget is %d", size, moduleBudget)
	}
}

func TestModulesAskNothingOfPages(t *testing.T) {
	list, err := modules()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		for _, word := range []string{"fetch(", "document.query", "window.", "eval(", "localStorage", "Locale", "Intl"} {
			if bytes.Contains(a.body, []byte(word)) {
				t.Errorf("%s speaks of %s", a.path, word)
			}
		}
	}
}
