package web

// This file writes the figures of tool calls and their repairs.

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// Calls are the tool calls since the start, counted by whoever answers them.
// None of the keys comes from a caller.
type Calls struct {
	Outcomes          map[string]map[string]int // tool to exact, repaired, refused to calls
	Repairs           map[string]int            // by code of change
	Refusals          map[string]int            // by reason
	ErrorsAfterRepair map[string]int            // by tool
	HintsFollowed     int                       // exact calls right after a repaired one
}

// write writes the figures in the text format of Prometheus, in a fixed order.
func (c Calls) write(w io.Writer) {
	family(w, "evergreen_tool_calls_total", "counter", "Calls of tools, by how they came: exact, repaired or refused.")
	for _, tool := range slices.Sorted(maps.Keys(c.Outcomes)) {
		for _, outcome := range slices.Sorted(maps.Keys(c.Outcomes[tool])) {
			fmt.Fprintf(w, "evergreen_tool_calls_total{tool=%s,outcome=%s} %d\n", label(tool), label(outcome), c.Outcomes[tool][outcome])
		}
	}
	counters(w, "evergreen_tool_repairs_total", "Repaired calls, by what was changed.", "code", c.Repairs)
	counters(w, "evergreen_tool_refusals_total", "Refused calls, by reason.", "reason", c.Refusals)
	counters(w, "evergreen_tool_errors_after_repair_total", "Repaired calls whose result is an error.", "tool", c.ErrorsAfterRepair)
	family(w, "evergreen_tool_hints_followed_total", "counter", "Exact calls right after a repaired one of the same tool and session.")
	fmt.Fprintf(w, "evergreen_tool_hints_followed_total %d\n", c.HintsFollowed)
}

// counters writes a family with one label.
func counters(w io.Writer, name, help, key string, values map[string]int) {
	family(w, name, "counter", help)
	for _, value := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(w, "%s{%s=%s} %d\n", name, key, label(value), values[value])
	}
}
