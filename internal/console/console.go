// Package console is the part of a running server that people work with: the
// figures of the site, the operator's page, and the repair lab. It gathers what
// the library, the jobs, the gateway and the server know, lets operators act on
// the library, and hands all of it to package ui as pages, or out as JSON.
//
// It reads no sources and repairs no calls itself, and serves no content: those
// pages are package web's.
package console

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"evergreen"
	"evergreen/internal/gateway"
	"evergreen/internal/job"
	"evergreen/internal/mcp"
	"evergreen/internal/measure"
	"evergreen/internal/ui"
	"evergreen/internal/watch"
	"evergreen/internal/web"
)

// Library is what is operated. It is safe for concurrent use.
type Library interface {
	Collections(ctx context.Context) ([]evergreen.Collection, error)
	Damaged(ctx context.Context) []evergreen.Damage
	// Skips lists what the last runs over a collection's sources left out.
	Skips(ctx context.Context, name string) ([]evergreen.Skip, error)
	Index(ctx context.Context, r evergreen.IndexRequest, progress evergreen.Progress) (evergreen.IndexReport, error)
	Delete(ctx context.Context, name string) (bool, error)
	Revision() string
}

// Options say what the console works on.
type Options struct {
	Library Library
	Pages   *ui.UI
	Jobs    *job.Registry

	Gateway *gateway.Gateway
	// Readers and Operators are the faces that calls of each are repaired by.
	Readers, Operators *gateway.Face

	Watched func() []watch.State                           // nil: nothing is watched
	Traffic func() ([]web.Minute, map[string]int64)        // of the server
	Measure func(context.Context) (measure.Metrics, error) // takes the figures of the site
	// Served names the state of the content that Measure measures; it may differ
	// from the library's, while that is empty.
	Served func() string

	Token        string   // opens operating from other machines; "" closes it
	Roots        []string // folders below which may be indexed
	AllowPrivate bool     // whether addresses that are not public may be
	MaxFiles     int      // of one local source; 0 is the default

	// Limits bound what holders of issued tokens have indexed here, as through MCP,
	// and Client names who sends a request. Other operators are bound by nothing.
	Limits mcp.Limits
	Client func(*http.Request) string

	Now func() time.Time // nil is time.Now
	Log *slog.Logger     // nil discards
}

// Console answers the pages. It is safe for concurrent use.
type Console struct {
	o        Options
	form     string // secret that our own forms carry
	sessions *sessions
	figures  figures

	mu    sync.Mutex
	skips map[string]skipList // by collection
}

// New makes a console.
func New(o Options) *Console {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Console{o: o, form: secret(), sessions: newSessions(o.Now), skips: map[string]skipList{}}
}

// Paths of the pages.
const (
	ReportPath  = "/metrics-report"
	LabPath     = "/lab"
	OperatePath = "/operate"
)

// Running are the paths of the pages that belong into everybody's navigation.
// local says that only this machine reaches the server.
func Running(local bool) []string {
	paths := []string{ReportPath, LabPath}
	if local {
		paths = append(paths, OperatePath)
	}
	return paths
}

// Extras are the pages, for package web.
func (c *Console) Extras() []web.Extra {
	get, post, both := []string{http.MethodGet}, []string{http.MethodPost}, []string{http.MethodGet, http.MethodPost}
	return []web.Extra{
		{Path: ReportPath, Name: "report", Methods: get, Answer: c.report},
		{Path: ReportPath + ".json", Name: "report", Methods: get, Answer: c.reportJSON},
		{Path: LabPath, Name: "lab", Methods: both, Metered: true, Answer: c.lab},
		{Path: LabPath + ".json", Name: "lab", Methods: both, Metered: true, Answer: c.labJSON},
		{Path: OperatePath, Name: "operate", Methods: get, Open: true, Answer: c.operate},
		{Path: OperatePath + ".json", Name: "operate", Methods: get, Open: true, Answer: c.operateJSON},
		{Path: OperatePath + "/sign-in", Name: "operate", Methods: post, Open: true, Metered: true, Answer: c.signIn},
		{Path: OperatePath + "/sign-out", Name: "operate", Methods: post, Open: true, Answer: c.signOut},
		{Path: OperatePath + "/index", Name: "operate", Methods: post, Open: true, Answer: c.acting(c.index)},
		{Path: OperatePath + "/refresh", Name: "operate", Methods: post, Open: true, Answer: c.acting(c.refresh)},
		{Path: OperatePath + "/delete", Name: "operate", Methods: post, Open: true, Answer: c.acting(c.delete)},
		{Path: OperatePath + "/cancel", Name: "operate", Methods: post, Open: true, Answer: c.acting(c.cancel)},
	}
}

const (
	typeHTML = "text/html; charset=utf-8"
	typeJSON = "application/json; charset=utf-8"
)

// page is a reply that people read.
func page(body []byte, err error) (web.Reply, error) {
	return web.Reply{Type: typeHTML, Body: body}, err
}

// data is a reply that programs read.
func data(v any) (web.Reply, error) {
	body, err := web.Encode(v, "  ")
	return web.Reply{Type: typeJSON, Body: body}, err
}
