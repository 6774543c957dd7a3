package gateway

// This file counts calls, repairs and refusals.

import (
	"maps"
	"sync"

	"evergreen/internal/repair"
)

// Counts are the calls since the start.
type Counts struct {
	Calls            map[string]map[repair.Outcome]int `json:"calls"`              // by tool and outcome
	Repairs          map[string]int                    `json:"repairs"`            // by code of change
	Refusals         map[string]int                    `json:"refusals"`           // by reason
	ErrorAfterRepair map[string]int                    `json:"error_after_repair"` // by tool
	HintFollowed     int                               `json:"hint_followed"`      // exact calls right after a repaired one
}

type counter struct {
	mu sync.Mutex
	c  Counts
}

func newCounter() *counter {
	return &counter{c: Counts{Calls: map[string]map[repair.Outcome]int{}, Repairs: map[string]int{},
		Refusals: map[string]int{}, ErrorAfterRepair: map[string]int{}}}
}

// Counts returns a copy of the face's counters.
func (f *Face) Counts() Counts {
	f.counts.mu.Lock()
	defer f.counts.mu.Unlock()
	c := f.counts.c
	calls := map[string]map[repair.Outcome]int{}
	for tool, by := range c.Calls {
		calls[tool] = maps.Clone(by)
	}
	c.Calls = calls
	c.Repairs, c.Refusals, c.ErrorAfterRepair = maps.Clone(c.Repairs), maps.Clone(c.Refusals), maps.Clone(c.ErrorAfterRepair)
	return c
}

func (n *counter) add(tool string, o repair.Outcome) {
	by := n.c.Calls[tool]
	if by == nil {
		if len(n.c.Calls) >= maxCounted {
			return
		}
		by = map[repair.Outcome]int{}
		n.c.Calls[tool] = by
	}
	by[o]++
}

func (n *counter) called(tool string, about note) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.add(tool, about.Outcome)
	for _, code := range codes(about.Changes) {
		n.c.Repairs[code]++
	}
}

// refused counts by known tools only: other names are the caller's own words.
func (n *counter) refused(about note) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if about.Name != "" {
		n.add(about.Name, repair.Refused)
	}
	n.c.Refusals[about.Error]++
}

func (n *counter) failedAfterRepair(tool string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.c.ErrorAfterRepair[tool]++
}

func (n *counter) followed() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.c.HintFollowed++
}
