package main

// This file has a server verify itself, for the page that shows its layers.

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"evergreen/internal/audit/probe"
	"evergreen/internal/audit/verify"
	"evergreen/internal/ui"
)

// selfVerifier asks a handler of this process what `evergreen verify` asks a
// server. Until it has the handler it knows nothing.
type selfVerifier struct {
	handler atomic.Pointer[http.Handler]
	token   string // that reading needs
	running sync.Mutex
}

// answeredBy says whom to ask.
func (v *selfVerifier) answeredBy(handler http.Handler) { v.handler.Store(&handler) }

// marks says which promises of which layer are kept. A verification that is
// asked for while another runs is left out: it would be asking itself.
func (v *selfVerifier) marks(base string) ([]ui.Mark, error) {
	handler := v.handler.Load()
	if handler == nil || !v.running.TryLock() {
		return nil, nil
	}
	defer v.running.Unlock()
	client, err := probe.New(base, probe.Options{Transport: reading{inProcess{handler: *handler, from: verifierAddress}, v.token}, UserAgent: "evergreen/" + version})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), maxVerifying)
	defer cancel()
	report, err := verify.Run(ctx, client, verify.Options{})
	if err != nil {
		return nil, nil // it takes too long: the layers are shown without marks
	}
	var marks []ui.Mark
	for _, c := range report.Checks {
		marks = append(marks, ui.Mark{Layer: layerOfCheck(c.Name), OK: c.OK, Detail: c.Detail})
	}
	return marks, nil
}

// layerOfCheck is the layer that a check of verify is about, "" for those about
// the server as a whole.
func layerOfCheck(name string) string {
	for _, l := range []struct {
		layer string
		names []string // how they begin
	}{
		{"L1", []string{"llms-txt", "head /llms"}},
		{"L2", []string{"mirror", "negotiation", "head /index.html.md"}},
		{"L3", []string{"api-", "context-json", "prompt-pack", "head /context.json", "head /api/"}},
		{"L4", []string{"agent-card", "a2a", "head /.well-known/agent-card.json"}},
		{"L5", []string{"mcp-", "head /.well-known/mcp/"}},
		{"L6", []string{"structured-data"}},
		{"L7", []string{"robots-txt", "sitemap", "policy", "head /robots.txt", "head /ai", "head /sitemap.xml", "head /.well-known/api-catalog"}},
	} {
		if slices.ContainsFunc(l.names, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			return l.layer
		}
	}
	return ""
}

// verifierAddress is whom the verification looks like: loopback, but nobody
// else, so that it draws on no other client's rate.
const verifierAddress = "127.0.0.2:1"

// reading sends requests with the token that reading needs.
type reading struct {
	inProcess
	token string
}

func (t reading) RoundTrip(r *http.Request) (*http.Response, error) {
	if t.token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+t.token)
	}
	return t.inProcess.RoundTrip(r)
}
