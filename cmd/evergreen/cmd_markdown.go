package main

import (
	"bufio"
	"encoding/json"
	"io"
	"regexp"
	"time"

	"evergreen"
	"evergreen/internal/markdown"

	"github.com/spf13/cobra"
)

func markdownCommand(a *app) *cobra.Command {
	var f fetchFlags
	var c converter
	var batch string
	cmd := &cobra.Command{
		Use:   "markdown URL | FILE | -",
		Short: "Convert HTML to Markdown, the whole of it",
		Long: "Convert HTML to Markdown without leaving anything out; extract finds the main\n" +
			"content first. --fragment reads a piece of a page, such as rows of a table.\n" +
			"--batch reads lines {\"id\",\"html\"} and writes a line for each, in order.",
		Example: "  evergreen markdown https://docs.example.com/guide/\n" +
			"  evergreen markdown - --fragment --base https://docs.example.com/ < piece.html\n" +
			"  evergreen markdown --batch pieces.jsonl > results.jsonl",
		Args: func(cmd *cobra.Command, args []string) error { return oneOrBatch(cmd, args, batch) },
		RunE: func(cmd *cobra.Command, args []string) error {
			if batch != "" {
				return a.markdownBatch(batch, c)
			}
			p, err := f.page(a, cmd, args[0])
			if err != nil {
				return err
			}
			if c.base == "" {
				c.base = p.url
			}
			text := c.convert(string(p.html))
			if a.json {
				return a.writeJSON(map[string]string{"markdown": text})
			}
			return a.print(text)
		},
	}
	f.define(cmd.Flags())
	cmd.Flags().StringVar(&c.base, "base", "", "`URL` that links are relative to (default: where the page came from)")
	cmd.Flags().BoolVar(&c.fragment, "fragment", false, "the input is a piece of a page and may begin within a table")
	cmd.Flags().StringVar(&batch, "batch", "", "read pieces of HTML from `FILE`, JSON lines, or -")
	return cmd
}

// converter turns HTML into Markdown as the flags say.
type converter struct {
	base     string
	fragment bool
}

// tablePart begins a piece that the parser would drop outside of a table.
var tablePart = regexp.MustCompile(`(?i)^\s*<(caption|colgroup|thead|tbody|tfoot|tr|td|th)[\s>]`)

func (c converter) convert(html string) string {
	if c.fragment && tablePart.MatchString(html) {
		html = "<table>" + html
	}
	return markdown.FromHTML(html, c.base)
}

// markdownLine is one line of a batch's input, markdownResult of its output.
type (
	markdownLine struct {
		ID   string `json:"id"`
		HTML string `json:"html"`
	}
	markdownResult struct {
		ID       string  `json:"id"`
		Markdown string  `json:"markdown"`
		Ms       float64 `json:"ms"` // wall time of the conversion, in milliseconds
	}
)

func (a *app) markdownBatch(file string, c converter) error {
	in, err := a.input(file)
	if err != nil {
		return err
	}
	defer in.Close()
	lines := json.NewDecoder(bufio.NewReader(in))
	out := bufio.NewWriter(a.stdout)
	results := json.NewEncoder(out)
	results.SetEscapeHTML(false)
	for {
		var line markdownLine
		if err := lines.Decode(&line); err == io.EOF {
			return out.Flush()
		} else if err != nil {
			return evergreen.Errorf(evergreen.Invalid, "%s is not JSON lines: %w", file, err).
				Fix(`write one object a line: {"id":"1","html":"<p>text</p>"}`)
		}
		started := time.Now()
		r := markdownResult{ID: line.ID, Markdown: c.convert(line.HTML)}
		r.Ms = float64(time.Since(started).Microseconds()) / 1000
		if err := results.Encode(r); err != nil {
			return err
		}
	}
}
