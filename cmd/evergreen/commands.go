package main

import "github.com/spf13/cobra"

// commands lists the constructors of all commands. A new command is a file
// cmd_NAME.go and a line here.
func commands() []func(*app) *cobra.Command {
	return []func(*app) *cobra.Command{
		serveCommand,
		exportCommand,
		mcpCommand,
		indexCommand,
		listCommand,
		tocCommand,
		searchCommand,
		getCommand,
		contextCommand,
		deleteCommand,
		fetchCommand,
		extractCommand,
		markdownCommand,
		evalCommand,
		verifyCommand,
		auditCommand,
		measureCommand,
		repairCommand,
		websearchCommand,
		configCommand,
		doctorCommand,
		versionCommand,
		completionCommand,
	}
}
