package main

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"evergreen"
	"evergreen/internal/config"
	"evergreen/internal/mcp"
	"evergreen/internal/text"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestIndexPassesOnWhatIsSaidOfWebSites(t *testing.T) {
	lib := newFake()
	_, _, stderr := command(t, lib, nil, "index", "https://docs.example.com/a", "./docs", "--single", "--max-pages", "7", "--depth", "2",
		"--header", "X-Key: open: sesame", "--allow-private", "--refresh")
	page := evergreen.IndexRequest{Source: evergreen.Source{Kind: evergreen.SourcePage, Location: "https://docs.example.com/a"},
		MaxPages: 7, Depth: 2, Header: []string{"X-Key: open: sesame"}, AllowPrivate: true, Refresh: true, Verify: true}
	folder := page
	folder.Source = evergreen.Source{Location: "./docs"}
	if diff := cmp.Diff([]evergreen.IndexRequest{page, folder}, lib.indexed, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s\n%s", diff, stderr)
	}
}

func TestReadHeader(t *testing.T) {
	for line, want := range map[string]http.Header{
		"X-Key: v": {"X-Key": {"v"}}, "authorization:Bearer a:b": {"Authorization": {"Bearer a:b"}}, "X-Empty:": {"X-Empty": {""}},
		"no colon": nil, ": v": nil, "a b: v": nil, "X: a\r\nY: b": nil, "": nil,
	} {
		got, err := readHeader([]string{line})
		if diff := cmp.Diff(want, got); diff != "" || (err == nil) != (want != nil) {
			t.Errorf("%q: %v\n%s", line, err, diff)
		}
	}
}

func TestAnEmptyLibraryIsNamedOnce(t *testing.T) {
	for _, args := range []string{"search x", "context x", "get x", "get x y"} {
		code, _, stderr := command(t, &fakeLibrary{}, nil, strings.Fields(args)...)
		if code != 0 || strings.Count(stderr, "The library is empty: answering from Evergreen's own documentation. ") != 1 {
			t.Errorf("%s: exit %d, %q", args, code, stderr)
		}
		if _, _, stderr := command(t, newFake(), nil, strings.Fields(args)...); strings.Contains(stderr, "empty") {
			t.Errorf("%s on a library that is not: %q", args, stderr)
		}
	}
}

func TestInputIsBounded(t *testing.T) {
	name := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(name, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := &app{stdin: strings.NewReader("123456")}
	if got, err := a.readInput(name, 5); err != nil || string(got) != "12345" {
		t.Errorf("at the edge: %q, %v", got, err)
	}
	if _, err := a.readInput("-", 5); evergreen.KindOf(err) != evergreen.TooLarge {
		t.Errorf("beyond it: %v", err)
	}
	if _, err := a.readInput(name+"x", 5); evergreen.KindOf(err) != evergreen.NotFound {
		t.Errorf("an absent file: %v", err)
	}
}

// The text of an answer keeps its budget in the tokens that the settings name.
func TestContextCountsAsTheSettingsSay(t *testing.T) {
	lib := newFake()
	lib.body = strings.Repeat("ⴰⵣⵓⵍ ", 400)
	exact := text.NewBPE()
	for estimator, most := range map[string]int{"o200k": 600, "default": 1 << 20} {
		_, stdout, _ := command(t, lib, map[string]string{"EVERGREEN_INDEX_ESTIMATOR": estimator}, "context", "x", "--budget", "600")
		if n := exact(stdout); n > most || most > 600 && n < 600 {
			t.Errorf("%s: %d tokens of o200k", estimator, n)
		}
	}
}

func TestTokensFromTheCommandLineWinOverFilesFromElsewhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("from file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"EVERGREEN_TOKEN_FILE": file, "EVERGREEN_READ_TOKEN": "from env"}
	for _, tt := range []struct {
		flags       map[string]config.Flag
		token, read string
		name        string
	}{
		{name: "files and variables", token: "from file", read: "from env"},
		{name: "a typed token", token: "typed", read: "from env",
			flags: map[string]config.Flag{"server.token": {Name: "--token", Values: []string{"typed"}}}},
		{name: "a typed file", token: "from file", read: "from file",
			flags: map[string]config.Flag{"server.read_token_file": {Name: "--read-token-file", Values: []string{file}}}},
	} {
		s, err := config.Load(config.Input{Flags: tt.flags, WorkDir: t.TempDir(),
			LookupEnv: func(name string) (string, bool) { v, ok := env[name]; return v, ok }})
		if err != nil {
			t.Fatal(err)
		}
		if err := readTokens(&s); err != nil || s.Server.Token != tt.token || s.Server.ReadToken != tt.read {
			t.Errorf("%s: %q, %q, %v", tt.name, s.Server.Token, s.Server.ReadToken, err)
		}
	}
}

// Clients learn of a change in this process at once, of others within
// watchEvery.
func TestFollowLooksAfterEveryChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lib := newFake()
		face := newMCPFace(lib, config.Settings{}, nil, slog.New(slog.DiscardHandler))
		defer face.jobs.Close()
		server, _, err := face.server([]mcp.Set{mcp.SetDocs}, false)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		follow(ctx, lib, server)
		looked := lib.revisions.Load()
		check := func(what string, want int32) {
			synctest.Wait()
			if got := lib.revisions.Load() - looked; got != want {
				t.Errorf("%s: looked %d times, want %d", what, got, want)
			}
		}
		lib.changed[0]()
		check("after a change", 1)
		time.Sleep(watchEvery)
		check("after a while", 2)
		cancel()
		time.Sleep(10 * watchEvery)
		check("after the end", 2)
	})
}

func TestWatchingLeavesWebSitesAlone(t *testing.T) {
	lib := newFake()
	a := &app{stderr: &bytes.Buffer{}}
	folder := t.TempDir()
	w := a.watchSources(lib, []evergreen.IndexRequest{
		{Source: evergreen.Source{Location: "https://docs.example.com/"}}, {Source: evergreen.Source{Location: folder}}})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go w.Run(ctx)
	for w.States()[0].Looked.IsZero() && t.Context().Err() == nil {
		time.Sleep(time.Millisecond)
	}
	if states := w.States(); len(states) != 1 || states[0].Location != folder {
		t.Errorf("watched %+v", states)
	}
}
