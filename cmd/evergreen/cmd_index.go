package main

import (
	"fmt"

	"evergreen"

	"github.com/spf13/cobra"
)

// shownSkips is how many skipped places are named for people; --json names
// all.
const shownSkips = 20

func indexCommand(a *app) *cobra.Command {
	var r evergreen.IndexRequest
	cmd := &cobra.Command{
		Use:   "index SOURCE...",
		Short: "Read folders, files and knowledge bases into the library",
		Long: "Read sources into the library. A source is a folder, a file, a local git\n" +
			"checkout or a context.json. Indexing it again reads only what changed.\n" +
			"Everything that was found is accounted for: indexed, unchanged, removed,\n" +
			"or skipped with the reason.",
		Example: "  evergreen index ./docs\n" +
			"  evergreen index ./docs --name handbook --exclude 'drafts/**'\n" +
			"  evergreen index ./docs ./context.json --json",
		Args: argCount(1, -1, "at least one source"),
		RunE: func(cmd *cobra.Command, args []string) error {
			e, s, err := a.open(cmd)
			if err != nil {
				return err
			}
			defer e.Close()
			if r.Name != "" && len(args) > 1 {
				return usage("--name names one collection, but %d sources are given", len(args)).
					Fix("index them one by one")
			}
			r.MaxFiles = s.Index.MaxFiles
			r.Verify = r.Verify || r.Refresh // of a local source only time stamps are kept
			return a.indexAll(cmd, e, r, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&r.Name, "name", "", "`NAME` of the collection (default: from the source)")
	flags.StringArrayVar(&r.Source.Include, "include", nil, "take only paths that match `GLOB`; may be repeated")
	flags.StringArrayVar(&r.Source.Exclude, "exclude", nil, "leave out paths that match `GLOB`; may be repeated")
	setting(flags, "max-files", "index.max_files", "most files taken from one source")
	flags.BoolVar(&r.Refresh, "refresh", false, "ask the source again instead of trusting what is kept of it")
	flags.BoolVar(&r.Verify, "verify", false, "compare contents instead of trusting time stamps")
	flags.BoolVar(&r.Source.MDX, "mdx", false, "read .md files as MDX")
	return cmd
}

// indexAll indexes the sources in order and reports on each. A source that
// fails does not keep the others from being read.
func (a *app) indexAll(cmd *cobra.Command, e library, r evergreen.IndexRequest, sources []string) error {
	var reports []evergreen.IndexReport
	var failed error
	for _, location := range sources {
		report, err := a.indexOne(cmd, e, r, location)
		if err != nil {
			a.exit(cmd, err)
			failed = silent{exitOf(err)}
			if cmd.Context().Err() != nil {
				break
			}
			continue
		}
		reports = append(reports, report)
		if !a.json {
			a.sayReport(report)
		}
	}
	switch {
	case !a.json || len(reports) == 0:
	case len(sources) == 1:
		if err := a.writeJSON(reports[0]); err != nil {
			return err
		}
	default:
		if err := a.writeJSON(reports); err != nil {
			return err
		}
	}
	return failed
}

// indexOne indexes one source with a progress line.
func (a *app) indexOne(cmd *cobra.Command, e library, r evergreen.IndexRequest, location string) (evergreen.IndexReport, error) {
	r.Source.Location = location
	progress, done := a.progressLine()
	defer done()
	return e.Index(cmd.Context(), r, progress)
}

// sayReport tells people what became of a source.
func (a *app) sayReport(r evergreen.IndexReport) {
	d := r.Documents
	a.say(fmt.Sprintf("%s: %s found, %s indexed, %s unchanged, %s removed, %s skipped; %s, %s in %.1f s",
		r.Collection, thousands(d.Discovered), thousands(d.Indexed), thousands(d.Unchanged), thousands(d.Removed),
		thousands(d.Skipped), count(r.Sections, "section"), count(r.Tokens, "token"), r.Seconds))
	for i, skip := range r.Skipped {
		if i == shownSkips {
			a.say(fmt.Sprintf("  and %s more (--json names all)", thousands(len(r.Skipped)-i)))
			break
		}
		a.say("  skipped " + skip.Path + ": " + skip.Reason)
	}
	for _, w := range r.Warnings {
		a.say("  warning: " + w)
	}
	if r.Truncated {
		a.say("  not everything was taken: raise --max-files")
	}
}
