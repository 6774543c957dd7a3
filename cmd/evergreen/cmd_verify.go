package main

import (
	"fmt"

	"evergreen/internal/audit/probe"
	"evergreen/internal/audit/verify"

	"github.com/spf13/cobra"
)

func verifyCommand(a *app) *cobra.Command {
	var o verify.Options
	cmd := &cobra.Command{
		Use:   "verify URL",
		Short: "Check that a server keeps the contract of the seven layers",
		Long: "Ask a running server, ours or any other, what agents ask: Chinese questions, types,\n" +
			"validators, errors, paths that climb, MCP without ceremony, prompt packs. Nothing is\n" +
			"changed there. Exits with 1 when a check fails.",
		Example: "  evergreen verify http://127.0.0.1:4173\n" +
			"  evergreen verify http://127.0.0.1:4173 --self --rate-limit\n" +
			"  evergreen verify https://docs.example.com --json",
		Args: argCount(1, 1, "one URL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := probe.New(args[0], probe.Options{UserAgent: "evergreen/" + version})
			if err != nil {
				return err
			}
			report, err := verify.Run(cmd.Context(), client, o)
			if err != nil {
				return err
			}
			if err := a.writeVerified(report); err != nil {
				return err
			}
			if report.Failed > 0 {
				return silent{exitFailure}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&o.Self, "self", false, "the server holds Evergreen's own knowledge base: check the ranking too")
	cmd.Flags().BoolVar(&o.RateLimit, "rate-limit", false, "flood the server until it refuses")
	return cmd
}

func (a *app) writeVerified(report verify.Report) error {
	if a.json {
		return a.writeJSON(report)
	}
	var rows [][]string
	for _, c := range report.Checks {
		mark := "ok"
		if !c.OK {
			mark = "FAIL"
		}
		rows = append(rows, []string{mark, c.Name, oneLine(c.Detail)})
	}
	return a.print(table(rows), fmt.Sprintf("\n%d passed, %d failed\n", report.Passed, report.Failed))
}
