package gateway

// This file reports what is known of the upstreams.

import (
	"slices"
	"strings"

	"evergreen"
)

// State is what is known of one upstream, for people.
type State struct {
	Name     string
	Ready    bool     // the list could be read
	Server   string   // what it calls itself
	Protocol string   // revision that was agreed on
	Tools    int      // served
	Hidden   int      // kept back by allow and deny
	Problems []string // what of it is not served, and why
	Faults   []string // what web_search cannot do with it, and should
	Err      error    // why it is not ready
}

// States reports on every upstream in configured order. Problems depend on what
// else is served, so they are those of the first face.
func (g *Gateway) States() []State {
	g.mu.Lock()
	var face *Face
	if len(g.faces) > 0 {
		face = g.faces[0]
	}
	searches := slices.Clone(g.searches)
	g.mu.Unlock()
	var out []State
	for _, m := range g.members {
		s := m.state()
		if face != nil {
			s.Problems = append(s.Problems, face.problems(m.o.Name)...)
		}
		for _, search := range searches {
			if search.m == m {
				s.Faults = append(s.Faults, search.faults()...)
			}
		}
		out = append(out, s)
	}
	return out
}

func (m *member) state() State {
	m.mu.Lock()
	s := State{Name: m.o.Name, Ready: m.tools != nil && m.err == nil, Server: strings.TrimSpace(m.info.Name + " " + m.info.Version),
		Protocol: m.info.Protocol, Err: m.err}
	if !m.asked {
		s.Err = evergreen.Errorf(evergreen.Upstream, "upstream %s was not asked yet", m.o.Name)
	}
	m.mu.Unlock()
	known := map[string]bool{}
	for _, e := range m.entries() {
		known[e.tool.Name] = true
		if e.hidden {
			s.Hidden++
		} else {
			s.Tools++
		}
	}
	if s.Ready && !m.o.Unlisted {
		s.Problems = append(s.Problems, m.unknownNames(known)...)
	}
	return s
}

// unknownNames reports what the operator says about tools that are not there.
func (m *member) unknownNames(known map[string]bool) []string {
	var out []string
	tell := func(what, name string) {
		if name != "*" && !known[name] {
			out = append(out, what+" names "+name+", which the upstream does not list")
		}
	}
	for _, alias := range sortedKeys(m.o.Aliases) {
		tell("alias "+alias, m.o.Aliases[alias])
	}
	for _, name := range sortedKeys(m.o.Classes) {
		tell("classes", name)
	}
	for _, name := range sortedKeys(m.o.Policies) {
		tell("repair", name)
	}
	for _, name := range sortedKeys(m.o.Timeouts) {
		tell("timeouts", name)
	}
	return out
}
