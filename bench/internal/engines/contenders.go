package engines

// This file starts the contenders.

import (
	"context"
	_ "embed"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"

	"evergreen/bench/internal/peer"
	"evergreen/bench/internal/study"
)

var (
	//go:embed peer.mjs
	javascript []byte
	//go:embed peer.py
	python []byte
)

// largest is the number of sections up to which engines are asked that live in
// memory: on all of MDN MiniSearch holds a gigabyte, and lunr more.
const largest = 20_000

// Ours is the name of the product among the contenders.
const Ours = "Evergreen"

// Versions of the packages, and the names in tables.
const (
	tantivyVersion    = "0.27.0"
	bm25sVersion      = "0.3.16"
	lunrVersion       = "2.3.9"
	miniSearchVersion = "7.2.0"

	bleveName      = "bleve 2.6.3"
	fts5Name       = "SQLite FTS5"
	tantivyName    = "tantivy " + tantivyVersion
	bm25sName      = "bm25s " + bm25sVersion
	lunrName       = "lunr " + lunrVersion
	miniSearchName = "MiniSearch " + miniSearchVersion
)

// Contender is one engine.
type Contender struct {
	name    string
	chinese bool
	limit   int // of sections; 0 is none
	command func() (*exec.Cmd, error)
}

// Contenders are those that can be had; the others are named as absent.
func Contenders(ctx context.Context, s *study.Study) []Contender {
	self := func(name string) func() (*exec.Cmd, error) {
		return func() (*exec.Cmd, error) {
			path, err := os.Executable()
			return exec.CommandContext(ctx, path, "contend", name), err
		}
	}
	all := []Contender{
		{Ours, true, 0, self(Ours)},
		{bleveName, true, 0, self("bleve")},
		{fts5Name, true, 0, self("fts5")},
	}
	if folder, why := peer.Python(ctx, s.Work, "tantivy=="+tantivyVersion, "bm25s=="+bm25sVersion, "PyStemmer==3.1.0"); why != "" {
		s.Absent("tantivy and bm25s", why)
	} else {
		script := func(name string) func() (*exec.Cmd, error) {
			return func() (*exec.Cmd, error) { return folder.Script(ctx, "engines", python, name) }
		}
		all = append(all, Contender{tantivyName, true, 0, script("tantivy")}, Contender{bm25sName, true, 0, script("bm25s")})
	}
	if folder, why := peer.Node(ctx, s.Work, "lunr@"+lunrVersion, "minisearch@"+miniSearchVersion); why != "" {
		s.Absent("lunr and MiniSearch", why)
	} else {
		script := func(name string) func() (*exec.Cmd, error) {
			return func() (*exec.Cmd, error) { return folder.Script(ctx, "engines", javascript, name) }
		}
		all = append(all, Contender{lunrName, false, largest, script("lunr")}, Contender{miniSearchName, true, largest, script("minisearch")})
	}
	return all
}

// asked is a running contender.
type asked struct{ *peer.Process }

func (c Contender) start() (asked, error) {
	cmd, err := c.command()
	if err != nil {
		return asked{}, err
	}
	p, err := peer.Start(cmd)
	return asked{p}, err
}

// do asks one question. A contender that fails is an error.
func (a asked) do(q question) (reply, time.Duration, error) {
	var r reply
	took, err := a.Ask(q, &r)
	if err == nil && r.Failed != "" {
		err = errors.New(strings.TrimSpace(r.Failed))
	}
	return r, took, err
}
