package main

// This file runs the tools that are Go, in this process.

import (
	"net/url"
	"runtime"
	"strings"
	"time"

	"evergreen/internal/extract"
	"evergreen/internal/markdown"

	"evergreen/bench/internal/pages"
	"evergreen/bench/internal/program"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/score"

	readability "codeberg.org/readeck/go-readability/v2"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"
)

// answer is what a tool makes of a page.
type answer struct {
	HTML, Markdown string
	Extract, All   float64 // processor milliseconds of extraction, and of both steps
	Failed         string  // what the tool said instead
}

// ours is the name of the product among the tools.
const ours = "Evergreen"

// wholeBody is no tool: it shows what finding nothing out costs.
const wholeBody = "whole body"

// tool is one contender. Its pages are UTF-8 already.
type tool struct {
	name    string
	convert bool // also writes Markdown
	script  bool // runs in a process of its own
	run     func([]pages.Page) ([]answer, error)
}

// extractor finds a page's content, as a tree.
type extractor func(p pages.Page, address *url.URL) (*html.Node, error)

// inProcess are the tools that are Go. Those that write no Markdown are
// followed by html-to-markdown v2.
func inProcess() []tool {
	return []tool{
		{ours, true, false, each(own)},
		{"go-readability v2", true, false, each(followed(readableContent(true)))},
		{"go-readability v2, defaults", false, false, each(alone(readableContent(false)))},
		{"go-trafilatura", true, false, each(followed(trafilaturaContent(trafilatura.Options{EnableFallback: true, ExcludeComments: true, IncludeLinks: true, IncludeImages: true})))},
		{"go-trafilatura, benchmark options", false, false, each(alone(trafilaturaContent(trafilatura.Options{EnableFallback: true})))},
		{wholeBody, false, false, each(alone(body))},
	}
}

// each runs a tool on one page after the other in one thread. A panic is a
// failure of that page.
func each(one func(pages.Page) answer) func([]pages.Page) ([]answer, error) {
	return func(all []pages.Page) ([]answer, error) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		var answers []answer
		for _, p := range all {
			answers = append(answers, guarded(one, p))
		}
		return answers, nil
	}
}

func guarded(one func(pages.Page) answer, p pages.Page) (a answer) {
	defer func() {
		if x := recover(); x != nil {
			a = answer{Failed: "panic"}
		}
	}()
	return one(p)
}

func own(p pages.Page) answer {
	started := program.Processor()
	r := extract.Page([]byte(p.HTML), p.URL)
	a := answer{HTML: r.HTML, Extract: since(started)}
	a.Markdown = markdown.FromNode(r.Document(), "")
	a.All = since(started)
	return a
}

func alone(find extractor) func(pages.Page) answer {
	return func(p pages.Page) answer {
		started := program.Processor()
		address, err := url.Parse(p.URL)
		if err != nil {
			return answer{Failed: err.Error()}
		}
		n, err := find(p, address)
		if err != nil || n == nil {
			return answer{Failed: "no content", Extract: since(started)}
		}
		return answer{HTML: score.HTML(n), Extract: since(started)}
	}
}

func followed(find extractor) func(pages.Page) answer {
	first, second := alone(find), converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(),
		strikethrough.NewStrikethroughPlugin(), table.NewTablePlugin(table.WithSpanCellBehavior(table.SpanBehaviorMirror),
			table.WithNewlineBehavior(table.NewlineBehaviorPreserve), table.WithHeaderPromotion(true))))
	return func(p pages.Page) answer {
		a := first(p)
		started := program.Processor()
		text, err := second.ConvertString(a.HTML)
		if err != nil {
			a.Failed = err.Error()
		}
		a.Markdown, a.All = text, a.Extract+since(started)
		return a
	}
}

func readableContent(keepClasses bool) extractor {
	return func(p pages.Page, address *url.URL) (*html.Node, error) {
		parser := readability.NewParser()
		parser.KeepClasses = keepClasses
		article, err := parser.Parse(strings.NewReader(p.HTML), address)
		return article.Node, err
	}
}

func trafilaturaContent(options trafilatura.Options) extractor {
	return func(p pages.Page, address *url.URL) (*html.Node, error) {
		options := options
		options.OriginalURL = address
		result, err := trafilatura.Extract(strings.NewReader(p.HTML), options)
		if err != nil {
			return nil, err
		}
		return result.ContentNode, nil
	}
}

// body is the page as it is, without scripts.
func body(p pages.Page, _ *url.URL) (*html.Node, error) {
	found := score.Find(score.Without(score.Parse(p.HTML), "script, style, noscript, template, svg"), "body")
	if len(found) == 0 {
		return nil, nil
	}
	return found[0], nil
}

func since(started time.Duration) float64 { return report.Milliseconds(program.Processor() - started) }
