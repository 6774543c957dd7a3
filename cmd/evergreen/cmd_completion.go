package main

import (
	"evergreen/internal/text"

	"github.com/spf13/cobra"
)

func completionCommand(a *app) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a completion script for bash, zsh, fish or powershell",
		Example: "  source <(evergreen completion bash)\n" +
			"  evergreen completion zsh > \"${fpath[1]}/_evergreen\"\n" +
			"  evergreen completion fish > ~/.config/fish/completions/evergreen.fish\n" +
			"  evergreen completion powershell | Out-String | Invoke-Expression",
		Args:      argCount(1, 1, "one shell: bash, zsh, fish or powershell"),
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.stdout, true)
			case "zsh":
				return root.GenZshCompletion(a.stdout)
			case "fish":
				return root.GenFishCompletion(a.stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.stdout)
			}
			return usage("unknown shell %q", args[0]).Near(text.Nearest(args[0], shells, 1)...)
		},
	}
}
