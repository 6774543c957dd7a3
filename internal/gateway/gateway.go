// Package gateway puts other MCP servers behind ours as one guarded list of
// tools, and repairs malformed calls of all of them: own and theirs. A Gateway
// holds the upstreams and what is known of each; a Face ties them to one server
// of the SDK, with a hook for raw messages and a middleware for calls.
//
// It speaks no transport: package edge calls the hook, package upstream the
// other servers. How a call is repaired is decided by package repair alone.
package gateway

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"evergreen"
	"evergreen/internal/repair"
	"evergreen/internal/upstream"
)

// Upstream says how one other server is reached and what of it is served.
// Tools are named as the upstream lists them; keys of maps may be "*" for all
// tools that are not named.
type Upstream struct {
	upstream.Options

	// Prefix stands in front of the tools' names, with two underscores between:
	// prefix__tool. Empty serves the bare names.
	Prefix string

	// Unlisted serves no tool at all: the upstream is there for web_search.
	Unlisted bool

	Allow []string // patterns of tools to serve, such as search_*; empty: all
	Deny  []string // patterns of tools not to serve, above Allow

	Aliases   map[string]string // further name to tool: resolved, not listed
	Advertise []string          // aliases that are listed as tools of their own

	Classes  map[string]repair.Class  // the operator's word on what a tool does
	Policies map[string]repair.Policy // how far its calls are repaired
	Timeouts map[string]time.Duration // of one call
}

// Options set up a Gateway.
type Options struct {
	Upstreams []Upstream
	// Withhold are our own tokens: a caller's header that holds one is forwarded
	// to no upstream.
	Withhold []string
	Log      *slog.Logger // nil discards
	// Retry is the pause after the first failed attempt to reach an upstream; it
	// doubles up to a minute. 0 is a second.
	Retry time.Duration
	Now   func() time.Time // nil is time.Now
}

// Gateway is a set of upstreams. Its methods are safe for concurrent use.
type Gateway struct {
	members  []*member // in configured order
	log      *slog.Logger
	retry    time.Duration
	withhold []string
	counts   *counter

	mu       sync.Mutex
	faces    []*Face
	searches []*Search
}

// New checks the upstreams; it reaches out to none. Faults are of kind Invalid.
func New(o Options) (*Gateway, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	g := &Gateway{log: o.Log, retry: cmp.Or(o.Retry, time.Second), withhold: o.Withhold, counts: newCounter(o.Now)}
	if g.log == nil {
		g.log = slog.New(slog.DiscardHandler)
	}
	for i := range o.Upstreams {
		u := o.Upstreams[i]
		if err := u.check(); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(g.members, func(m *member) bool { return m.o.Name == u.Name }) {
			return nil, evergreen.Errorf(evergreen.Invalid, "two upstreams are called %q", u.Name)
		}
		m := &member{o: u, g: g, changed: make(chan struct{}, 1), tried: make(chan struct{})}
		u.Options.Changed = m.wake
		u.Options.Log = g.log
		client, err := upstream.New(u.Options)
		if err != nil {
			return nil, err
		}
		m.client = client
		g.members = append(g.members, m)
	}
	return g, nil
}

func (u Upstream) check() error {
	wrong := func(format string, args ...any) *evergreen.Error {
		return evergreen.Errorf(evergreen.Invalid, "upstream %q: "+format, append([]any{u.Name}, args...)...)
	}
	for _, pattern := range slices.Concat(u.Allow, u.Deny) {
		if _, err := path.Match(pattern, ""); err != nil {
			return wrong("%q is no pattern", pattern).Fix("write a name, or a pattern such as search_*")
		}
	}
	for _, name := range sortedKeys(u.Classes) {
		if c := u.Classes[name]; !slices.Contains([]repair.Class{repair.Read, repair.Write, repair.Destructive}, c) {
			return wrong("%s has an unknown class %q", name, c).Fix("use read, write or destructive")
		}
	}
	for _, name := range sortedKeys(u.Policies) {
		if !validPolicy(u.Policies[name]) {
			return wrong("%s has an unknown repair policy %q", name, u.Policies[name]).Fix("use off, hint-only, safe or full")
		}
	}
	for _, alias := range u.Advertise {
		if u.Aliases[alias] == "" {
			return wrong("advertises %q, which is no alias of its own", alias).Fix("add it to its aliases")
		}
	}
	if strings.Trim(u.Prefix, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") != "" {
		return wrong("the prefix %q holds more than letters, digits, _, - and .", u.Prefix)
	}
	return nil
}

func validPolicy(p repair.Policy) bool {
	return slices.Contains([]repair.Policy{repair.PolicyOff, repair.PolicyHintOnly, repair.PolicySafe, repair.PolicyFull}, p)
}

// Run keeps the lists of all upstreams up to date until ctx ends: one that does
// not answer is asked again, ever more seldom, and stops no other.
func (g *Gateway) Run(ctx context.Context) {
	var wait sync.WaitGroup
	for _, m := range g.members {
		wait.Go(func() { m.run(ctx) })
	}
	wait.Wait()
}

// Refresh asks every upstream once, for a report.
func (g *Gateway) Refresh(ctx context.Context) {
	var wait sync.WaitGroup
	for _, m := range g.members {
		wait.Go(func() { m.refresh(ctx, upstream.Credential{}) })
	}
	wait.Wait()
}

// Close ends all sessions.
func (g *Gateway) Close() error {
	var wait sync.WaitGroup
	for _, m := range g.members {
		wait.Go(func() { _ = m.client.Close() })
	}
	wait.Wait()
	return nil
}

// credential picks what a member may see of a caller's headers.
func (g *Gateway) credential(m *member, header http.Header) upstream.Credential {
	for _, token := range g.withhold {
		for _, name := range sortedKeys(header) {
			if token != "" && slices.ContainsFunc(header[name], func(v string) bool { return strings.Contains(v, token) }) {
				header = header.Clone()
				header.Del(name)
			}
		}
	}
	return m.client.Credential(header)
}

// settle waits until every upstream was asked once, for at most settleTime: a
// client that lists tools at its start shall see them all.
func (g *Gateway) settle(ctx context.Context) {
	if len(g.members) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	for _, m := range g.members {
		select {
		case <-m.tried:
		case <-ctx.Done():
			return
		}
	}
}

// settled reports whether every upstream was asked once.
func (g *Gateway) settled() bool {
	for _, m := range g.members {
		select {
		case <-m.tried:
		default:
			return false
		}
	}
	return true
}

// asked is settled, as soon as the last answer is there: before it was merged.
func (g *Gateway) asked() bool {
	for _, m := range g.members {
		m.mu.Lock()
		asked := m.asked
		m.mu.Unlock()
		if !asked {
			return false
		}
	}
	return true
}

// update tells all faces and searches that what is known of an upstream changed.
func (g *Gateway) update() {
	g.mu.Lock()
	faces, searches := slices.Clone(g.faces), slices.Clone(g.searches)
	g.mu.Unlock()
	for _, s := range searches {
		s.update()
	}
	for _, f := range faces {
		if err := f.update(); err != nil {
			f.log.Error("the tools cannot be merged; the list stays as it was", "error", err)
		}
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
