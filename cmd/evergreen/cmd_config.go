package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"evergreen/internal/config"

	"github.com/spf13/cobra"
)

func configCommand(a *app) *cobra.Command {
	var schema bool
	cmd := &cobra.Command{
		Use:     "config",
		Short:   "Show the effective settings and where each came from",
		Example: "  evergreen config\n  evergreen config --json\n  evergreen config --schema > evergreen.schema.json",
		Args:    argCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if schema {
				return a.print(string(config.Schema()))
			}
			s, err := a.settings(cmd)
			if err != nil {
				return err
			}
			if a.json {
				return a.writeJSON(struct {
					File     string         `json:"file"`
					Settings []config.Value `json:"settings"`
				}{s.File, s.Values()})
			}
			var rows [][]string
			for _, v := range s.Values() {
				rows = append(rows, []string{v.Key, valueText(v.Value), v.Origin})
			}
			return a.print(table(rows))
		},
	}
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of evergreen.json")
	return cmd
}

// valueText writes a setting for people; "-" is not set.
func valueText(v any) string {
	text := fmt.Sprint(v)
	if list, ok := v.([]string); ok {
		text = strings.Join(list, ", ")
	}
	if raw, ok := v.(json.RawMessage); ok {
		text = strings.TrimPrefix(string(raw), "{}")
	}
	if text == "" {
		return "-"
	}
	return text
}
