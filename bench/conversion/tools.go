package main

// This file runs the converters.

import (
	"context"
	_ "embed"
	"runtime"

	"evergreen/internal/markdown"

	"evergreen/bench/internal/peer"
	"evergreen/bench/internal/program"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
)

var (
	//go:embed peer.mjs
	turndown []byte
	//go:embed peer.py
	markdownify []byte
)

// ours is the name of the product among the tools.
const ours = "Evergreen"

// answer is the Markdown of one piece of HTML, "" where the tool failed.
type answer struct {
	Markdown string
	All      float64 // processor milliseconds
}

// tool is one contender. It converts pieces of HTML in one thread.
type tool struct {
	name string
	run  func([]string) ([]answer, error)
}

func inProcess() []tool {
	plain := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(),
		strikethrough.NewStrikethroughPlugin(), table.NewTablePlugin()))
	return []tool{
		{ours, each(func(html string) (string, error) { return markdown.FromHTML(html, ""), nil })},
		{"html-to-markdown v2", each(func(html string) (string, error) { return plain.ConvertString(html) })},
		{"html-to-markdown v2, table options", each(func(html string) (string, error) { return tables().ConvertString(html) })},
	}
}

// tables is html-to-markdown v2 with the options that lose least.
func tables() *converter.Converter {
	return converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(),
		strikethrough.NewStrikethroughPlugin(), table.NewTablePlugin(table.WithSpanCellBehavior(table.SpanBehaviorMirror),
			table.WithNewlineBehavior(table.NewlineBehaviorPreserve), table.WithHeaderPromotion(true))))
}

func each(convert func(string) (string, error)) func([]string) ([]answer, error) {
	return func(pieces []string) ([]answer, error) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		var answers []answer
		for _, html := range pieces {
			started := program.Processor()
			text, err := convert(html)
			if err != nil {
				text = ""
			}
			answers = append(answers, answer{text, report.Milliseconds(program.Processor() - started)})
		}
		return answers, nil
	}
}

// scripts are the converters that are JavaScript or Python, without those that
// cannot be had.
func scripts(ctx context.Context, s *study.Study) (tools []tool) {
	if folder, why := peer.Node(ctx, s.Work, "turndown@"+turndownVersion, "@joplin/turndown-plugin-gfm@1.0.68"); why != "" {
		s.Absent("turndown", why)
	} else {
		tools = append(tools, scripted(ctx, "turndown "+turndownVersion+", Joplin's GFM", folder, turndown))
	}
	if folder, why := peer.Python(ctx, s.Work, "markdownify=="+markdownifyVersion); why != "" {
		s.Absent("markdownify", why)
	} else {
		tools = append(tools, scripted(ctx, "markdownify "+markdownifyVersion, folder, markdownify))
	}
	return tools
}

// scripted is a converter behind a script.
func scripted(ctx context.Context, name string, folder peer.Folder, script []byte) tool {
	type line struct {
		ID   int    `json:"id"`
		HTML string `json:"html"`
	}
	return tool{name, func(pieces []string) ([]answer, error) {
		var in []line
		for i, html := range pieces {
			in = append(in, line{i, html})
		}
		return peer.Run[line, answer](ctx, folder, "conversion", script, nil, in)
	}}
}
