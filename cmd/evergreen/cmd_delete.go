package main

import "github.com/spf13/cobra"

func deleteCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "delete COLLECTION",
		Short:   "Remove a collection from the library",
		Long:    "Remove a collection and everything kept of it. Its source is not touched.\nDeleting what is not there is no error.",
		Example: "  evergreen delete react",
		Args:    argCount(1, 1, "one collection"),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return a.collectionNames(cmd), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			e, _, err := a.open(cmd)
			if err != nil {
				return err
			}
			defer e.Close()
			deleted, err := e.Delete(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if a.json {
				return a.writeJSON(struct {
					Deleted bool `json:"deleted"`
				}{deleted})
			}
			if deleted {
				a.say("deleted " + args[0])
			} else {
				a.say("there is no collection " + args[0])
			}
			return nil
		},
	}
}
