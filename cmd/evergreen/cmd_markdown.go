package main

import (
	"net/url"
	"regexp"

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
			"--batch reads lines {\"id\",\"html\"} and writes a line for each, in order; for one that\n" +
			"fails {\"id\",\"error\"}.",
		Example: "  evergreen markdown https://docs.example.com/guide/\n" +
			"  evergreen markdown - --fragment --base https://docs.example.com/ < piece.html\n" +
			"  evergreen markdown --batch pieces.jsonl > results.jsonl",
		Args: func(cmd *cobra.Command, args []string) error { return oneOrBatch(cmd, args, batch) },
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkBase(c.base); err != nil {
				return err
			}
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

// checkBase refuses what links cannot be relative to.
func checkBase(base string) error {
	if base == "" {
		return nil
	}
	u, err := url.Parse(base)
	if err != nil || u.Scheme == "" || u.Opaque != "" || u.Host == "" && u.Scheme != "file" {
		return usage("--base %q is no URL", base).Fix("write it whole, such as https://docs.example.com/guide/")
	}
	return nil
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

func (a *app) markdownBatch(file string, c converter) error {
	in, err := a.input(file)
	if err != nil {
		return err
	}
	defer in.Close()
	lines, bad, err := markdown.Batch(in, a.stdout, c.convert)
	return a.batchDone(file, lines, bad, err)
}
