package main

import (
	"fmt"
	"strconv"
	"strings"

	"evergreen"

	"github.com/spf13/cobra"
)

func searchCommand(a *app) *cobra.Command {
	var r evergreen.SearchRequest
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find sections: id, title, score, snippet",
		Long: "Find the sections that match a query, best first. Words in quotes within the\n" +
			"query must stand together. Read a hit with: evergreen get ID",
		Example: "  evergreen search \"clean up an effect\"\n" +
			"  evergreen search \"令牌 预算\" -c handbook -n 5\n" +
			"  evergreen search useEffect --path 'reference/**' --json",
		Args: argCount(1, -1, "a query"),
		RunE: func(cmd *cobra.Command, args []string) error {
			e, _, err := a.openToAsk(cmd)
			if err != nil {
				return err
			}
			defer e.Close()
			if r.Limit < 1 {
				return usage("-n must be above 0, not %d", r.Limit)
			}
			r.Query = strings.Join(args, " ")
			if r.Limit > mostHits {
				a.say(fmt.Sprintf("one page holds at most %d hits; go on with --cursor", mostHits))
			}
			result, err := e.Search(cmd.Context(), r)
			if err != nil {
				return err
			}
			if a.json {
				return a.writeJSON(result)
			}
			if err := a.print(hitsText(result.Hits)); err != nil {
				return err
			}
			a.saySearched(result)
			return nil
		},
	}
	a.collectionFlag(cmd, &r.Collection)
	a.modeFlag(cmd, &r.Mode)
	cmd.Flags().IntVarP(&r.Limit, "limit", "n", 10, "most hits on one page")
	cmd.Flags().StringVar(&r.PathGlob, "path", "", "look below paths that match `GLOB` only")
	cmd.Flags().StringVar(&r.Cursor, "cursor", "", "go on where the last page ended")
	switchSetting(cmd.Flags(), "guard", "guard", "mark passages that address the model with instructions")
	return cmd
}

func hitsText(hits []evergreen.Hit) string {
	var b strings.Builder
	for i, h := range hits {
		fmt.Fprintf(&b, "%2d  %s\n    %s  score %s  %s\n", i+1, h.Title, h.ID,
			strconv.FormatFloat(h.Score, 'f', -1, 64), count(h.Tokens, "token"))
		if snippet := oneLine(h.Snippet); snippet != "" {
			fmt.Fprintf(&b, "    %s\n", snippet)
		}
	}
	return b.String()
}

// saySearched tells how much there is beside what was shown.
func (a *app) saySearched(r evergreen.SearchResult) {
	if len(r.Hits) == 0 || !r.Matched {
		a.say(fmt.Sprintf("nothing matches %q", r.Query))
		if len(r.Suggestions) > 0 {
			a.say("did you mean " + strings.Join(r.Suggestions, ", ") + "?")
		}
		return
	}
	line := fmt.Sprintf("%s of %s", thousands(len(r.Hits)), count(r.Total, "section"))
	if r.NextCursor != "" {
		line += " · more: add --cursor " + r.NextCursor
	}
	a.say(line)
}
