package evergreen_test

// This file holds the architecture: which package stands on which floor, what
// each third-party module may be imported by, and that every package says what
// it is for. docs/architecture.md draws the same picture for people.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "evergreen"

// floors gives each package its floor. Imports go strictly down, never
// sideways. A package and those below it are one family on one floor; within a
// family the compiler's ban on cycles is enough.
var floors = map[string]int{
	".": 1, "docs": 1,
	"internal/charset": 1, "internal/commonmark": 1, "internal/injection": 1, "internal/jsonl": 1, "internal/text": 1, "internal/platform": 1,
	"internal/llmstxt": 1, "internal/robots": 1, "internal/sitemap": 1,

	"internal/fetch": 2, "internal/folder": 2, "internal/crawl": 2,
	"internal/extract": 2, "internal/highlight": 2, "internal/markdown": 2, "internal/section": 2,
	"internal/index": 2, "internal/pack": 2, "internal/kb": 2, "internal/store": 2,
	"internal/repair": 2, "internal/upstream": 2,
	"internal/job": 2, "internal/httpguard": 2, "internal/a2a": 2, "internal/chart": 2,

	"internal/format": 3, "internal/site": 3, "internal/gateway": 3, "internal/offline": 3,
	"internal/watch": 3,

	"internal/engine": 4,

	"internal/mcp": 5, "internal/web": 5, "internal/ui": 5, "internal/overlay": 5,
	"internal/audit": 5, "internal/measure": 5,

	"internal/config": 6, "internal/websearch": 6, "internal/export": 6, "internal/console": 6,
	"cmd/evergreen": 7,
	"faults":        8,
}

// testOnly lists packages that only test files may import.
var testOnly = []string{"internal/testkit"}

// anywhere and testsOnly stand in for a list of importing packages.
var (
	anywhere  = []string{"*"}
	testsOnly = []string{}
)

// dependencies is the allow-list: every third-party module that our own code
// imports, and the packages (with all below them) that may do so. The reasons
// stand in docs/adr/0002-dependencies.md.
var dependencies = map[string][]string{
	"codeberg.org/readeck/go-readability/v2":          {"internal/extract"},
	"github.com/BurntSushi/toml":                      {"internal/format"},
	"github.com/JohannesKaufmann/html-to-markdown/v2": {"internal/markdown"},
	"github.com/blevesearch/snowballstem":             {"internal/text", "internal/index"},
	"github.com/bmatcuk/doublestar/v4":                {"internal/folder", "internal/crawl", "internal/index", "internal/engine"},
	"github.com/edsrzf/mmap-go":                       {"internal/index", "internal/store"},
	"github.com/fsnotify/fsnotify":                    {"internal/watch"},
	"github.com/go-jose/go-jose/v4":                   {"internal/httpguard/oauth"},
	"github.com/go-analyze/charts":                    {"internal/chart"},
	"github.com/gofrs/flock":                          {"internal/store"},
	"github.com/gogs/chardet":                         {"internal/charset"},
	"github.com/google/go-cmp":                        testsOnly,
	"github.com/google/jsonschema-go":                 {"internal/mcp", "internal/gateway", "internal/repair"},
	"github.com/kaptinlin/jsonrepair":                 {"internal/repair"},
	"github.com/klauspost/compress":                   {"internal/web"},
	"github.com/microcosm-cc/bluemonday":              {"internal/markdown"},
	"github.com/modelcontextprotocol/go-sdk":          {"internal/mcp", "internal/gateway", "internal/upstream", "internal/websearch", "internal/httpguard/oauth"},
	"github.com/rogpeppe/go-internal":                 testsOnly,
	"github.com/spf13/cobra":                          {"cmd/evergreen"},
	"github.com/spf13/pflag":                          {"cmd/evergreen"},
	"github.com/yuin/goldmark":                        {"internal/commonmark", "internal/section", "internal/format", "internal/markdown"},
	"go.yaml.in/yaml/v3":                              {"internal/format", "internal/mcp"},
	"golang.org/x/net":                                anywhere,
	"golang.org/x/sync":                               anywhere,
	"golang.org/x/sys":                                anywhere,
	"golang.org/x/term":                               {"cmd/evergreen"},
	"golang.org/x/text":                               anywhere,
	"golang.org/x/time":                               {"internal/web"},
}

// goFile is one parsed file of the module.
type goFile struct {
	name    string // slash path from the module root
	pkg     string // slash path of its package from the module root
	test    bool
	doc     *ast.CommentGroup
	imports []string
}

func TestImportsGoDown(t *testing.T) {
	for _, f := range parseModule(t) {
		from, ok := floorOf(f.pkg)
		if !ok {
			if !slices.Contains(testOnly, f.pkg) {
				t.Errorf("%s: package %s stands on no floor; give it one in layers_test.go", f.name, f.pkg)
			}
			continue
		}
		for _, imp := range f.imports {
			to, own := ownPackage(imp)
			if !own || family(to) == family(f.pkg) {
				continue
			}
			if slices.Contains(testOnly, to) {
				if !f.test {
					t.Errorf("%s imports %s, which is for tests only", f.name, to)
				}
				continue
			}
			floor, ok := floorOf(to)
			if !ok {
				t.Errorf("%s imports %s, which stands on no floor", f.name, to)
			} else if floor >= from {
				t.Errorf("%s (floor %d) imports %s (floor %d): imports go strictly down", f.name, from, to, floor)
			}
		}
	}
}

func TestDependenciesAreAllowed(t *testing.T) {
	for _, f := range parseModule(t) {
		for _, imp := range f.imports {
			if _, own := ownPackage(imp); own || !strings.Contains(strings.Split(imp, "/")[0], ".") {
				continue
			}
			dep, users := dependencyOf(imp)
			switch {
			case dep == "":
				t.Errorf("%s imports %s: not in the allow-list of layers_test.go; add it there and to docs/adr/0002-dependencies.md", f.name, imp)
			case f.test || slices.Contains(testOnly, f.pkg) || slices.Equal(users, anywhere):
			case !slices.ContainsFunc(users, func(u string) bool { return f.pkg == u || within(f.pkg, u) }):
				t.Errorf("%s imports %s: only %v may", f.name, imp, users)
			}
		}
	}
}

func TestDependenciesHaveReasons(t *testing.T) {
	adr, err := os.ReadFile("docs/adr/0002-dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	for dep := range dependencies {
		if !strings.Contains(string(adr), "`"+dep+"`") {
			t.Errorf("docs/adr/0002-dependencies.md does not say why we use %s", dep)
		}
	}
}

func TestPackagesSayWhatTheyAreFor(t *testing.T) {
	docs := map[string][]string{}
	for _, f := range parseModule(t) {
		if f.test {
			continue
		}
		if _, ok := docs[f.pkg]; !ok {
			docs[f.pkg] = nil
		}
		if f.doc != nil {
			docs[f.pkg] = append(docs[f.pkg], f.name)
		}
	}
	for pkg, files := range docs {
		if len(files) != 1 {
			t.Errorf("package %s has %d package comments %v, want exactly one", pkg, len(files), files)
		}
	}
}

// parseModule reads package clause, package comment and imports of every Go
// file of the module. Folders with a go.mod of their own are other modules.
func parseModule(t *testing.T) []goFile {
	t.Helper()
	var files []goFile
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" ||
				d.Name() == "build" || d.Name() == "node_modules" || exists(filepath.Join(name, "go.mod"))) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		f, err := parseFile(name)
		if err == nil {
			files = append(files, f)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no Go files found")
	}
	return files
}

func parseFile(name string) (goFile, error) {
	tree, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return goFile{}, err
	}
	slash := filepath.ToSlash(name)
	f := goFile{name: slash, pkg: path.Dir(slash), test: strings.HasSuffix(name, "_test.go"), doc: tree.Doc}
	for _, spec := range tree.Imports {
		imp, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return goFile{}, err
		}
		f.imports = append(f.imports, imp)
	}
	return f, nil
}

// family is the listed package that pkg is, or lies below; pkg itself when it
// is not listed.
func family(pkg string) string {
	for up := pkg; up != "."; up = path.Dir(up) {
		if _, ok := floors[up]; ok {
			return up
		}
	}
	return pkg
}

func floorOf(pkg string) (int, bool) {
	floor, ok := floors[family(pkg)]
	return floor, ok
}

// ownPackage turns an import path of this module into a path from its root.
func ownPackage(imp string) (string, bool) {
	if imp == module {
		return ".", true
	}
	return strings.CutPrefix(imp, module+"/")
}

// within reports whether pkg lies below parent.
func within(pkg, parent string) bool { return strings.HasPrefix(pkg, parent+"/") }

func dependencyOf(imp string) (string, []string) {
	for dep, users := range dependencies {
		if imp == dep || within(imp, dep) {
			return dep, users
		}
	}
	return "", nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
