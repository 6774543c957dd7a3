package main

import (
	"encoding/json"
	"fmt"
	"os"

	"evergreen"
	"evergreen/internal/text"
)

// tokenTolerance is how far a knowledge base's own token counts may be from
// the estimate before it is worth saying: one fifth.
const tokenTolerance = 5

// checkKnowledge compares the tokens that the entries of a context.json state
// with what they cost. The stated ones are advice: packing counts itself.
func checkKnowledge(c evergreen.Collection) []check {
	var checks []check
	for _, source := range c.Sources {
		if source.Kind != evergreen.SourceKnowledge {
			continue
		}
		name := "knowledge base " + c.Name
		data, err := os.ReadFile(source.Location)
		if err != nil {
			checks = append(checks, note(name, oneLine(err.Error()), "index it again from where it lies now"))
			continue
		}
		var file struct {
			Entries []struct {
				ID, Title, Body string
				Tokens          int
			} `json:"entries"`
		}
		if err := json.Unmarshal(data, &file); err != nil {
			checks = append(checks, failed(name, err))
			continue
		}
		off := 0
		first := ""
		for _, e := range file.Entries {
			if cost := text.TokensOf(e.Title, "\n", e.Body); e.Tokens > 0 && isOff(e.Tokens, cost) {
				if off++; off == 1 {
					first = fmt.Sprintf("%s states %s, costs %s", e.ID, thousands(e.Tokens), thousands(cost))
				}
			}
		}
		if off > 0 {
			checks = append(checks, note(name, fmt.Sprintf("tokens of %d of %d entries are off by more than 20 %%: %s",
				off, len(file.Entries), first), "counted again here; correct the file for others"))
			continue
		}
		checks = append(checks, passed(name, fmt.Sprintf("tokens of %d entries as stated", len(file.Entries))))
	}
	return checks
}

// isOff reports whether a stated count differs from the cost by more than a
// fifth of the cost.
func isOff(stated, cost int) bool {
	difference := stated - cost
	if difference < 0 {
		difference = -difference
	}
	return difference*tokenTolerance > cost
}
