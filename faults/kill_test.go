package faults

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"evergreen/internal/testkit"
)

// TestKill ends the real program with SIGKILL at random moments of indexing,
// refreshing, deleting and exporting. After each kill everything that the
// library holds is of the old state or of the new one; the next run succeeds
// and leaves nothing behind. EVERGREEN_KILLS says how often, EVERGREEN_SEED
// repeats a run.
func TestKill(t *testing.T) {
	kills := testkit.Times(t, "EVERGREEN_KILLS", 8, 4)
	seed := uint64(testkit.Times(t, "EVERGREEN_SEED", int(time.Now().UnixNano()&0xffff)+1, 1))
	k := newKiller(t, seed)
	out := testkit.Outcome{Name: "kill"}
	done := map[string]int{}
	for round := 0; out.Tried < kills; round++ {
		step := k.steps[round%len(k.steps)]
		killed, err := step.do()
		if err != nil {
			out.Lost++
			t.Errorf("seed %d, round %d, %s: %v", seed, round, step.name, err)
		}
		if !killed {
			continue // it had ended before; its state was checked all the same
		}
		out.Tried++
		done[step.name]++
		if err == nil {
			out.Survived++
		}
	}
	out.Detail = fmt.Sprintf("seed %d; killed while it ran: %d index, %d refresh, %d delete, %d export", seed, done["index"], done["refresh"], done["delete"], done["export"])
	testkit.Record(t, out)
}

type killer struct {
	*bed
	random *rand.Rand
	at     int          // the state of the folder and of "docs"
	page   atomic.Int64 // the state that the site is in
	site   *httptest.Server
	export string
	files  map[string]string // of the last export
	usual  map[string]time.Duration
	steps  []step
}

type step struct {
	name string
	do   func() (killed bool, err error)
}

const sitePages = 25

func newKiller(t *testing.T, seed uint64) *killer {
	k := &killer{bed: newBed(t, 40), random: rand.New(rand.NewPCG(seed, 0)), export: filepath.Join(t.TempDir(), "export"), usual: map[string]time.Duration{}}
	k.site = httptest.NewServer(http.HandlerFunc(k.servePage))
	t.Cleanup(k.site.Close)
	k.steps = []step{{"index", k.killIndex}, {"refresh", k.killRefresh}, {"export", k.killExport}, {"delete", k.killDelete}}
	k.write(0)
	k.usual["index"] = took(func() { k.must("index", k.source, "--name", "docs") })
	k.usual["refresh"] = took(func() { k.must(k.refresh()...) })
	k.usual["export"] = took(func() { k.must("export", k.export) })
	k.files = k.readExport()
	k.usual["delete"] = took(func() { k.must("delete", "docs") })
	k.must("index", k.source, "--name", "docs")
	return k
}

func (k *killer) refresh() []string {
	return []string{"index", k.site.URL + "/p/", "--name", "site", "--allow-private", "--refresh"}
}

// servePage is a site whose every page says the state.
func (k *killer) servePage(w http.ResponseWriter, r *http.Request) {
	name, ok := strings.CutPrefix(r.URL.Path, "/p/")
	if n, err := strconv.Atoi(name); !ok || name != "" && (err != nil || n >= sitePages-1) {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, "<title>Page</title><main><h1>Page %s</h1><p>%s</p>", r.URL.Path, strings.Repeat(word(int(k.page.Load()))+" and words. ", 60))
	for i := range sitePages - 1 {
		fmt.Fprintf(w, `<a href="/p/%d">Page %d</a> `, i, i)
	}
}

// kill starts the program and kills it at a random moment of its usual time.
func (k *killer) kill(name string, args ...string) bool {
	k.t.Helper()
	cmd := k.command(args...)
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	time.Sleep(time.Duration(k.random.Float64() * 1.1 * float64(k.usual[name])))
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	return wasKilled(cmd)
}

func wasKilled(cmd *exec.Cmd) bool { return cmd.ProcessState.ExitCode() < 0 }

// settled wants one of the states now, the new one after another run, the
// doctor content and no file left over.
func (k *killer) settled(collection string, state func() (int, error), before, after int, again ...string) error {
	if s, err := state(); err != nil {
		return fmt.Errorf("after the kill: %w", err)
	} else if s != before && s != after {
		return fmt.Errorf("after the kill: state %d, want %d or %d", s, before, after)
	}
	if stdout, _, code := k.run("doctor"); code != 0 {
		return fmt.Errorf("doctor: %s", stdout)
	}
	k.must(again...)
	if s, err := state(); err != nil || s != after {
		return fmt.Errorf("after the next run: state %d, want %d, %w", s, after, err)
	}
	if left := k.orphans("docs", "site"); len(left) > 0 {
		return fmt.Errorf("left behind: %q", left)
	}
	return nil
}

func (k *killer) killIndex() (bool, error) {
	before := k.at
	k.at++
	k.write(k.at)
	args := []string{"index", k.source, "--name", "docs"}
	killed := k.kill("index", args...)
	return killed, k.settled("docs", func() (int, error) { return k.state("docs", k.at, before) }, before, k.at, args...)
}

func (k *killer) killRefresh() (bool, error) {
	after := int(k.page.Add(1))
	killed := k.kill("refresh", k.refresh()...)
	return killed, k.settled("site", func() (int, error) { return k.siteState(after) }, after-1, after, k.refresh()...)
}

func (k *killer) killDelete() (bool, error) {
	killed := k.kill("delete", "delete", "docs")
	err := k.settled("docs", func() (int, error) { return k.state("docs", k.at) }, k.at, -1, "delete", "docs")
	k.must("index", k.source, "--name", "docs")
	return killed, err
}

// siteState reads all pages of the site: each must say the same state.
func (k *killer) siteState(newest int) (int, error) {
	for _, state := range []int{newest, newest - 1} {
		out := k.must("search", word(state), "--collection", "site", "--json", "--limit", "100")
		switch n := strings.Count(out, `"doc_path"`); n {
		case sitePages:
			return state, nil
		case 0:
		default:
			return 0, fmt.Errorf("%d of %d pages are of state %d", n, sitePages, state)
		}
	}
	return 0, fmt.Errorf("no page is of state %d or the one before", newest)
}

// killExport exports a new state over the old. Each file is whole, of one or
// the other; the next export makes all of them new.
func (k *killer) killExport() (bool, error) {
	before := k.files
	k.at++
	k.write(k.at)
	k.must("index", k.source, "--name", "docs")
	killed := k.kill("export", "export", k.export)
	mixed := k.readExport()
	other := filepath.Join(k.t.TempDir(), "reference")
	k.must("export", other)
	reference := readFolder(k.t, other)
	for name, text := range mixed {
		if text != before[name] && text != reference[name] && !strings.HasPrefix(name, ".tmp-export-") {
			return killed, fmt.Errorf("%s is neither the old file nor the new: %.80q", name, text)
		}
	}
	k.must("export", k.export)
	k.files = k.readExport()
	for name, text := range k.files {
		if strings.HasPrefix(filepath.Base(name), ".tmp-") {
			return killed, fmt.Errorf("left behind: %s", name)
		}
		if want, ok := reference[name]; ok && text != want {
			return killed, fmt.Errorf("%s is not new after the next export", name)
		}
	}
	for name := range maps.Keys(reference) {
		if _, ok := k.files[name]; !ok {
			return killed, fmt.Errorf("%s is missing after the next export", name)
		}
	}
	return killed, nil
}

func (k *killer) readExport() map[string]string { return readFolder(k.t, k.export) }

func readFolder(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(file string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(file)
		name, _ := filepath.Rel(dir, file)
		out[filepath.ToSlash(name)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
