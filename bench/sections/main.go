// Sections measures how documents are split: whether every heading becomes a
// section, and whether the sections' ids survive edits elsewhere in the
// document.
package main

import (
	"context"
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"evergreen/bench/internal/peer"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

// jdocmunchVersion is the one that was the newest when this was written.
const jdocmunchVersion = "1.150.1"

var (
	//go:embed judge.mjs
	judgeScript []byte
	//go:embed peer.py
	peerScript []byte
)

func main() {
	study.Main("sections", "Sections and their ids", []string{
		"Does every heading become a section, and do sections keep their ids when other places of the document are edited?",
		"Headings: the judge is commonmark.js 0.31.2, the reference implementation, on the text without front matter; headings in quotes and list items begin no section. " +
			"A heading is found when a section of the same level has its text, letters and digits compared, as it is shown or as it is written; " +
			"a section of level 1 to 6 that no heading accounts for is extra.",
		"Ids: 1,000 edits, one after the other, of documents spread over three trees, drawn from a fixed seed. Before and after each, all ids of the document are compared: " +
			"an id is kept when it names a section with the same text or, for the section that was edited, the same title. " +
			"Of a heading that is removed or reworded the id may go; its own subsections count. " +
			"Evergreen indexes the folder anew after each edit. " +
			"One run: the same edits give the same ids.",
	}, measure)
}

func measure(ctx context.Context, s *study.Study) error {
	s.Peers(report.Peer{Name: "jdocmunch-mcp", Version: jdocmunchVersion, Options: "none; used as a library, with what its indexer calls for a file",
		Why: "it has no options for this, and a server would index the whole folder for each edit"})
	splitter, err := splitterOf(ctx, s)
	if err != nil {
		return err
	}
	if err := headings(ctx, s, splitter); err != nil {
		return err
	}
	return identities(ctx, s, splitter)
}

// document is one file of a tree.
type document struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// found is one section of a document.
type found struct {
	ID, Title, Hash string
	Level           int
}

// splitter is the peer; it is nil when it cannot be had.
type splitter struct{ *peer.Process }

func splitterOf(ctx context.Context, s *study.Study) (*splitter, error) {
	folder, why := peer.Python(ctx, s.Work, "jdocmunch-mcp=="+jdocmunchVersion)
	if why != "" {
		s.Absent("jdocmunch-mcp "+jdocmunchVersion, why)
		return nil, nil
	}
	cmd, err := folder.Script(ctx, "sections", peerScript)
	if err != nil {
		return nil, err
	}
	quiet(cmd, s.Work)
	p, err := peer.Start(cmd)
	return &splitter{p}, err
}

// quiet keeps the peer's files below work and its counts to itself.
func quiet(cmd *exec.Cmd, work string) {
	cmd.Env = append(os.Environ(), "DOC_INDEX_PATH="+filepath.Join(work, "jdocmunch-index"), "JDOCMUNCH_SHARE_SAVINGS=0")
}

// split returns the sections that have a heading.
func (p *splitter) split(d document) ([]found, error) {
	var answer struct{ Sections []found }
	if _, err := p.Ask(d, &answer); err != nil {
		return nil, err
	}
	return titled(answer.Sections), nil
}

func titled(all []found) []found {
	var some []found
	for _, f := range all {
		if f.Level > 0 {
			some = append(some, f)
		}
	}
	return some
}

// read lists the Markdown documents of a folder by path, without hidden ones.
func read(folder string) (all []document, err error) {
	err = filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.IsDir() && path != folder && strings.HasPrefix(entry.Name(), ".") {
			return filepath.SkipDir
		}
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(folder, path)
		all = append(all, document{filepath.ToSlash(relative), strings.ReplaceAll(string(text), "\r\n", "\n")})
		return err
	})
	return all, err
}
