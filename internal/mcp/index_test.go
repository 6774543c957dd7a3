package mcp

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"evergreen"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// folders makes root/docs with a file, and outside/secret beside root.
func folders(t *testing.T) (root, outside string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root, outside = filepath.Join(base, "root"), filepath.Join(base, "outside")
	for _, dir := range []string{filepath.Join(root, "docs"), filepath.Join(outside, "secret"), filepath.Join(base, "rootlike")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"docs/a.md", "context.json"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root, outside
}

func TestIndexLocalStaysBelowItsRoots(t *testing.T) {
	root, outside := folders(t)
	link := filepath.Join(root, "link")
	if err := os.Symlink(outside, link); err != nil {
		t.Skipf("no symlinks here: %v", err)
	}
	inward := filepath.Join(outside, "inward")
	if err := os.Symlink(filepath.Join(root, "docs"), inward); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	for _, c := range []struct {
		name, path string
		kind       evergreen.Kind
		location   string
		source     string
	}{
		{"the root", root, "", root, evergreen.SourceFolder},
		{"a folder", filepath.Join(root, "docs"), "", filepath.Join(root, "docs"), evergreen.SourceFolder},
		{"a file", filepath.Join(root, "docs", "a.md"), "", filepath.Join(root, "docs", "a.md"), evergreen.SourceFile},
		{"a knowledge base", filepath.Join(root, "context.json"), "", filepath.Join(root, "context.json"), evergreen.SourceKnowledge},
		{"relative to the working folder", "docs", "", filepath.Join(root, "docs"), evergreen.SourceFolder},
		{"relative with dots", "./docs/../docs", "", filepath.Join(root, "docs"), evergreen.SourceFolder},
		{"through a link inward", inward, "", filepath.Join(root, "docs"), evergreen.SourceFolder},
		{"a source of the library", filepath.Join(outside, "secret"), "", filepath.Join(outside, "secret"), evergreen.SourceFolder},
		{"relative to another root", "secret", evergreen.NotFound, "", ""},
		{"missing inside", filepath.Join(root, "docs", "b"), evergreen.NotFound, "", ""},
		{"outside", outside, evergreen.Blocked, "", ""},
		{"missing outside", filepath.Join(outside, "b"), evergreen.Blocked, "", ""},
		{"climbing out", filepath.Join(root, "docs") + "/../../outside", evergreen.Blocked, "", ""},
		{"climbing out relatively", "../outside", evergreen.Blocked, "", ""},
		{"through a link", link, evergreen.Blocked, "", ""},
		{"below a link", filepath.Join(link, "missing"), evergreen.Blocked, "", ""},
		{"a sibling with the same beginning", root + "like", evergreen.Blocked, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := smallLibrary()
			f.collections = append(f.collections, evergreen.Collection{Name: "mine", Source: "https://example.com",
				Sources: []evergreen.Source{{Location: filepath.Join(outside, "secret")}}})
			s := serve(t, f, func(o *Options) { o.Roots = []string{root} })
			got := callTool(t, connect(t, s, nil), "index_local", strings.TrimPrefix(callText("", map[string]any{"path": c.path, "name": "docs", "include": "*.md, *.txt"}), " "))
			if c.kind != "" {
				if !got.isError || got.meta["error"] != string(c.kind) || len(f.indexed) > 0 || !strings.Contains(got.text, root) {
					t.Errorf("%+v, indexed %v", got, f.indexed)
				}
				return
			}
			if got.isError || len(f.indexed) != 1 {
				t.Fatalf("%+v", got)
			}
			r := f.indexed[0]
			if r.Source.Location != c.location || r.Source.Kind != c.source || r.Name != "docs" || !slices.Equal(r.Source.Include, []string{"*.md", "*.txt"}) {
				t.Errorf("indexed %+v", r)
			}
			if !strings.Contains(got.text, "Indexed **docs**: 3 documents found, 2 new or changed") || !strings.Contains(got.text, "- a.bin: binary") {
				t.Errorf("report:\n%s", got.text)
			}
		})
	}
}

// A relative path counts from the working folder, even where another root has it.
func TestRelativePathsCountFromTheWorkingFolder(t *testing.T) {
	root, outside := folders(t)
	t.Chdir(outside)
	f := smallLibrary()
	session := connect(t, serve(t, f, func(o *Options) { o.Roots = []string{root, filepath.Join(outside, "secret")} }), nil)
	if got := callTool(t, session, "index_local", `{"path":"docs"}`); !got.isError || got.meta["error"] != "blocked" || len(f.indexed) > 0 {
		t.Errorf("docs of another root: %+v", got)
	}
	if got := callTool(t, session, "index_local", `{"path":"secret"}`); got.isError || len(f.indexed) != 1 {
		t.Errorf("secret of the working folder: %+v", got)
	}
}

func TestHiddenIndexName(t *testing.T) {
	root, _ := folders(t)
	t.Chdir(root)
	f := smallLibrary()
	session := connect(t, serve(t, f, func(o *Options) { o.Roots = []string{root} }), nil)
	if got := callTool(t, session, "doc_index_repo", `{"folder":"docs"}`); got.isError || len(f.indexed) != 1 {
		t.Errorf("with a folder: %+v", got)
	}
	if got := callTool(t, session, "doc_index_repo", `{"url":"https://example.com"}`); got.isError || len(f.indexed) != 2 || f.indexed[1].Source.Kind != evergreen.SourceSite {
		t.Errorf("with a URL: %+v", got)
	}
}

func TestProgressGrowsAndIsSparse(t *testing.T) {
	root, _ := folders(t)
	t.Chdir(root)
	var mu sync.Mutex
	var seen []*sdk.ProgressNotificationParams
	session := connect(t, serve(t, smallLibrary(), func(o *Options) { o.Roots = []string{root} }), &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, r.Params)
		}})
	p := &sdk.CallToolParams{Name: "index_local", Arguments: map[string]any{"path": "docs"}}
	p.SetProgressToken("token")
	if _, err := session.CallTool(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	until(t, "the last notification", func() bool {
		mu.Lock()
		defer mu.Unlock()
		last := seen[max(0, len(seen)-1):]
		return len(last) == 1 && last[0].Message == "write" && last[0].Progress == last[0].Total
	})
	mu.Lock()
	defer mu.Unlock()
	if len(seen) < 20 || len(seen) > 3*progressSteps {
		t.Fatalf("%d notifications", len(seen))
	}
	for i, n := range seen {
		if i > 0 && n.Progress <= seen[i-1].Progress {
			t.Errorf("progress went from %v to %v", seen[i-1].Progress, n.Progress)
		}
		if n.ProgressToken != "token" || n.Total < n.Progress {
			t.Errorf("notification %+v", n)
		}
	}
	if seen[0].Message != "read" {
		t.Errorf("began with %+v", seen[0])
	}
}
