package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"evergreen/bench/internal/data"
	"evergreen/bench/internal/endpoint"
	"evergreen/bench/internal/peer"
)

const bundle = "# Results\n\n## [k8s:aaaaaa] One (3 tokens)\n\nfirst\n\n## [k8s:bbbbbb] Two (3 tokens)\n\nsecond\n"

func TestEndOf(t *testing.T) {
	meta := json.RawMessage(`{"entries":[{"id":"k8s::one.md::one#1"},{"id":"k8s::two.md::two#1"}]}`)
	for file, want := range map[string]int{"one.md": strings.Index(bundle, "## [k8s:b"), "two.md": len(bundle), "three.md": 0} {
		got, err := (task{}).endOf(endpoint.Answer{Text: bundle, Meta: meta}, func(f string) bool { return f == file })
		if err != nil || got != want {
			t.Errorf("%s ends at %d, %v, want %d", file, got, err, want)
		}
	}
	if _, err := (task{}).endOf(endpoint.Answer{Text: "# Results\n", Meta: meta}, func(string) bool { return true }); err == nil {
		t.Error("a text without its passages is no error")
	}
	if got, err := (task{}).endOf(endpoint.Answer{Text: bundle, Meta: meta, IsError: true}, func(string) bool { return true }); got != 0 || err != nil {
		t.Errorf("an error answers at %d, %v", got, err)
	}
}

func TestTables(t *testing.T) {
	ours := way{"Evergreen", []int{100, 0, 400}, map[int][]bool{500: {true, false, true}, 1000: {true, false, true}, 2000: {true, true, true}, 4000: {true, true, true}, 8000: {true, true, true}}}
	other := way{"pages", []int{1000, 600, 0}, nil}
	three := []data.Judged{{ID: "a", Text: "one"}, {ID: "b", Text: "two"}, {ID: "c", Text: "three"}}
	table := shares([]way{ours, other}, three)
	if got := strings.Join(table.Rows[0], " "); got != "Evergreen 0.667 0.667 1.000 1.000 1.000" {
		t.Error(got)
	}
	if got := strings.Join(table.Rows[1], " "); got != "pages 0.000 0.667 0.667 0.667 0.667" {
		t.Error(got)
	}
	cost := costs([]way{ours, other}, three)
	if got := strings.Join(cost.Rows[1], " "); got != "pages 2 600 1,000 1 10" {
		t.Error(got)
	}
}

func TestRightAt(t *testing.T) {
	task := task{files: map[string]string{"a": "a.md", "b": "b.md"}}
	q := data.Judged{Relevant: map[string]int{"a": 1, "b": 0}}
	for files, want := range map[string]int{"a.md": 1, "b.md a.md": 2, "b.md": 0, "": 0} {
		if got := rightAt(task, q, strings.Fields(files)); got != want {
			t.Errorf("%q: %d, want %d", files, got, want)
		}
	}
}

func TestSiteServesPages(t *testing.T) {
	site, err := siteOf([]data.Page{{Name: "a", Markdown: "# A <b>\n\nsome *text*\n"}})
	if err != nil {
		t.Fatal(err)
	}
	defer site.Close()
	for path, want := range map[string]string{"/a.md": "<em>text</em>", "/b.md": "404"} {
		res, err := http.Get(site.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		if err != nil || !strings.Contains(string(body), want) {
			t.Errorf("%s: %q, %v", path, body, err)
		}
		if err := res.Body.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestHeadOf(t *testing.T) {
	if got := headOf(`{"n":1,"results":[{"id":1}]}`); got != 18 {
		t.Error(got)
	}
}

// All is asked, each once, and an error ends it.
func TestSeveralServersShareTheWork(t *testing.T) {
	path, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	serve := func() (*peer.Server, error) {
		return peer.Serve(exec.Command(path, "-c", `read a; echo '{"jsonrpc":"2.0","id":1,"result":{}}'; cat >/dev/null`))
	}
	var asked [50]atomic.Int32
	if err := several(len(asked), serve, func(_ *peer.Server, i int) error { asked[i].Add(1); return nil }); err != nil {
		t.Fatal(err)
	}
	for i := range asked {
		if n := asked[i].Load(); n != 1 {
			t.Errorf("%d was asked %d times", i, n)
		}
	}
	if err := several(9, serve, func(_ *peer.Server, i int) error {
		if i == 4 {
			return errors.New("no")
		}
		return nil
	}); err == nil {
		t.Error("a question that fails is no error")
	}
}

func TestFetchedLaysPagesAsDocmunchDoes(t *testing.T) {
	docs := t.TempDir()
	if err := fetched(docs, []data.Page{{Name: "a/b.md", Markdown: "# A b\n\ntext\n"}}); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"manifest.json":   `{"sources":[{"name":"k8s","path":"k8s"}]}`,
		"k8s/_index.json": `{"name":"k8s","pages":[{"title":"A b","path":"a~b.md"}]}`,
		"k8s/a~b.md":      "# A b\n\ntext\n",
	} {
		if got, err := os.ReadFile(filepath.Join(docs, filepath.FromSlash(file))); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", file, got, err)
		}
	}
}
