package main

import (
	"fmt"
	"math"

	"evergreen"
	"evergreen/internal/charset"
	"evergreen/internal/extract"
	"evergreen/internal/markdown"

	"github.com/spf13/cobra"
)

func extractCommand(a *app) *cobra.Command {
	var f fetchFlags
	var batch, base string
	cmd := &cobra.Command{
		Use:   "extract URL | FILE | -",
		Short: "Print the main content of a page as Markdown",
		Long: "Print what a page is about, as Markdown, without navigation and furniture.\n" +
			"Title and how the content was found go to stderr; --json has them too.\n" +
			"--batch reads lines {\"id\",\"path\",\"url\"} and writes a line for each, in order; for one\n" +
			"that fails {\"id\",\"error\"}.",
		Example: "  evergreen extract https://docs.example.com/guide/\n" +
			"  evergreen extract ./page.html --base https://docs.example.com/guide/ --json\n" +
			"  evergreen extract --batch manifest.jsonl > results.jsonl",
		Args: func(cmd *cobra.Command, args []string) error { return oneOrBatch(cmd, args, batch) },
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkBase(base); err != nil {
				return err
			}
			if batch != "" {
				return a.extractBatch(batch)
			}
			p, err := f.page(a, cmd, args[0])
			if err != nil {
				return err
			}
			if base != "" {
				p.url = base
			}
			return a.printExtracted(extract.Page(p.html, p.url))
		},
	}
	f.define(cmd.Flags())
	cmd.Flags().StringVar(&base, "base", "", "`URL` that the page's links are relative to (default: where it came from)")
	cmd.Flags().StringVar(&batch, "batch", "", "read pages from `MANIFEST`, a file of JSON lines, or -")
	return cmd
}

// oneOrBatch demands one argument, or none beside --batch.
func oneOrBatch(cmd *cobra.Command, args []string, batch string) error {
	if batch != "" {
		return argCount(0, 0, "")(cmd, args)
	}
	return argCount(1, 1, "one URL or file")(cmd, args)
}

// extractedJSON is what extract --json writes.
type extractedJSON struct {
	Title     string   `json:"title"`
	SiteName  string   `json:"site_name"`
	Byline    string   `json:"byline"`
	Language  string   `json:"language"`
	Published string   `json:"published"`
	Updated   string   `json:"updated"`
	URL       string   `json:"url"`
	Platform  string   `json:"platform"`
	Extractor string   `json:"extractor"`
	Coverage  float64  `json:"coverage"` // 0 to 1, 3 decimals
	Warnings  []string `json:"warnings"`
	HTML      string   `json:"html"`
	Text      string   `json:"text"`
	Markdown  string   `json:"markdown"`
}

func (a *app) printExtracted(r *extract.Result) error {
	text := markdown.FromNode(r.Document(), "") // its addresses are absolute
	if a.json {
		return a.writeJSON(extractedJSON{
			Title: r.Title, SiteName: r.SiteName, Byline: r.Byline, Language: r.Language,
			Published: r.Published, Updated: r.Updated, URL: r.URL, Platform: r.Platform, Extractor: r.Extractor,
			Coverage: math.Round(r.Coverage*1000) / 1000, Warnings: append([]string{}, r.Warnings...),
			HTML: r.HTML, Text: r.Text, Markdown: text,
		})
	}
	line := fmt.Sprintf("%s · found by %s · %.0f %% of the visible text", r.Platform, r.Extractor, r.Coverage*100)
	if r.Title != "" {
		line = oneLine(r.Title) + " · " + line
	}
	a.say(line)
	for _, w := range r.Warnings {
		a.say("warning: " + w)
	}
	return a.print(text)
}

func (a *app) extractBatch(manifest string) error {
	in, err := a.input(manifest)
	if err != nil {
		return err
	}
	defer in.Close()
	decode := func(data []byte) []byte {
		text, _, _ := charset.Decode(data, "", true)
		return text
	}
	lines, bad, err := extract.Batch(in, a.stdout, decode, markdown.FromNode)
	return a.batchDone(manifest, lines, bad, err)
}

// batchDone says what of a batch failed; its answers say why.
func (a *app) batchDone(file string, lines, failed int, err error) error {
	switch {
	case err != nil:
		return evergreen.Errorf(evergreen.Internal, "%s: line %d: %w", file, lines+1, err)
	case failed > 0:
		return evergreen.Errorf(evergreen.Upstream, "%s: %s of %s failed", file, thousands(failed), count(lines, "line")).
			Fix("their answers have an error in place of the result")
	}
	return nil
}
