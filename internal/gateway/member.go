package gateway

// This file follows one upstream: its state, its tools, what of them is served.

import (
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"evergreen/internal/repair"
	"evergreen/internal/upstream"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// member is one upstream of a gateway.
type member struct {
	o       Upstream
	g       *Gateway
	client  *upstream.Upstream
	changed chan struct{}
	tried   chan struct{} // closed after the first attempt

	refreshing sync.Mutex // one attempt at a time

	mu      sync.Mutex
	tools   []*sdk.Tool
	info    upstream.Info
	err     error // of the last attempt
	asked   bool
	learned time.Time // last attempt with a caller's credential
}

// wake asks for the list to be read again; it never blocks.
func (m *member) wake() {
	select {
	case m.changed <- struct{}{}:
	default:
	}
}

// run reads the list whenever it changed, and again and again while it cannot be
// read.
func (m *member) run(ctx context.Context) {
	pause, calm := m.g.retry, time.Duration(0)
	for {
		next, asked := relist, time.Now()
		if err := m.refresh(ctx, upstream.Credential{}); err != nil {
			next, pause = pause, min(2*pause, maxRetry)
		} else {
			pause = m.g.retry
		}
		if !wait(ctx, next, m.changed) {
			return
		}
		// An upstream that tells of changes all the time, or ends every session at
		// once, is not asked all the time.
		if calm = min(max(2*calm, m.g.retry/4), maxRetry); time.Since(asked) > calmTime {
			calm = 0
		}
		if !wait(ctx, calm, nil) {
			return
		}
	}
}

// wait returns when d is over or early has something; false when ctx ended.
func wait(ctx context.Context, d time.Duration, early <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-early:
	case <-timer.C:
	}
	return ctx.Err() == nil
}

// refresh reads the list with a credential. What was known before stays when it
// cannot be read.
func (m *member) refresh(ctx context.Context, c upstream.Credential) error {
	m.refreshing.Lock()
	defer m.refreshing.Unlock()
	tools, info, err := m.client.List(ctx, c)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	m.mu.Lock()
	before := m.err
	// A list that was learned from a caller is not lost because the operator
	// has no credential.
	if m.err = err; err == nil {
		m.tools, m.info = tools, info
	} else if m.tools != nil && m.client.Forwards() {
		m.err = nil
	}
	first := !m.asked
	m.asked = true
	m.mu.Unlock()
	if err != nil && (before == nil || before.Error() != err.Error()) {
		m.g.log.Warn("upstream cannot be listed", "upstream", m.o.Name, "error", err)
	} else if err == nil && (first || before != nil) {
		m.g.log.Info("upstream is ready", "upstream", m.o.Name, "tools", len(tools), "server", info.Name, "protocol", info.Protocol)
	}
	if err == nil {
		m.g.update()
	}
	if first {
		close(m.tried)
	}
	return err
}

// learn reads the list with a caller's credential, when the operator's own is
// not enough to see it.
func (m *member) learn(ctx context.Context, c upstream.Credential) {
	if c.Own() {
		return
	}
	m.mu.Lock()
	wanted := m.tools == nil && time.Since(m.learned) >= learnPause
	if wanted {
		m.learned = time.Now()
	}
	m.mu.Unlock()
	if wanted {
		_ = m.refresh(ctx, c) // the state and the log say why not
	}
}

// entry is one tool as it is served.
type entry struct {
	m      *member
	tool   *sdk.Tool // as the upstream lists it
	name   string    // as it is served
	hidden bool
	alias  bool
}

// entries are all tools of the upstream by served name, hidden ones too.
func (m *member) entries() []entry {
	m.mu.Lock()
	tools := m.tools
	m.mu.Unlock()
	if m.o.Unlisted {
		return nil
	}
	var out []entry
	for _, t := range tools {
		if t.Name == "" {
			continue
		}
		hidden := !m.serves(t.Name)
		out = append(out, entry{m: m, tool: t, name: m.served(t.Name), hidden: hidden})
		for _, alias := range m.o.Advertise {
			if m.o.Aliases[alias] == t.Name && !hidden {
				out = append(out, entry{m: m, tool: t, name: alias, alias: true})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return out
}

// served is the name under which a tool is served.
func (m *member) served(name string) string {
	if m.o.Prefix == "" {
		return name
	}
	return m.o.Prefix + "__" + name
}

// serves reports whether the lists of the operator let a tool through.
func (m *member) serves(name string) bool {
	if matchAny(m.o.Deny, name) {
		return false
	}
	return len(m.o.Allow) == 0 || matchAny(m.o.Allow, name)
}

func matchAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(p, name)
		return ok && err == nil
	})
}

// of looks a tool up in one of the operator's maps.
func of[V any](m map[string]V, name string) V {
	if v, ok := m[name]; ok {
		return v
	}
	return m["*"]
}

// repairTool is the entry as the catalogue of repairs wants it.
func (e entry) repairTool(policy repair.Policy) repair.Tool {
	t := repair.Tool{
		Name: e.name, Schema: schemaOf(e.tool), Upstream: e.m.o.Prefix, Hidden: e.hidden,
		Class: of(e.m.o.Classes, e.tool.Name), Policy: of(e.m.o.Policies, e.tool.Name),
	}
	if t.Policy == "" {
		t.Policy = policy
	}
	if t.Upstream == "" {
		t.Upstream = e.m.o.Name
	}
	if a := e.tool.Annotations; a != nil {
		t.ReadOnly = &a.ReadOnlyHint
		t.Destructive = a.DestructiveHint
		if a.ReadOnlyHint {
			t.Destructive = nil // means nothing for a tool that only reads
		}
	}
	if !e.alias {
		for _, alias := range sortedKeys(e.m.o.Aliases) {
			if e.m.o.Aliases[alias] == e.tool.Name && !slices.Contains(e.m.o.Advertise, alias) {
				t.Aliases = append(t.Aliases, alias)
			}
		}
	}
	return t
}

func schemaOf(t *sdk.Tool) json.RawMessage {
	raw, err := json.Marshal(t.InputSchema)
	if err != nil || string(raw) == "null" {
		return nil
	}
	return raw
}
