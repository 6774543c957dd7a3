package main

import (
	"strings"

	"evergreen"

	"github.com/spf13/cobra"
)

// collectionNames lists the collections for completion in a shell; a library
// that cannot be read completes nothing.
func (a *app) collectionNames(cmd *cobra.Command) []string {
	e, _, err := a.open(cmd)
	if err != nil {
		return nil
	}
	defer e.Close()
	collections, err := e.Collections(cmd.Context())
	if err != nil {
		return nil
	}
	var names []string
	for _, c := range collections {
		names = append(names, c.Name)
	}
	return names
}

// collectionFlag defines -c, with completion.
func (a *app) collectionFlag(cmd *cobra.Command, collection *string) {
	cmd.Flags().StringVarP(collection, "collection", "c", "", "look in this `COLLECTION` only")
	a.completeFlag(cmd, "collection", func() []string { return a.collectionNames(cmd) })
}

// modeFlag defines --mode, with completion. The engine checks the value.
func (a *app) modeFlag(cmd *cobra.Command, mode *string) {
	modes := []string{evergreen.ModeAuto, evergreen.ModeBM25, evergreen.ModeWeighted}
	cmd.Flags().StringVar(mode, "mode", evergreen.ModeAuto, "how to rank: "+strings.Join(modes, ", "))
	a.completeFlag(cmd, "mode", func() []string { return modes })
}

func (a *app) completeFlag(cmd *cobra.Command, flag string, values func() []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return values(), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic("complete --" + flag + ": " + err.Error()) // a flag that was never defined
	}
}
