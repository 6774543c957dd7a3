package main

// This file says what the HTTP face serves as the site, and as whom.

import (
	"context"
	"net/http"
	"net/netip"
	"path/filepath"

	"evergreen"
	"evergreen/internal/a2a"
	"evergreen/internal/config"
	"evergreen/internal/engine"
	"evergreen/internal/mcp"
	"evergreen/internal/mcp/edge"
	"evergreen/internal/site"
	"evergreen/internal/text"
	"evergreen/internal/ui"
	"evergreen/internal/web"

	"github.com/spf13/pflag"
)

// publisher is a library that a site can be made from.
type publisher interface {
	Publish() (*engine.Published, error)
}

// publish takes a snapshot of the library that answers.
func publish(ctx context.Context, e library) (web.Snapshot, error) {
	if f, ok := e.(*fallback); ok {
		now, _, err := f.now(ctx)
		if err != nil {
			return nil, err
		}
		e = now
	}
	p, ok := e.(publisher)
	if !ok {
		return nil, evergreen.Errorf(evergreen.Internal, "this library publishes no site")
	}
	return p.Publish()
}

// webOptions hands the settings on to the HTTP face.
func webOptions(ctx context.Context, face mcpFace, read, admin http.Handler) (web.Options, error) {
	e, s := face.library, face.settings
	about, err := aboutMCP(ctx, read, site.ServerName(s.Site.BaseURL))
	if err != nil {
		return web.Options{}, err
	}
	tools, err := toolSets(s)
	if err != nil {
		return web.Options{}, err
	}
	pages, err := ui.New(servedOptions(face))
	if err != nil {
		return web.Options{}, err
	}
	var proxies []netip.Prefix
	for _, text := range s.Server.TrustedProxies {
		network, err := config.Network(text)
		if err != nil {
			return web.Options{}, err
		}
		proxies = append(proxies, network)
	}
	issued, documents, err := resourceServer(s, face.log)
	if err != nil {
		return web.Options{}, err
	}
	guard := web.Guard{Hosts: s.Server.Hosts, Origins: s.Server.Origins, ReadToken: s.Server.ReadToken, AdminToken: s.Server.Token}
	if issued != nil {
		guard.Issued = issued
	}
	documents = append(documents, web.Document{Path: config.SchemaPath, Type: "application/json; charset=utf-8", Body: config.Schema()})
	return web.Options{
		Rate: web.RateOf(s.Server.RateLimit), MaxRequests: s.Server.MaxRequests, Proxies: proxies,
		Engine: e, Version: version, MCP: read, Admin: admin, DenyMCP: edge.Deny, Timeout: s.Server.Timeout, Scratch: filepath.Join(s.Library, "cache"),
		Publish: func() (web.Snapshot, error) { return publish(ctx, e) }, OnChange: e.OnChange, Site: siteOptions(s, about), Policy: policy(s), Tools: mcp.Tools(readable(tools)...), A2A: a2a.Handler(a2a.Options{Asker: ownMCP{read}, Log: face.log}),
		Guard: guard, Pages: pages, Log: face.log, Calls: face.calls, Documents: documents,
	}, nil
}

// siteOptions says how the site speaks of itself.
func siteOptions(s config.Settings, about *site.MCP) site.Options {
	return site.Options{BaseURL: s.Site.BaseURL, Name: s.Site.Name, Version: version, MCP: about, Count: estimator(s)}
}

// uiOptions says what pages may use.
func uiOptions(s config.Settings) ui.Options {
	o := ui.Options{Version: version, Count: estimator(s)}
	if s.Index.Slug == "ascii" {
		o.Slug = text.ASCIISlug
	}
	return o
}

// servedOptions says what the pages of a server may use.
func servedOptions(face mcpFace) ui.Options {
	o := uiOptions(face.settings)
	if face.verifier != nil && face.settings.OAuth.Issuer == "" { // whose tokens we do not have
		o.Verify = face.verifier.marks
	}
	return o
}

// policy is what the owner lets others do.
func policy(s config.Settings) evergreen.Policy {
	own := s.Site.Policy
	p := evergreen.Policy{Licence: s.Site.Licence, Contact: s.Site.Contact, Updated: own.Updated,
		Training: evergreen.Decision(own.Training), Deny: own.Deny, Disallow: own.Disallow,
		Attribution: own.Attribution, NoAlteration: own.NoAlteration, NoIndexMirror: own.NoIndexMirrors}
	for _, use := range own.Forbid {
		p.Forbidden = append(p.Forbidden, evergreen.Use(use))
	}
	if closed(s) {
		p.Schemes = []string{"bearer"}
	}
	return p
}

// policyFlags are the flags of what the site says of itself and of its use.
func policyFlags(flags *pflag.FlagSet) {
	setting(flags, "site-name", "site.name", "`NAME` of the site")
	setting(flags, "licence", "site.licence", "`LICENCE` of the content: an SPDX identifier or a URL")
	setting(flags, "contact", "site.contact", "`ADDRESS` of the people behind the content")
	setting(flags, "policy-training", "site.policy.training", "whether models may be trained on the content: yes, no (default: as the licence says)")
	setting(flags, "policy-forbid", "site.policy.forbid", "`USES` of the content that are not allowed")
	setting(flags, "policy-deny", "site.policy.deny", "`CRAWLERS` that must stay away")
	setting(flags, "policy-disallow", "site.policy.disallow", "`PATHS` that robots.txt closes to crawlers")
	setting(flags, "policy-updated", "site.policy.updated", "`DAY` on which the policy last changed")
	switchSetting(flags, "policy-attribution", "site.policy.attribution", "who uses the content must name its source")
	switchSetting(flags, "policy-no-alteration", "site.policy.no_alteration", "facts must be passed on unchanged")
	switchSetting(flags, "policy-noindex-mirrors", "site.policy.noindex_mirrors", "search engines leave Markdown mirrors out")
}

// checkPolicy finds contradictions before anybody reads one: within the policy,
// and between paths that it closes and what is published.
func checkPolicy(p evergreen.Policy, handler *web.Server) error {
	if err := p.Validate(); err != nil || len(p.Disallow) == 0 {
		return err
	}
	return handler.Warm()
}

// serveOperator answers on the operator's listener, if one is configured, until
// ctx ends; wait returns how that went.
func (a *app) serveOperator(ctx context.Context, s config.Settings, handler *web.Server) (wait func() error, err error) {
	if s.Server.OperatorListen == "" {
		return func() error { return nil }, nil
	}
	listener, err := web.Listen(ctx, s.Server.OperatorListen)
	if err != nil {
		return nil, err
	}
	a.say("operator's figures: http://" + listener.Addr().String() + "/metrics")
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(ctx, handler.Operator(s.Server.OperatorListen), listener) }()
	return func() error { return <-ended }, nil
}
