package main

import (
	"strings"

	"evergreen"
	"evergreen/internal/pack"

	"github.com/spf13/cobra"
)

func contextCommand(a *app) *cobra.Command {
	q := evergreen.Query{}
	cmd := &cobra.Command{
		Use:   "context TOPIC",
		Short: "Answer a topic with passages within a budget of tokens",
		Long: "Collect the best passages on a topic, with markers to cite, until the budget of\n" +
			"tokens is used. Markdown goes to stdout; the bar on stderr shows what it cost.",
		Example: "  evergreen context \"how do I clean up an effect\"\n" +
			"  evergreen context \"幻觉 引用\" --budget 600 --lang zh\n" +
			"  evergreen context caching -c handbook --json",
		Args: argCount(0, -1, "a topic"),
		RunE: func(cmd *cobra.Command, args []string) error {
			asked := q.Budget
			q.Budget = max(q.Budget, 1) // below the least a budget means the least; 0 would mean the default
			q.Topic = strings.Join(args, " ")
			if cmd.Flags().Changed("limit") && q.Limit < 1 {
				return usage("--limit must be above 0, not %d", q.Limit)
			}
			e, s, err := a.openToAsk(cmd)
			if err != nil {
				return err
			}
			defer e.Close()
			q.WholeText = !a.json
			bundle, err := e.Ask(cmd.Context(), q)
			if err != nil {
				return err
			}
			bundle.Query.Budget = asked
			if a.json {
				return a.writeJSON(bundle)
			}
			markdown, written := pack.Fit(bundle, bundle.Budget, estimator(s))
			if err := a.print(strings.TrimRight(markdown, "\n"), "\n"); err != nil {
				return err
			}
			a.say(pack.Bar(written))
			return nil
		},
	}
	flags := cmd.Flags()
	switchSetting(flags, "guard", "guard", "mark passages that address the model with instructions")
	flags.IntVar(&q.Budget, "budget", evergreen.DefaultBudget, "most tokens, 200 to 8000")
	flags.StringVar(&q.Category, "category", "", "only entries of this category")
	flags.IntVar(&q.Limit, "limit", 0, "most entries (default: as many as fit)")
	flags.StringVar(&q.Lang, "lang", evergreen.LangAuto, "language of the rules: auto, en, zh")
	a.collectionFlag(cmd, &q.Collection)
	a.modeFlag(cmd, &q.Mode)
	return cmd
}
