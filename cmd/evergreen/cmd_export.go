package main

import (
	"fmt"

	"evergreen"
	"evergreen/internal/export"
	"evergreen/internal/site"
	"evergreen/internal/ui"
	"evergreen/internal/web"

	"github.com/spf13/cobra"
)

func exportCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export DIR",
		Short: "Write the site as plain files, all layers included",
		Long: "Write the library's site into a folder: pages, Markdown mirrors, indexes, entries,\n" +
			"policy. Any host that serves files can publish it; playground and search then\n" +
			"answer in the browser. An empty library exports Evergreen's own documentation.",
		Example: "  evergreen export ./public --base-url https://docs.example.com\n" +
			"  evergreen export ./public",
		Args: argCount(1, 1, "one folder to write to"),
		RunE: func(cmd *cobra.Command, args []string) error {
			library, s, err := a.openPublic(cmd)
			if err != nil {
				return err
			}
			defer library.Close()
			a.sayDamaged(cmd.Context(), library)
			e, closeOwn := a.withOwnDocs(cmd.Context(), library, s)
			defer closeOwn()
			snapshot, err := publish(cmd.Context(), e)
			if err != nil {
				return err
			}
			defer snapshot.Close()
			o := siteOptions(s, nil)
			o.Languages, o.Metrics = web.Languages(snapshot), true
			terms := policy(s)
			if rate := web.RateOf(s.Server.RateLimit); rate.PerMinute > 0 {
				terms.Rate = evergreen.RateLimit{PerMinute: rate.PerMinute, Burst: rate.Burst}
			}
			made, err := site.New(site.Input{Snapshot: snapshot, Policy: terms, Options: o})
			if err != nil {
				return err
			}
			static := uiOptions(s)
			static.Static = true
			pages, err := ui.New(static)
			if err != nil {
				return err
			}
			figures, err := e.Metrics(cmd.Context())
			if err != nil {
				return err
			}
			if s.Site.BaseURL == "" {
				a.say("No base URL: machine files link from the root of the host. Give --base-url for absolute links.")
			}
			report, err := export.Write(cmd.Context(), args[0], export.Options{Site: made, Pages: pages,
				Ask:   func(q evergreen.Query) (evergreen.Bundle, error) { return e.Ask(cmd.Context(), q) },
				Files: []export.File{{Path: "/metrics.json", Body: append(figures, '\n')}}})
			if err != nil {
				return err
			}
			if a.json {
				return a.writeJSON(report)
			}
			_, err = fmt.Fprintf(a.stdout, "%s, %s bytes in %s\n", count(report.Files, "file"), thousands(int(report.Bytes)), args[0])
			return err
		},
	}
	setting(cmd.Flags(), "base-url", "site.base_url", "public `URL` that the files will have")
	policyFlags(cmd.Flags())
	return cmd
}
