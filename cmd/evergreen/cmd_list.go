package main

import (
	"time"

	"evergreen"

	"github.com/spf13/cobra"
)

func listCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the collections of the library",
		Example: "  evergreen list\n  evergreen list --json",
		Args:    argCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, _, err := a.open(cmd)
			if err != nil {
				return err
			}
			defer e.Close()
			collections, err := e.Collections(cmd.Context())
			if err != nil {
				return err
			}
			a.sayDamaged(cmd.Context(), e)
			if a.json {
				return a.writeJSON(collections)
			}
			if len(collections) == 0 && len(e.Damaged(cmd.Context())) > 0 {
				return nil
			}
			if len(collections) == 0 {
				a.say("The library is empty. Index a folder: evergreen index ./docs")
				return nil
			}
			return a.print(collectionTable(collections))
		},
	}
}

func collectionTable(collections []evergreen.Collection) string {
	rows := [][]string{{"COLLECTION", "DOCUMENTS", "SECTIONS", "TOKENS", "INDEXED", "SOURCE"}}
	for _, c := range collections {
		rows = append(rows, []string{c.Name, thousands(c.Documents), thousands(c.Sections), thousands(c.Tokens),
			c.IndexedAt.UTC().Format(time.RFC3339), c.Source})
	}
	return table(rows, 1, 2, 3)
}
