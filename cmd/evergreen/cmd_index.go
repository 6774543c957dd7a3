package main

import (
	"fmt"
	"os"

	"evergreen"
	"evergreen/internal/crawl"

	"github.com/spf13/cobra"
)

// shownSkips is how many skipped places are named for people; --json names
// all.
const shownSkips = 20

func indexCommand(a *app) *cobra.Command {
	var r evergreen.IndexRequest
	var single, render bool
	cmd := &cobra.Command{
		Use:   "index SOURCE...",
		Short: "Read folders, files, web sites and knowledge bases into the library",
		Long: "Read sources into the library. A source is a folder, a file, a local git\n" +
			"checkout, a context.json, or the URL of a web site, which is crawled below\n" +
			"that URL's folder. Indexing it again reads only what changed. Everything that\n" +
			"was found is accounted for: indexed, unchanged, removed, or skipped with the\n" +
			"reason.",
		Example: "  evergreen index ./docs\n" +
			"  evergreen index ./docs --name handbook --exclude 'drafts/**'\n" +
			"  evergreen index https://docs.example.com/guide/ --max-pages 200\n" +
			"  evergreen index ./docs ./context.json --json",
		Args: argCount(1, -1, "at least one source"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if render {
				return usage("--render is not available in this build: pages are read as the server sends them").
					Fix("leave it out; the report names pages that need a browser as needs_javascript")
			}
			if err := checkIndex(cmd, r, args); err != nil {
				return err
			}
			e, s, err := a.open(cmd)
			if err != nil {
				return err
			}
			defer e.Close()
			r.MaxFiles = s.Index.MaxFiles
			r.Verify = r.Verify || r.Refresh // of a local source only time stamps are kept
			return a.indexAll(cmd, e, r, single, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&r.Name, "name", "", "`NAME` of the collection (default: from the source)")
	flags.StringArrayVar(&r.Source.Include, "include", nil, "take only paths that match `GLOB`; may be repeated")
	flags.StringArrayVar(&r.Source.Exclude, "exclude", nil, "leave out paths that match `GLOB`; may be repeated")
	setting(flags, "max-files", "index.max_files", "most files taken from one local source")
	flags.IntVar(&r.MaxPages, "max-pages", crawl.DefaultMaxPages, "most pages taken from one site")
	flags.IntVar(&r.Depth, "depth", crawl.DefaultMaxDepth, "most links followed from the first page of a site")
	flags.BoolVar(&single, "single", false, "take the one page of a URL, not the site below it")
	headerFlag(flags, &r.Header)
	proxyFlag(flags)
	flags.BoolVar(&r.AllowPrivate, "allow-private", false, "reach addresses that are not public")
	flags.BoolVar(&render, "render", false, "run the scripts of pages (not available in this build)")
	flags.BoolVar(&r.Refresh, "refresh", false, "ask the source again instead of trusting what is kept of it")
	flags.BoolVar(&r.Verify, "verify", false, "compare contents instead of trusting time stamps")
	flags.BoolVar(&r.Source.MDX, "mdx", false, "read .md files as MDX")
	return cmd
}

// checkIndex refuses flags that the sources have no use for, instead of passing
// them over in silence.
func checkIndex(cmd *cobra.Command, r evergreen.IndexRequest, sources []string) error {
	web := 0
	for _, s := range sources {
		if isURL(s) {
			web++
		}
	}
	for _, only := range []struct {
		flags   []string
		sources int
		what    string
	}{
		{[]string{"max-pages", "depth", "single", "header", "proxy", "allow-private"}, web, "web sites"},
		{[]string{"max-files", "verify"}, len(sources) - web, "folders and files"},
	} {
		for _, name := range only.flags {
			if cmd.Flags().Changed(name) && only.sources == 0 {
				return usage("--%s is for %s, and no such source is given", name, only.what)
			}
		}
	}
	switch {
	case r.Name != "" && len(sources) > 1:
		return usage("--name names one collection, but %d sources are given", len(sources)).Fix("index them one by one")
	case r.MaxPages < 1:
		return usage("--max-pages must be above 0, not %d", r.MaxPages)
	case r.Depth < 1:
		return usage("--depth must be above 0, not %d", r.Depth).Fix("take one page only with --single")
	}
	_, err := readHeader(r.Header)
	return err
}

// indexAll indexes the sources in order and reports on each. A source that
// fails does not keep the others from being read.
func (a *app) indexAll(cmd *cobra.Command, e library, r evergreen.IndexRequest, single bool, sources []string) error {
	var reports []evergreen.IndexReport
	var failed error
	for _, location := range sources {
		r.Source.Kind = ""
		if single && isURL(location) {
			r.Source.Kind = evergreen.SourcePage
		}
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
		err = nothingRead(report, location)
		if !a.json && (err == nil || isURL(location)) { // of one file the error says it all
			a.sayReport(report)
		}
		if err != nil {
			a.exit(cmd, err)
			failed = silent{exitFailure}
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

// nothingRead is the error of a run that was to read one file or a site and
// read nothing. An empty folder is no error: it may fill later.
func nothingRead(r evergreen.IndexReport, location string) error {
	if r.Documents.Indexed+r.Documents.Unchanged > 0 {
		return nil
	}
	if isURL(location) {
		return evergreen.Errorf(evergreen.Upstream, "%s gave no page that could be indexed", location).
			Fix("look at what it answers with: evergreen fetch %s", location)
	}
	if info, err := os.Stat(location); err != nil || info.IsDir() || len(r.Skipped) == 0 {
		return nil
	}
	return evergreen.Errorf(evergreen.NotFound, "there is nothing to read in %s: %s", location, r.Skipped[0].Reason)
}

// indexFirst reads a source that a server was started with, and says what became
// of it. Nothing read is an error.
func (a *app) indexFirst(cmd *cobra.Command, e library, r evergreen.IndexRequest) error {
	report, err := a.indexOne(cmd, e, r, r.Source.Location)
	if err != nil {
		return err
	}
	if err := nothingRead(report, r.Source.Location); err != nil {
		return err
	}
	a.sayReport(report)
	return nil
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
		raise := "--max-files"
		if isURL(r.Source) {
			raise = "--max-pages"
		}
		a.say("  not everything was taken: raise " + raise)
	}
}
