package main

import (
	"strconv"
	"unicode/utf8"

	"evergreen/internal/fetch"

	"github.com/spf13/cobra"
)

func fetchCommand(a *app) *cobra.Command {
	var f fetchFlags
	cmd := &cobra.Command{
		Use:   "fetch URL",
		Short: "Fetch a page as the crawler would",
		Long: "Fetch one URL with the crawler's guards, limits and cache. The body goes to\n" +
			"stdout, as UTF-8 when it is text; what is known about it goes to stderr.\n" +
			"An answer such as 404 is an answer: it is printed too.",
		Example: "  evergreen fetch https://docs.example.com/guide/\n" +
			"  evergreen fetch https://docs.example.com/guide/ --json\n" +
			"  evergreen fetch http://localhost:8000/ --allow-private --cache-ttl 0",
		Args: argCount(1, 1, "one URL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := f.get(a, cmd, args[0])
			if err != nil {
				return err
			}
			if a.json {
				return a.writeJSON(fetched(r))
			}
			a.sayFetched(r)
			_, err = a.stdout.Write(r.Body)
			return err
		},
	}
	f.define(cmd.Flags())
	return cmd
}

// fetchedJSON is a result with its body, when that is text.
type fetchedJSON struct {
	*fetch.Result
	Body *string `json:"body,omitempty"`
}

func fetched(r *fetch.Result) fetchedJSON {
	if r.Redirects == nil {
		r.Redirects = []fetch.Redirect{}
	}
	out := fetchedJSON{Result: r}
	if utf8.Valid(r.Body) {
		body := string(r.Body)
		out.Body = &body
	}
	return out
}

// sayFetched tells people what the answer was.
func (a *app) sayFetched(r *fetch.Result) {
	for _, hop := range r.Redirects {
		a.say(strconv.Itoa(hop.Status) + " " + hop.From + " -> " + hop.To)
	}
	line := strconv.Itoa(r.Status) + " " + r.FinalURL + " · " + r.ContentType + " · " + count(r.Bytes, "byte")
	if r.Platform != "" {
		line += " · " + r.Platform
	}
	if r.FromCache {
		line += " · from the cache"
	}
	a.say(line)
	if r.CharsetWarning != "" {
		a.say("warning: " + r.CharsetWarning)
	}
}
