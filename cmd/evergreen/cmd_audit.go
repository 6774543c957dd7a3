package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"

	"evergreen"
	"evergreen/internal/audit"
	"evergreen/internal/audit/finding"
	"evergreen/internal/audit/probe"

	"github.com/spf13/cobra"
)

func auditCommand(a *app) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "audit URL",
		Short: "Judge how ready a site is for agents, with a fix for each gap",
		Long: "Judge any site by the arithmetic of three scanners and a linter, each with its own\n" +
			"figure, and look whether the seven layers are there. At most 50 pages are looked at,\n" +
			"the same ones each time. What needs a browser is named and left out.",
		Example: "  evergreen audit https://docs.example.com\n" +
			"  evergreen audit https://docs.example.com --html report.html\n" +
			"  evergreen audit http://127.0.0.1:4173 --json",
		Args: argCount(1, 1, "one URL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := probe.New(args[0], probe.Options{UserAgent: "evergreen/" + version})
			if err != nil {
				return err
			}
			report, err := audit.Run(cmd.Context(), client)
			if err != nil {
				return err
			}
			if file != "" {
				var page bytes.Buffer
				if err := report.WriteHTML(&page); err != nil {
					return err
				}
				if err := os.WriteFile(file, page.Bytes(), 0o644); err != nil {
					return evergreen.Errorf(evergreen.Invalid, "write the report: %w", err).Fix("name another file with --html FILE")
				}
				a.say("evergreen: the report is in " + file)
			}
			if a.json {
				return a.writeJSON(report)
			}
			return a.print(auditText(report))
		},
	}
	cmd.Flags().StringVar(&file, "html", "", "write the report with its chart to `FILE` too")
	return cmd
}

// auditText is a report for a terminal: figures, layers, gaps by phase.
func auditText(r audit.Report) string {
	s := r.Score
	held := ""
	if s.Afdocs.Cap != "" {
		held = ", held down: " + s.Afdocs.Cap
	}
	text := table([][]string{
		{"afdocs", fmt.Sprintf("%d (%s)%s", s.Afdocs.Score, s.Afdocs.Grade, held)},
		{"Lighthouse, static part", fmt.Sprintf("agentic browsing %s, SEO %s, best practices %s", figure(s.Lighthouse.Agentic), figure(s.Lighthouse.SEO), figure(s.Lighthouse.Practices))},
		{"Cloudflare", fmt.Sprintf("%d, level %d of 5; for open sites %d, level %d", s.Cloudflare.Score, s.Cloudflare.Level, s.Cloudflare.Own, s.Cloudflare.OwnLevel)},
		{"llms.txt", fmt.Sprintf("%s, %s, %d of %d links broken", count(s.Lint.Errors, "error"), count(s.Lint.Warnings, "warning"), s.Lint.Broken, s.Lint.Links)},
	})
	rows := [][]string{}
	for _, l := range r.Layers {
		rows = append(rows, []string{l.ID, l.Name, string(l.Status), fmt.Sprintf("%d passed, %d with a warning, %d failed", l.Passed, l.Warned, l.Failed)})
	}
	text += "\n" + table(rows)
	for _, p := range r.Phases {
		text += fmt.Sprintf("\n%s: %s\n", p.ID, p.Name)
		if len(p.Open) == 0 {
			text += "  nothing to do\n"
		}
		for _, c := range r.Checks {
			if c.Phase == p.ID && (c.Status == finding.Fail || c.Status == finding.Warn) {
				text += gapText(c)
			}
		}
	}
	return text + fmt.Sprintf("\n%s of %s pages looked at; %s need a browser and were not run.\n",
		thousands(s.Afdocs.Pages), thousands(s.Afdocs.Found), count(len(r.NotRun), "audit"))
}

func gapText(c finding.Check) string {
	text := fmt.Sprintf("  %s  %s (%s, %s/%s)\n", c.Status, c.Title, c.Layer, c.Judge, c.ID)
	for _, line := range [][2]string{{"requested", c.Requested}, {"came back", c.Got}} {
		if line[1] != "" {
			text += "        " + line[0] + ": " + oneLine(line[1]) + "\n"
		}
	}
	if c.Fix != "" {
		text += "        fix: " + strings.ReplaceAll(c.Fix, "\n", "\n             ") + "\n"
	}
	return text
}

func figure(n int) string {
	if n < 0 {
		return "not applicable"
	}
	return strconv.Itoa(n)
}
