package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func evalCommand(a *app) *cobra.Command {
	var r evalRequest
	cmd := &cobra.Command{
		Use:   "eval --corpus FILE --queries FILE",
		Short: "Measure retrieval on judged queries",
		Long: "Measure how well judged queries are answered: nDCG@10, hit@5 and MRR@10, means\n" +
			"over the queries. Both files are JSON lines, .gz allowed; a corpus line is\n" +
			"{\"id\",\"page\",\"title\",\"body\"}, a query line {\"id\",\"text\",\"relevant\":{ID: GRADE}}.",
		Example: "  evergreen eval --corpus corpus.jsonl.gz --queries queries.jsonl.gz\n" +
			"  evergreen eval --corpus corpus.jsonl --queries queries.jsonl --by-page --json",
		Args: argCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if r.corpus == "" || r.queries == "" {
				return usage("evergreen eval needs --corpus and --queries")
			}
			result, err := a.world.opener.eval(cmd.Context(), r)
			if err != nil {
				return err
			}
			if a.json {
				return a.writeJSON(result)
			}
			return a.print(fmt.Sprintf("nDCG@10 %.3f  hit@5 %.3f  MRR@10 %.3f  %s\n",
				result.NDCG10, result.Hit5, result.MRR10, queries(result.Queries)))
		},
	}
	cmd.Flags().StringVar(&r.corpus, "corpus", "", "`FILE` of sections")
	cmd.Flags().StringVar(&r.queries, "queries", "", "`FILE` of judged queries")
	cmd.Flags().BoolVar(&r.byPage, "by-page", false, "judge pages by their best section")
	a.modeFlag(cmd, &r.mode)
	return cmd
}

func queries(n int) string {
	if n == 1 {
		return "1 query"
	}
	return thousands(n) + " queries"
}
