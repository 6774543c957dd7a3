package main

// This file puts the pages that people work with on a server: figures, operation,
// repair lab.

import (
	"cmp"
	"context"
	"net/http"

	"evergreen/internal/config"
	"evergreen/internal/console"
	"evergreen/internal/gateway"
	"evergreen/internal/httpguard"
	"evergreen/internal/measure"
	"evergreen/internal/ui"
	"evergreen/internal/watch"
	"evergreen/internal/web"
)

// madeFaces are the gateway's faces of a process; each is nil before its server
// is there.
type madeFaces struct{ readers, operators *gateway.Face }

// withConsole adds the pages to what a server serves. Operators act on the library
// itself, whatever answers while it is empty. bound gives the server to the pages.
func withConsole(o *web.Options, face mcpFace, lib library, watched *watch.Watch) (bound func(*web.Server), err error) {
	operated, ok := lib.(console.Library)
	if !ok {
		return func(*web.Server) {}, nil
	}
	s := face.settings
	pageOptions := servedOptions(face)
	pageOptions.Running = console.Running(onlyHere(s))
	pages, err := ui.New(pageOptions)
	if err != nil {
		return nil, err
	}
	var server *web.Server // asked by requests only, which come to it
	options := console.Options{
		Library: operated, Pages: pages, Jobs: face.jobs, Gateway: face.gateway,
		Readers: face.faces.readers, Operators: face.faces.operators,
		Traffic: func() ([]web.Minute, map[string]int64) { return server.Traffic() },
		Measure: func(ctx context.Context) (measure.Metrics, error) { return measureOwn(ctx, face.library, s) },
		Served:  face.library.Revision,
		Token:   s.Server.Token, Roots: face.roots, AllowPrivate: s.Server.AllowPrivate, MaxFiles: s.Index.MaxFiles, Log: face.log,
		Limits: limitsOf(s), Client: func(r *http.Request) string { return server.Client(r) },
	}
	if watched != nil {
		options.Watched = watched.States
	}
	o.Pages, o.Extras = pages, console.New(options).Extras()
	return func(made *web.Server) { server = made }, nil
}

// onlyHere tells whether nobody but this machine can reach the server, so that
// everybody who reads it may operate it.
func onlyHere(s config.Settings) bool {
	return httpguard.LoopbackAddr(s.Server.Listen) && s.Site.BaseURL == "" && len(s.Server.Hosts) == 0 && len(s.Server.TrustedProxies) == 0
}

// measureOwn takes the figures of what a library's site answers to everybody, in
// this process, counted with no client.
func measureOwn(ctx context.Context, e library, s config.Settings) (measure.Metrics, error) {
	o, closeSite, err := ownSite(ctx, e, s)
	if err != nil {
		return measure.Metrics{}, err
	}
	defer closeSite()
	return measure.Run(ctx, o)
}

// ownSite lets a measurement ask the library's site, as serve would answer, in
// this process and without limits.
func ownSite(ctx context.Context, e library, s config.Settings) (o measure.Options, closeSite func(), err error) {
	s.Server.RateLimit, s.Server.MaxRequests, s.Server.ReadToken, s.OAuth.Issuer = 0, 0, "", ""
	handler, err := ownHandler(ctx, e, s)
	if err != nil {
		return o, nil, err
	}
	o.BaseURL, o.Transport = cmp.Or(s.Site.BaseURL, libraryAddress), inProcess{handler: handler}
	if s.Index.Estimator == "o200k" {
		o.Count, o.Estimator = estimator(s), "o200k"
	}
	return o, handler.Close, nil
}
