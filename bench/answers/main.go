// Answers measures what agents pay for: the size of every tool's answers on a
// large library beside the budget that was asked for, and the size of the tool
// list.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"evergreen"

	"evergreen/bench/internal/calls"
	"evergreen/bench/internal/data"
	"evergreen/bench/internal/endpoint"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
	"evergreen/internal/engine"
	"evergreen/internal/text"
)

const (
	tree      = "mdn-en"
	questions = 12 // of the judged set, spread evenly
	large     = 3  // of the largest sections
)

func main() {
	study.Main("answers", "Answers within their budgets", []string{
		"What does an answer cost an agent, and does it keep to the budget?",
		"Every tool is called over HTTP, as curl would, on all of MDN, English, and the program's own knowledge base. A budget bounds the tokens of the whole text, " +
			"max_bytes its bytes; what is asked below 200 or above 8,000 tokens counts as that. Metadata is structuredContent, which clients need not show to a model. " +
			"Tokens are the program's own estimate. An answer has one size, so there is one run.",
	}, measure)
}

func measure(ctx context.Context, s *study.Study) error {
	library, err := s.Index(ctx, tree)
	if err != nil {
		return err
	}
	folder := filepath.Join(s.Work, "small")
	if err := calls.SmallFolder(folder); err != nil {
		return err
	}
	if err := lists(ctx, s, library); err != nil {
		return err
	}
	return serving(ctx, s, library, nil, func(e endpoint.Endpoint) error {
		m, err := material(ctx, s.Corpora, e)
		if err != nil {
			return err
		}
		m.Folder = folder
		big, err := largest(ctx, library)
		if err != nil {
			return err
		}
		m.IDs = append(m.IDs, big...)
		return answers(ctx, s, e, m.All())
	})
}

// serving runs use against a server.
func serving(ctx context.Context, s *study.Study, library string, args []string, use func(endpoint.Endpoint) error) error {
	p, err := s.Program.Serve(ctx, s.Work, append([]string{"--library", library, "--kb", knowledge()}, args...)...)
	if err != nil {
		return err
	}
	if err := use(study.Endpoint(p)); err != nil {
		_ = p.Stop() // the first error is told
		return err
	}
	return p.Stop()
}

// knowledge is the product's own knowledge base, beside this module.
func knowledge() string {
	path, err := filepath.Abs(filepath.Join("..", "docs", "context.json"))
	if err != nil {
		return "../docs/context.json"
	}
	return path
}

func material(ctx context.Context, c data.Corpora, e endpoint.Endpoint) (calls.Material, error) {
	all, err := c.Questions("k8s-questions")
	if err != nil {
		return calls.Material{}, err
	}
	queries := append(data.Spread(all, questions),
		"Array.prototype.map", "grid-template-columns", "HTTP headers", "flexbox",
		"如何对齐弹性容器的子元素", "幻觉 引用", "What is Evergreen", "xyzzyqwert plugh", "a",
		strings.Repeat("how do I align items in a flex container ", 40))
	return calls.Gather(ctx, e, tree, queries)
}

// largest returns the ids of the sections with the most text.
func largest(ctx context.Context, library string) ([]string, error) {
	e, err := engine.Open(engine.Options{Root: library})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	outline, err := e.Outline(ctx, evergreen.OutlineRequest{Collection: tree, Limit: -1})
	if err != nil {
		return nil, err
	}
	var all []evergreen.Section
	for _, d := range outline.Documents {
		all = append(all, d.Sections...)
	}
	slices.SortStableFunc(all, func(a, b evergreen.Section) int { return (b.ByteEnd - b.ByteStart) - (a.ByteEnd - a.ByteStart) })
	var ids []string
	for _, section := range all[:min(large, len(all))] {
		ids = append(ids, section.ID)
	}
	return ids, nil
}

// lists measures tools/list.
func lists(ctx context.Context, s *study.Study, library string) error {
	t := report.Table{Heading: "The tool list", Columns: []string{"sets", "tools", "tokens", "floor", "holds"}}
	for _, c := range []struct {
		sets  string
		floor int
	}{{"all", 3000}, {"docs,kb", 1800}} {
		var args []string
		if c.sets != "all" {
			args = []string{"--tools", c.sets}
		}
		err := serving(ctx, s, library, args, func(e endpoint.Endpoint) error {
			raw, _, err := e.Post(ctx, "tools/list", nil)
			if err != nil {
				return err
			}
			var list struct{ Tools []json.RawMessage }
			var compact bytes.Buffer
			if err := errors.Join(json.Unmarshal(raw, &list), json.Compact(&compact, raw)); err != nil {
				return err
			}
			tokens := text.Tokens(compact.String())
			t.Add("`"+c.sets+"`", strconv.Itoa(len(list.Tools)), report.Thousands(tokens), "<= "+report.Thousands(c.floor), holds(tokens <= c.floor))
			return nil
		})
		if err != nil {
			t.Add("`"+c.sets+"`", "–", "–", "<= "+report.Thousands(c.floor), "**NO**: "+err.Error())
		}
	}
	s.Table(t)
	return nil
}

func holds(yes bool) string {
	if yes {
		return "yes"
	}
	return "**NO**"
}

// size is what the answers to one tool under one bound measured.
type size struct {
	tool, limit string
	bound       int
	text, meta  report.Sample
	over        []string // calls whose answers exceed the bound
}

// answers makes the calls and adds a row for each tool and bound.
func answers(ctx context.Context, s *study.Study, e endpoint.Endpoint, list []calls.Call) error {
	var sizes []*size
	at := map[string]*size{}
	for _, c := range list {
		a, err := e.Call(ctx, c.Tool, c.Arguments)
		if err != nil {
			return err
		}
		key := c.Tool + "\x00" + c.Limit()
		if at[key] == nil {
			at[key] = &size{tool: c.Tool, limit: c.Limit(), bound: c.Bound()}
			sizes = append(sizes, at[key])
		}
		at[key].add(c, a)
	}
	slices.SortStableFunc(sizes, func(a, b *size) int {
		if a.tool != b.tool {
			return strings.Compare(a.tool, b.tool)
		}
		return a.bound - b.bound
	})
	t := report.Table{Heading: "Answers", Columns: []string{"tool", "bound", "calls", "median", "largest", "holds", "metadata tokens, median", "largest"}}
	for _, z := range sizes {
		t.Add("`"+z.tool+"`", z.limit, strconv.Itoa(len(z.text)), report.Number(z.text.Median()), report.Number(z.text.Max()),
			holds(len(z.over) == 0), report.Number(z.meta.Median()), report.Number(z.meta.Max()))
	}
	s.Table(t)
	for _, z := range sizes {
		for _, call := range z.over {
			s.Say("Over its bound: " + call)
		}
	}
	return nil
}

func (z *size) add(c calls.Call, a endpoint.Answer) {
	n := c.Size(a.Text)
	z.text = append(z.text, float64(n))
	z.meta = append(z.meta, float64(text.Tokens(string(a.Meta))))
	if n > c.Bound() {
		arguments, err := json.Marshal(c.Arguments)
		if err != nil {
			arguments = []byte(fmt.Sprint(c.Arguments))
		}
		z.over = append(z.over, fmt.Sprintf("`%s %.300s` answers %d of %s", c.Tool, arguments, n, c.Limit()))
	}
}
