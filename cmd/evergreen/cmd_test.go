package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"evergreen"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

func TestWrongCommandLinesAreUsageErrorsWithAHint(t *testing.T) {
	for _, tt := range []struct {
		args  string
		error string
		hint  string
	}{
		{"serch x", `unknown command "serch"`, "did you mean search?"},
		{"serch --help", `unknown command "serch"`, "did you mean search?"},
		{"--log-level info bogus --help", `unknown command "bogus"`, "run evergreen --help"},
		{"help serch", `unknown command "serch"`, "did you mean search?"},
		{"context x --buget 5", "unknown flag --buget for evergreen context", "did you mean --budget?"},
		{"list --jsn", "unknown flag --jsn for evergreen list", "did you mean --json?"},
		{"context x --budget many", `--budget must be a whole number, not "many"`, "run evergreen context --help"},
		{"search", "evergreen search needs a query", "run evergreen search --help"},
		{"search x -n abc", `-n, --limit must be a whole number, not "abc"`, "run evergreen search --help"},
		{"search x -n 99999999999999999999", `-n, --limit is out of range: "99999999999999999999"`, ""},
		{"list --json=maybe", `--json must be true or false, not "maybe"`, ""},
		{"fetch x --timeout soon", `--timeout must be a duration such as 30s or 1500 (milliseconds), not "soon"`, ""},
		{"markdown x --base ::bad", `--base "::bad" is no URL`, "write it whole"},
		{"extract x --base guide/", `--base "guide/" is no URL`, "write it whole"},
		{"search x -n 0", "-n must be above 0, not 0", "run evergreen search --help"},
		{"context x --limit 0", "--limit must be above 0, not 0", ""},
		{"get a --max-bytes -2", "--max-bytes must be a number of bytes", ""},
		{"get a --offset -1", "--offset must not be negative", ""},
		{"list extra", `evergreen list takes no arguments, but got "extra"`, ""},
		{"delete a b", `"b" is one too many`, "quotes"},
		{"index a b --name c", "--name names one collection", "one by one"},
		{"eval --corpus x", "needs --corpus and --queries", ""},
		{"completion bsh", `unknown shell "bsh"`, "did you mean bash?"},
		{"list --log-level loud", "flag --log-level: log_level: \"loud\" is none of debug, info, warn, error", "docs/config.md"},
		{"serve --port 70000", "--port must be between 0 and 65535", ""},
		{"serve --tools docs,dosc", `server.tools: "dosc" is none of docs, kb, web, admin`, ""},
		{"mcp --tools dosc", `server.tools: "dosc" is none of docs, kb, web, admin`, ""},
	} {
		code, stdout, stderr := command(t, newFake(), nil, strings.Fields(tt.args)...)
		if code != exitUsage || stdout != "" {
			t.Errorf("%s: exit %d, stdout %q", tt.args, code, stdout)
		}
		lines := strings.Split(stderr, "\n")
		if !strings.HasPrefix(lines[0], "evergreen: error: ") || !strings.Contains(lines[0], tt.error) {
			t.Errorf("%s: first line %q lacks %q", tt.args, lines[0], tt.error)
		}
		if !strings.HasPrefix(lines[1], "evergreen: hint: ") || !strings.Contains(stderr, tt.hint) {
			t.Errorf("%s: no hint with %q in %q", tt.args, tt.hint, stderr)
		}
	}
}

func TestConfigurationMistakesNameTheNearestKey(t *testing.T) {
	code, _, stderr := command(t, newFake(), map[string]string{"file": `{"server": {"lisen": "x"}}`}, "list")
	if code != exitUsage || !strings.Contains(stderr, `unknown key "server.lisen"`) || !strings.Contains(stderr, "did you mean server.listen?") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

func TestEveryKindOfErrorHasItsExitCode(t *testing.T) {
	for kind, want := range map[evergreen.Kind]int{evergreen.Invalid: 2, evergreen.NotFound: 1, evergreen.Blocked: 1,
		evergreen.TooLarge: 1, evergreen.Timeout: 1, evergreen.Upstream: 1, evergreen.Conflict: 1, evergreen.Damaged: 1,
		evergreen.Exhausted: 1, evergreen.Internal: 1} {
		lib := newFake()
		lib.err = evergreen.Errorf(kind, "it\nbroke").Fix("do this").Near("a", "b")
		code, _, stderr := command(t, lib, nil, "list")
		wanted := "evergreen: error: it broke\nevergreen: hint: do this\nevergreen: hint: did you mean a, b?\n"
		if code != want || stderr != wanted {
			t.Errorf("%s: exit %d, %q", kind, code, stderr)
		}
	}
}

func TestAnInterruptIsSaidInWords(t *testing.T) {
	lib := newFake()
	lib.err = fmt.Errorf("walk: %w", context.Canceled)
	code, _, stderr := command(t, lib, nil, "list")
	if code != exitFailure || stderr != "evergreen: error: interrupted\nevergreen: hint: run the same command again to go on\n" {
		t.Errorf("exit %d, %q", code, stderr)
	}
}

func TestFlagsMayStandAnywhere(t *testing.T) {
	for _, args := range []string{"--json search -n 3 two words", "search two words -n 3 --json", "search two --json words -n=3"} {
		lib := newFake()
		code, stdout, stderr := command(t, lib, nil, strings.Fields(args)...)
		if code != 0 || lib.searched.Query != "two words" || lib.searched.Limit != 3 || !json.Valid([]byte(stdout)) {
			t.Errorf("%s: exit %d %+v %s%s", args, code, lib.searched, stdout, stderr)
		}
	}
}

func TestEveryCommandHasAnExampleAndASentence(t *testing.T) {
	a := &app{}
	for _, build := range commands() {
		cmd := build(a)
		if !strings.Contains(cmd.Example, "evergreen "+cmd.Name()) || cmd.Short == "" {
			t.Errorf("%s: example %q, sentence %q", cmd.Name(), cmd.Example, cmd.Short)
		}
	}
	for _, args := range [][]string{{"--help"}, {"help"}, {}, {"search", "--help"}, {"help", "search"}} {
		code, stdout, stderr := command(t, newFake(), nil, args...)
		if code != 0 || !strings.Contains(stdout, "Examples:") || stderr != "" {
			t.Errorf("%v: exit %d, %q, %q", args, code, stdout, stderr)
		}
	}
}

// keysOf returns the keys of a JSON object, sorted.
func keysOf(t *testing.T, text string) []string {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	var keys []string
	for key := range object {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func TestJSONShapes(t *testing.T) {
	for args, want := range map[string]string{
		"index ./docs":                       "collection documents sections tokens truncated skipped seconds",
		"toc react":                          "collection documents",
		"search x":                           "query mode total matched hits",
		"get react::guide.md::guide/state#2": "id title level collection doc_path markdown truncated total_bytes content_hash tokens",
		"get a --verify --context":           "verified context",
		"context x":                          "query knowledgeVersion revision usedTokens budget truncated matched entryCount entries citations rules generatedAt source",
		"delete react":                       "deleted",
		"eval --corpus a --queries b":        "ndcg10 hit5 mrr10 queries",
		"config":                             "file settings",
		"doctor":                             "ok checks",
		"version":                            "version go os arch",
	} {
		code, stdout, stderr := command(t, newFake(), nil, append(strings.Fields(args), "--json")...)
		if code != 0 {
			t.Errorf("%s: exit %d: %s", args, code, stderr)
			continue
		}
		keys := keysOf(t, stdout)
		for _, key := range strings.Fields(want) {
			if !slices.Contains(keys, key) {
				t.Errorf("%s: no %q in %v", args, key, keys)
			}
		}
		if strings.Contains(stdout, `\u003c`) {
			t.Errorf("%s: escaped HTML in %s", args, stdout)
		}
	}
	for _, args := range []string{"list", "index ./a ./b", "get a b"} {
		_, stdout, _ := command(t, newFake(), nil, append(strings.Fields(args), "--json")...)
		var list []map[string]any
		if err := json.Unmarshal([]byte(stdout), &list); err != nil || len(list) != 2 {
			t.Errorf("%s: %v %s", args, err, stdout)
		}
	}
	if _, stdout, _ := command(t, &fakeLibrary{}, nil, "list", "--json"); stdout != "[]\n" {
		t.Errorf("an empty library is %q", stdout)
	}
}

func TestList(t *testing.T) {
	_, stdout, _ := command(t, newFake(), nil, "list")
	want := `COLLECTION  DOCUMENTS  SECTIONS  TOKENS  INDEXED               SOURCE
react               1         2   1,280  2026-03-01T10:00:00Z  /src/react
指南                0         0       0  2026-03-01T10:00:00Z  /src/zh
`
	if diff := cmp.Diff(want, stdout); diff != "" {
		t.Error(diff)
	}
	_, stdout, stderr := command(t, &fakeLibrary{}, nil, "list")
	if stdout != "" || !strings.Contains(stderr, "evergreen index ./docs") {
		t.Errorf("an empty library: %q %q", stdout, stderr)
	}
	if _, _, stderr := command(t, &fakeLibrary{}, nil, "list", "--quiet"); stderr != "" {
		t.Errorf("--quiet still says %q", stderr)
	}
}

func TestIndexReportsOnEverySource(t *testing.T) {
	lib := newFake()
	code, stdout, stderr := command(t, lib, nil, "index", "./docs", "absent", "--include", "**/*.md", "--include", "*.txt",
		"--exclude", "x", "--max-files", "7", "--mdx", "--verify", "--refresh")
	if code != exitFailure || stdout != "" {
		t.Errorf("exit %d, %q", code, stdout)
	}
	for _, part := range []string{"docs: 3 found, 2 indexed, 0 unchanged, 0 removed, 1 skipped; 2,000 sections, 1 token in 0.2 s",
		"skipped x.bin: binary", "evergreen: error: there is no file or folder absent"} {
		if !strings.Contains(stderr, part) {
			t.Errorf("stderr lacks %q: %s", part, stderr)
		}
	}
	want := evergreen.IndexRequest{Source: evergreen.Source{Location: "./docs", Include: []string{"**/*.md", "*.txt"},
		Exclude: []string{"x"}, MDX: true}, MaxFiles: 7, Verify: true, Refresh: true, MaxPages: 1000, Depth: 10}
	if diff := cmp.Diff(want, lib.indexed[0]); diff != "" {
		t.Error(diff)
	}
}

// A file that is named and gives nothing is an error, with the reason, and not
// also a report of a collection that is not there.
func TestNothingReadOfAFileIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.bin")
	if err := os.WriteFile(file, []byte{0}, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		report evergreen.IndexReport
		code   int
		said   string
	}{
		{[]string{"index", file}, evergreen.IndexReport{Collection: "x", Documents: evergreen.Counts{Discovered: 1, Skipped: 1}, Skipped: []evergreen.Skip{{Path: "x.bin", Reason: "binary"}}},
			exitFailure, "evergreen: error: there is nothing to read in " + file + ": binary\n"},
		{[]string{"serve", file}, evergreen.IndexReport{Skipped: []evergreen.Skip{{Path: "x.bin", Reason: "binary"}}},
			exitFailure, "evergreen: error: there is nothing to read in " + file + ": binary\n"},
		{[]string{"mcp", "https://docs.example.com/"}, evergreen.IndexReport{}, exitFailure, "gave no page that could be indexed"},
		{[]string{"index", file}, evergreen.IndexReport{Collection: "x", Documents: evergreen.Counts{Discovered: 1, Unchanged: 1}}, exitOK, "x: 1 found"},
		{[]string{"index", filepath.Dir(file)}, evergreen.IndexReport{Collection: "x", Skipped: []evergreen.Skip{{Path: "x.bin", Reason: "binary"}}}, exitOK, "x: 0 found"},
	} {
		lib := newFake()
		lib.report = &c.report
		code, _, stderr := command(t, lib, nil, c.args...)
		if code != c.code || !strings.Contains(stderr, c.said) || c.code != exitOK && strings.Contains(stderr, "found") && !strings.Contains(c.args[1], "://") {
			t.Errorf("%v: exit %d, %s", c.args, code, stderr)
		}
	}
}

// Owners see drafts; what is shown to others holds none.
func TestOwnersSeeDrafts(t *testing.T) {
	for _, c := range []struct {
		args   string
		drafts bool
	}{
		{"search x", true}, {"context x", true}, {"get x", true}, {"toc react", true}, {"list", true}, {"doctor", true},
		{"mcp absent", true}, {"serve absent", false}, {"export x", false},
	} {
		lib := newFake()
		lib.drafts = !c.drafts
		if command(t, lib, nil, strings.Fields(c.args)...); lib.drafts != c.drafts {
			t.Errorf("%s: drafts %v", c.args, lib.drafts)
		}
	}
}

func TestVariablesThatAreNoSettingAreNamedOnce(t *testing.T) {
	env := map[string]string{"EVERGREEN_LIBARY": "x", "EVERGREEN_CORPORA": "x"}
	const note = "evergreen: note: EVERGREEN_LIBARY is no setting; did you mean EVERGREEN_LIBRARY?\n"
	if _, _, stderr := command(t, newFake(), env, "list"); stderr != note {
		t.Errorf("list says %q", stderr)
	}
	if _, _, stderr := command(t, newFake(), env, "list", "--quiet"); stderr != "" {
		t.Errorf("--quiet still says %q", stderr)
	}
}

func TestTocReadsCollectionDocumentAndFile(t *testing.T) {
	lib := newFake()
	_, stdout, _ := command(t, lib, nil, "toc", "react/guide.md", "--all", "--depth", "2")
	want := `guide.md  Guide
   1,200  Guide  react::guide.md::guide#1
      80    State  react::guide.md::guide/state#2
`
	if diff := cmp.Diff(want, stdout); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(evergreen.OutlineRequest{Collection: "react", DocPath: "guide.md", Depth: 2, Limit: -1}, lib.outlined); diff != "" {
		t.Error(diff)
	}
	if _, stdout, _ := command(t, lib, nil, "toc", "./cmd_test.go"); stdout != "cmd_test.go  File\n" {
		t.Errorf("a file: %q", stdout)
	}
	if command(t, lib, nil, "toc", "raect/guide.md"); lib.outlined.Collection != "raect" || lib.outlined.DocPath != "guide.md" {
		t.Errorf("an unknown collection asks for %+v", lib.outlined)
	}
}

func TestTocOfWhatIsNoDocument(t *testing.T) {
	for arg, want := range map[string]string{
		"./nofile.md": "evergreen: error: there is no file ./nofile.md\n",
		"nofile.HTML": "evergreen: error: there is no file nofile.HTML\n",
		"../no/where": "evergreen: error: there is no file ../no/where\n",
		"./testdata":  "evergreen: error: ./testdata is a folder, not a collection or a file\nevergreen: hint: index it first: evergreen index ./testdata\n",
	} {
		lib := newFake()
		if code, _, stderr := command(t, lib, nil, "toc", arg); code != exitFailure || !strings.HasPrefix(stderr, want) {
			t.Errorf("%s: exit %d, %s", arg, code, stderr)
		}
	}
}

func TestSplitTargetTakesTheLongestName(t *testing.T) {
	collections := []evergreen.Collection{{Name: "a"}, {Name: "a/b"}, {Name: "ab"}}
	for arg, want := range map[string][2]string{"a": {"a", ""}, "a/x": {"a", "x"}, "a/b/x": {"a/b", "x"}, "a/bx": {"a", "bx"},
		"ab/": {"ab", ""}, "c/x": {"", ""}} {
		if collection, path := splitTarget(collections, arg); collection != want[0] || path != want[1] {
			t.Errorf("%s: %q, %q", arg, collection, path)
		}
	}
}

func TestSearchShowsHitsAndHowToGoOn(t *testing.T) {
	_, stdout, stderr := command(t, newFake(), nil, "search", "state")
	want := ` 1  Guide > State
    react::guide.md::guide/state#2  score 1.25  80 tokens
    keep state
`
	if diff := cmp.Diff(want, stdout); diff != "" {
		t.Error(diff)
	}
	if stderr != "1 of 12 sections · more: add --cursor c2\n" {
		t.Errorf("stderr %q", stderr)
	}
	for limit, said := range map[string]bool{"200": false, "201": true} {
		if _, _, stderr := command(t, newFake(), nil, "search", "state", "-n", limit); strings.Contains(stderr, "at most 200 hits") != said {
			t.Errorf("-n %s: %q", limit, stderr)
		}
	}
	code, stdout, stderr := command(t, newFake(), nil, "search", "nothing")
	if code != 0 || stdout != "" || stderr != "nothing matches \"nothing\"\ndid you mean something?\n" {
		t.Errorf("no hit: exit %d, %q, %q", code, stdout, stderr)
	}
}

func TestGetPrintsTheTextAndNothingElse(t *testing.T) {
	code, stdout, stderr := command(t, newFake(), nil, "get", "x")
	if code != 0 || stdout != "## State\n\n保持 <state>.\n" || stderr != "" {
		t.Errorf("exit %d, %q, %q", code, stdout, stderr)
	}
	_, _, stderr = command(t, newFake(), nil, "get", "x", "--max-bytes", "8")
	if stderr != "x: 8 of 25 bytes shown; go on with --offset 8\n" {
		t.Errorf("truncated: %q", stderr)
	}
	_, stdout, _ = command(t, newFake(), nil, "get", "x", "--context")
	if !strings.Contains(stdout, "under     react::guide.md::guide#1  Guide (1,200 tokens)\n") {
		t.Errorf("context: %q", stdout)
	}
	code, stdout, stderr = command(t, newFake(), nil, "get", "absent", "x", "y")
	if code != exitFailure || !strings.HasPrefix(stdout, "<!-- x -->\n") || !strings.Contains(stdout, "\n<!-- y -->\n") ||
		!strings.Contains(stderr, "did you mean react::a, react::b?") {
		t.Errorf("several: exit %d, %q, %q", code, stdout, stderr)
	}
	lib := newFake()
	lib.faults = map[string][]string{"react": {"the text of guide.md is not what was indexed", "a segment is cut short"}}
	if code, stdout, _ := command(t, lib, nil, "doctor"); code != exitFailure || !strings.Contains(stdout, "guide.md is not what was indexed; a segment") {
		t.Errorf("damaged: exit %d, %s", code, stdout)
	}
	lib.missing = []evergreen.Skip{{Path: "guide.md", Reason: "its source is gone"}, {Path: "other.md"}}
	code, stdout, _ = command(t, lib, nil, "doctor", "--repair")
	if code != exitFailure || !strings.Contains(stdout, "1 document whole, 2 read again, missing: guide.md (its source is gone) and 1 more") {
		t.Errorf("--repair without the source: exit %d, %s", code, stdout)
	}
	lib.missing, lib.collections = nil, lib.collections[:1]
	if code, stdout, _ := command(t, lib, nil, "doctor", "--repair", "--json"); code != 0 ||
		!strings.Contains(stdout, "repaired: 1 document, 2 sections; 1 kept, 2 read again") || !strings.Contains(stdout, `"reread": 2`) {
		t.Errorf("--repair: exit %d, %s", code, stdout)
	}
	lib = newFake()
	lib.damaged = damages()
	code, stdout, _ = command(t, lib, nil, "doctor")
	for _, part := range []string{"failed  collection vue", "segment 1 is cut short", "→ run evergreen doctor --repair",
		"failed  collection go", "→ index its source again: evergreen index SOURCE --name go",
		"failed  collection new", "→ use the newer Evergreen, or another library with --library DIR"} {
		if code != exitFailure || !strings.Contains(stdout, part) {
			t.Errorf("exit %d, no %q in %s", code, part, stdout)
		}
	}
	code, stdout, _ = command(t, lib, nil, "doctor", "--repair")
	if diff := cmp.Diff([]string{"go", "vue", "new"}, lib.repaired); code != exitFailure || diff != "" || !strings.Contains(stdout, "where \"go\" came from") {
		t.Errorf("--repair: exit %d, %s%s", code, diff, stdout)
	}
	if code, stdout, _ := command(t, newFake(), map[string]string{"file": "{"}, "doctor"); code != exitFailure || !strings.Contains(stdout, "failed  configuration") {
		t.Errorf("bad configuration: exit %d, %s", code, stdout)
	}
}

// damages are a collection whose sources are forgotten, one with a source and one
// of a later format.
func damages() []evergreen.Damage {
	return []evergreen.Damage{{Name: "go", Message: "collection \"go\" is damaged"},
		{Name: "vue", Message: "segment 1 is cut short", Sources: []evergreen.Source{{Kind: evergreen.SourceFolder, Location: "/src/vue"}}},
		{Name: "new", Kind: evergreen.Conflict, Message: "a newer Evergreen wrote it"}}
}

// Whoever reads is told what is missing from the answers; a library with nothing
// but damage is not an empty one.
func TestDamageIsSaidWhereAnswersAreRead(t *testing.T) {
	const want = "evergreen: warning: collection \"go\" is damaged; index its source again: evergreen index SOURCE --name go\n" +
		"evergreen: warning: segment 1 is cut short; run evergreen doctor --repair\n" +
		"evergreen: warning: a newer Evergreen wrote it; use the newer Evergreen, or another library with --library DIR\n"
	for _, args := range []string{"list", "list --json", "search x", "context x", "toc react", "get x"} {
		for _, lib := range []*fakeLibrary{newFake(), {}} {
			lib.damaged = damages()
			if _, _, stderr := command(t, lib, nil, strings.Fields(args)...); strings.Count(stderr, want) != 1 || strings.Contains(stderr, "empty") {
				t.Errorf("%s: %q", args, stderr)
			}
		}
	}
}

func TestVersionIsDevUnlessBuiltOtherwise(t *testing.T) {
	if _, stdout, _ := command(t, newFake(), nil, "version"); !strings.HasPrefix(stdout, "evergreen dev go") {
		t.Errorf("got %q", stdout)
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if code, stdout, _ := command(t, newFake(), nil, "completion", shell); code != 0 || !strings.Contains(stdout, "evergreen") {
			t.Errorf("%s: exit %d", shell, code)
		}
	}
	_, stdout, _ := command(t, newFake(), nil, cobra.ShellCompRequestCmd, "delete", "")
	if !strings.HasPrefix(stdout, "react\n") {
		t.Errorf("collections are not completed: %q", stdout)
	}
}
