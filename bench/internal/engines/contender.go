// Package engines runs search engines side by side: each is a process of its
// own that answers JSON lines, indexes the same sections and is measured from
// outside. Some are Go and are this very program, started in another role;
// others are packages of npm and PyPI behind small scripts.
package engines

// This file is the side of a contender that is Go.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"evergreen/bench/internal/data"
)

// question is what a contender is asked. "build" makes an index from units, or
// from the folder that they come from; "open" opens one; "search" asks it.
type question struct {
	Do       string `json:"do"`
	Units    string `json:"units,omitempty"`
	Source   string `json:"source,omitempty"`
	Index    string `json:"index,omitempty"`
	Language string `json:"language,omitempty"` // en or zh
	Query    string `json:"query,omitempty"`
	Limit    int    `json:"limit,omitempty"`
}

// reply is what it answers.
type reply struct {
	Sections int      `json:"sections,omitempty"`
	IDs      []string `json:"ids,omitempty"`
	Failed   string   `json:"failed,omitempty"`
}

// searcher is an engine behind the lines.
type searcher interface {
	// build indexes and returns how many units are in the index.
	build(q question) (int, error)
	open(q question) error
	// search returns ids, best first.
	search(query string, limit int) ([]string, error)
	close() error
}

// contend answers lines until the input ends.
func contend(s searcher, in io.Reader, out io.Writer) error {
	w := bufio.NewWriter(out)
	encoder := json.NewEncoder(w)
	for d := json.NewDecoder(in); ; {
		var q question
		if err := d.Decode(&q); err == io.EOF {
			return s.close()
		} else if err != nil {
			return err
		}
		if err := encoder.Encode(answer(s, q)); err != nil {
			return err
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
}

func answer(s searcher, q question) (r reply) {
	var err error
	switch q.Do {
	case "build":
		r.Sections, err = s.build(q)
	case "open":
		err = s.open(q)
	case "search":
		r.IDs, err = s.search(q.Query, q.Limit)
	default:
		err = fmt.Errorf("what is %q", q.Do)
	}
	if err != nil {
		r.Failed = err.Error()
	}
	return r
}

// inProcess makes the contenders that are Go.
func inProcess(name string) (searcher, bool) {
	switch name {
	case Ours:
		return &own{}, true
	case "bleve":
		return &bleveIndex{}, true
	case "fts5":
		return &fts5{}, true
	}
	return nil, false
}

// AsContender runs this program as a contender when it was started as one.
func AsContender() bool {
	if len(os.Args) != 3 || os.Args[1] != "contend" {
		return false
	}
	s, ok := inProcess(os.Args[2])
	if !ok {
		fmt.Fprintf(os.Stderr, "there is no contender %q\n", os.Args[2])
		os.Exit(2)
	}
	if err := contend(s, bufio.NewReader(os.Stdin), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

// each reads the units of a file.
func each(file string, add func(data.Unit) error) (n int, err error) {
	err = data.ReadLines(file, func(u data.Unit) error {
		n++
		return add(u)
	})
	return n, err
}
