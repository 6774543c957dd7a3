package main

import (
	"os"

	"evergreen"
	"evergreen/internal/repair"

	"github.com/spf13/cobra"
)

func repairCommand(a *app) *cobra.Command {
	var tools, server string
	cmd := &cobra.Command{
		Use:   "repair --tools FILE [CALLS]",
		Short: "Repair malformed tool calls, line by line",
		Long: "Read calls, one JSON object {\"id\", \"params\"} a line, from a file or standard\n" +
			"input, and write what each would be repaired to. params is a call as it was\n" +
			"received; a string holds its exact bytes. The tools are JSON lines, a JSON array,\n" +
			"or an MCP server's answer to tools/list.",
		Example: "  evergreen repair --tools tools.json calls.jsonl\n" +
			"  echo '{\"id\":1,\"params\":{\"name\":\"Search\",\"arguments\":\"{\\\"q\\\":\\\"x\\\"}\"}}' | evergreen repair --tools tools.json",
		Args: argCount(0, 1, "one file of calls"),
		RunE: func(_ *cobra.Command, args []string) error {
			if tools == "" {
				return usage("evergreen repair needs --tools FILE").Fix("name a file with the answer of an MCP server to tools/list")
			}
			cat, err := readCatalogue(tools, server)
			if err != nil {
				return err
			}
			calls := a.stdin
			if len(args) == 1 && args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return evergreen.Errorf(evergreen.NotFound, "read the calls: %w", err)
				}
				defer f.Close()
				calls = f
			}
			return repair.Stream(calls, a.stdout, cat)
		},
	}
	cmd.Flags().StringVar(&tools, "tools", "", "`FILE` that describes the tools")
	cmd.Flags().StringVar(&server, "server", "evergreen", "`NAME` of the server, which clients put in front of tool names")
	return cmd
}

// readCatalogue reads the tools that calls are repaired for.
func readCatalogue(file, server string) (*repair.Catalogue, error) {
	r, err := os.Open(file)
	if err != nil {
		return nil, evergreen.Errorf(evergreen.NotFound, "read the tools: %w", err)
	}
	defer r.Close()
	tools, err := repair.ReadTools(r)
	if err != nil {
		return nil, err
	}
	return repair.NewCatalogue(tools, repair.Options{Server: server})
}
