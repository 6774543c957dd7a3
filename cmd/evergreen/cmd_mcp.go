package main

import (
	"context"
	"errors"

	"evergreen/internal/mcp/edge"

	"github.com/spf13/cobra"
)

func mcpCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp [SOURCE...]",
		Short: "Serve the library to an MCP client over stdio",
		Long: "Serve the library to an MCP client over standard input and output, after\n" +
			"reading the sources, if any. While the library is empty, it answers from\n" +
			"Evergreen's own documentation. Standard error is for people.",
		Example: "  evergreen mcp\n" +
			"  evergreen mcp ./docs --tools docs,kb\n" +
			"  claude mcp add evergreen -- evergreen mcp",
		RunE: func(cmd *cobra.Command, args []string) error {
			e, s, err := a.open(cmd)
			if err != nil {
				return err
			}
			defer e.Close()
			for _, source := range args {
				if err := a.indexFirst(cmd, e, sourceRequest(s, source)); err != nil {
					return err
				}
			}
			sets, err := toolSets(s)
			if err != nil {
				return err
			}
			roots, err := a.indexRoots(s, args)
			if err != nil {
				return err
			}
			log := a.logger(s)
			lib, closeOwn := a.withOwnDocs(cmd.Context(), e, s)
			defer closeOwn()
			face, err := newMCPFace(lib, s, roots, log).withGateway()
			if err != nil {
				return err
			}
			defer face.close()
			server, hook, err := face.server(sets, false)
			if err != nil {
				return err
			}
			go face.gateway.Run(cmd.Context())
			follow(cmd.Context(), lib, server)
			defer collect(face.called)()
			err = edge.ServeStdio(cmd.Context(), server.MCP(), a.stdin, a.stdout, edge.StdioOptions{Hook: hook, Tools: server, Log: log})
			face.sayCalls()
			if errors.Is(err, context.Canceled) {
				return nil // a signal is how a client ends us
			}
			return err
		},
	}
	switchSetting(cmd.Flags(), "allow-private", "server.allow_private", "read sources from, and let index_url reach, addresses that are not public")
	proxyFlag(cmd.Flags())
	setting(cmd.Flags(), "tools", "server.tools", "sets of tools: docs, kb, web, admin (default: all)")
	switchSetting(cmd.Flags(), "guard", "guard", "mark passages that address the model with instructions")
	return cmd
}
