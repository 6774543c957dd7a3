package gateway

// This file counts calls, repairs and refusals, and remembers the latest repairs
// by their shape.

import (
	"maps"
	"slices"
	"sync"
	"time"

	"evergreen/internal/repair"
)

// Counts are the calls of all faces since the start.
type Counts struct {
	Calls            map[string]map[repair.Outcome]int `json:"calls"`              // by tool and outcome
	Repairs          map[string]int                    `json:"repairs"`            // by code of change
	Refusals         map[string]int                    `json:"refusals"`           // by reason
	ErrorAfterRepair map[string]int                    `json:"error_after_repair"` // by tool
	HintFollowed     int                               `json:"hint_followed"`      // exact calls right after a repaired one
}

// Recent is the shape of one call that was repaired or refused; it holds none of
// the caller's words.
type Recent struct {
	Time   time.Time `json:"time"`
	Tool   string    `json:"tool,omitempty"`   // empty: none that is known
	Codes  []string  `json:"codes,omitempty"`  // of the changes
	Reason string    `json:"reason,omitempty"` // of a refusal
	Error  bool      `json:"error,omitempty"`  // the repaired call's result is an error
}

type counter struct {
	mu     sync.Mutex
	c      Counts
	recent []Recent // at most maxRecent, the oldest first
	now    func() time.Time
}

func newCounter(now func() time.Time) *counter {
	return &counter{now: now, c: Counts{Calls: map[string]map[repair.Outcome]int{}, Repairs: map[string]int{},
		Refusals: map[string]int{}, ErrorAfterRepair: map[string]int{}}}
}

// Counts returns a copy of the counters.
func (g *Gateway) Counts() Counts {
	g.counts.mu.Lock()
	defer g.counts.mu.Unlock()
	c := g.counts.c
	calls := map[string]map[repair.Outcome]int{}
	for tool, by := range c.Calls {
		calls[tool] = maps.Clone(by)
	}
	c.Calls = calls
	c.Repairs, c.Refusals, c.ErrorAfterRepair = maps.Clone(c.Repairs), maps.Clone(c.Refusals), maps.Clone(c.ErrorAfterRepair)
	return c
}

// Recent returns the latest repaired and refused calls, the latest first, at
// most 64.
func (g *Gateway) Recent() []Recent {
	g.counts.mu.Lock()
	defer g.counts.mu.Unlock()
	list := slices.Clone(g.counts.recent)
	slices.Reverse(list)
	return list
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

func (n *counter) remember(r Recent) {
	r.Time = n.now().UTC()
	if len(n.recent) >= maxRecent {
		n.recent = slices.Delete(n.recent, 0, 1)
	}
	n.recent = append(n.recent, r)
}

func (n *counter) called(tool string, about note) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.add(tool, about.Outcome)
	for _, code := range codes(about.Changes) {
		n.c.Repairs[code]++
	}
}

// repaired tells how a repaired call ended.
func (n *counter) repaired(tool string, about note, failed bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if failed {
		n.c.ErrorAfterRepair[tool]++
	}
	n.remember(Recent{Tool: tool, Codes: codes(about.Changes), Error: failed})
}

// refused counts by known tools only: other names are the caller's own words.
func (n *counter) refused(about note) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if about.Name != "" {
		n.add(about.Name, repair.Refused)
	}
	n.c.Refusals[about.Error]++
	n.remember(Recent{Tool: about.Name, Reason: about.Error})
}

func (n *counter) followed() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.c.HintFollowed++
}
