package console

// This file gathers what the operator's page shows.

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"evergreen"
	"evergreen/internal/gateway"
	"evergreen/internal/mcp"
	"evergreen/internal/ui"
	"evergreen/internal/watch"
	"evergreen/internal/web"
)

// operate answers the page.
func (c *Console) operate(r *http.Request, at web.View) (web.Reply, error) {
	if !c.may(r) {
		return c.turnedAway(r, at, false)
	}
	return c.desk(r, at, noticeOf(r))
}

// desk writes the page with a notice, nil for none.
func (c *Console) desk(r *http.Request, at web.View, notice *ui.Notice) (web.Reply, error) {
	d, err := c.gather(r.Context())
	if err != nil {
		return web.Reply{}, err
	}
	d.Notice, d.Token, d.Session = notice, c.form, c.signedIn(r)
	return page(c.o.Pages.OperatePage(at.Site, at.Lang, d))
}

// gather asks everybody.
func (c *Console) gather(ctx context.Context) (ui.Desk, error) {
	all, err := c.o.Library.Collections(ctx)
	if err != nil {
		return ui.Desk{}, err
	}
	d := ui.Desk{Now: c.o.Now(), Damaged: c.o.Library.Damaged(ctx), Jobs: c.jobs(), Roots: outermost(mcp.Roots(c.o.Roots, all)), Upstreams: c.upstreams()}
	d.OwnDocs = len(all) == 0 && len(d.Damaged) == 0
	for _, one := range all {
		skips, err := c.skipsOf(ctx, one)
		if err != nil {
			return d, err
		}
		d.Collections = append(d.Collections, ui.Collection{Collection: one, Skips: skips.groups, Skipped: skips.all})
	}
	for _, s := range c.watched() {
		w := ui.Watched{Location: s.Location, Way: s.Way, Why: s.Why, Folders: s.Folders, Looked: s.Looked, Changed: s.Changed}
		if s.Err != nil {
			w.Fault = s.Err.Error()
		}
		d.Watched = append(d.Watched, w)
	}
	for _, recent := range c.o.Gateway.Recent() {
		d.Repairs = append(d.Repairs, ui.RecentRepair{Time: recent.Time, Tool: recent.Tool, Reason: recent.Reason, Codes: recent.Codes, Failed: recent.Error})
	}
	return d, nil
}

// outermost drops folders that lie below others of the list.
func outermost(roots []string) []string {
	var kept []string
	for _, root := range roots {
		if !slices.ContainsFunc(roots, func(other string) bool {
			rel, err := filepath.Rel(other, root)
			return err == nil && rel != "." && filepath.IsLocal(rel)
		}) {
			kept = append(kept, root)
		}
	}
	return kept
}

func (c *Console) watched() []watch.State {
	if c.o.Watched == nil {
		return nil
	}
	return c.o.Watched()
}

// jobs are those of the process, the newest first.
func (c *Console) jobs() []ui.Job {
	now := c.o.Now()
	var jobs []ui.Job
	for _, j := range c.o.Jobs.List() {
		shown := ui.Job{ID: j.ID, Title: j.Title, State: string(j.State), Stage: j.Stage, Done: j.Done, Total: j.Total,
			Open: !j.State.Ended(), Started: j.Started, Ended: j.Ended}
		shown.Rate, shown.Left = j.Pace(now)
		if report, ok := j.Result.(evergreen.IndexReport); ok {
			shown.Report = &report
		}
		if j.Err != nil {
			shown.Fault = strings.Join(append([]string{sentence(j.Err)}, evergreen.Hints(j.Err)...), " ")
		}
		jobs = append(jobs, shown)
	}
	return jobs
}

func (c *Console) upstreams() []ui.Upstream {
	var list []ui.Upstream
	for _, s := range c.o.Gateway.States() {
		u := ui.Upstream{Name: s.Name, Server: s.Server, Protocol: s.Protocol, Ready: s.Ready, Tools: s.Tools, Hidden: s.Hidden,
			Problems: slices.Concat(s.Faults, s.Problems)}
		if s.Err != nil {
			u.Fault = s.Err.Error()
		}
		list = append(list, u)
	}
	return list
}

// skipList is what was left out of a collection, as of one run.
type skipList struct {
	at     time.Time // the collection's
	rev    string    // the library's
	all    int
	groups []ui.SkipGroup
}

// skipsOf groups what was left out by reason, the most frequent first. It is
// worked out once for each state of the library.
func (c *Console) skipsOf(ctx context.Context, of evergreen.Collection) (skipList, error) {
	rev := c.o.Library.Revision()
	c.mu.Lock()
	known, ok := c.skips[of.Name]
	c.mu.Unlock()
	if ok && known.rev == rev && known.at.Equal(of.IndexedAt) {
		return known, nil
	}
	skips, err := c.o.Library.Skips(ctx, of.Name)
	if err != nil {
		return skipList{}, err
	}
	list := skipList{at: of.IndexedAt, rev: rev, all: len(skips)}
	index := map[string]int{}
	for _, s := range skips {
		i, ok := index[s.Reason]
		if !ok {
			i = len(list.groups)
			index[s.Reason] = i
			list.groups = append(list.groups, ui.SkipGroup{Reason: s.Reason})
		}
		if list.groups[i].N++; len(list.groups[i].Paths) < shownSkips {
			list.groups[i].Paths = append(list.groups[i].Paths, s.Path)
		}
	}
	slices.SortStableFunc(list.groups, func(a, b ui.SkipGroup) int { return cmp.Compare(b.N, a.N) })
	list.groups = list.groups[:min(len(list.groups), shownReasons)]
	c.mu.Lock()
	defer c.mu.Unlock()
	c.skips[of.Name] = list
	return list, nil
}

// noticeQuery keeps a notice over the way back to the page.
func noticeQuery(d done) string {
	return url.Values{"done": {d.Done}, "about": {d.About}}.Encode()
}

// langQuery keeps the language that was asked for.
func langQuery(r *http.Request) string {
	if lang := r.FormValue("lang"); lang == evergreen.LangEnglish || lang == evergreen.LangChinese {
		return "&lang=" + lang
	}
	return ""
}

// noticeOf is the notice that a page was led back with.
func noticeOf(r *http.Request) *ui.Notice {
	q := r.URL.Query()
	what, about := q.Get("done"), q.Get("about")
	if !slices.Contains([]string{"index", "refresh", "delete", "cancel"}, what) || about == "" {
		return nil
	}
	return &ui.Notice{Done: what, About: about}
}

// deskJSON is the page for programs.
type deskJSON struct {
	Collections []collectionJSON   `json:"collections"`
	Damaged     []evergreen.Damage `json:"damaged"`
	Jobs        []jobJSON          `json:"jobs"`
	Watched     []watchedJSON      `json:"watched"`
	Upstreams   []upstreamJSON     `json:"upstreams"`
	Repairs     []gateway.Recent   `json:"recent_repairs"`
	Roots       []string           `json:"roots"` // folders below which may be indexed
}

type collectionJSON struct {
	evergreen.Collection
	Skipped int        `json:"skipped"`
	Skips   []skipJSON `json:"skips"` // by reason
}

type skipJSON struct {
	Reason string   `json:"reason"`
	N      int      `json:"n"`
	Paths  []string `json:"paths"` // the first few
}

type jobJSON struct {
	ID      string                 `json:"id"`
	Title   string                 `json:"title"`
	State   string                 `json:"state"`
	Stage   string                 `json:"stage,omitempty"`
	Done    int                    `json:"done"`
	Total   int                    `json:"total,omitempty"`
	Rate    float64                `json:"rate,omitempty"`         // units a second
	Left    float64                `json:"left_seconds,omitempty"` // at that rate
	Started time.Time              `json:"started"`
	Ended   *time.Time             `json:"ended,omitempty"`
	Report  *evergreen.IndexReport `json:"report,omitempty"`
	Error   string                 `json:"error,omitempty"`
}

type watchedJSON struct {
	Location string     `json:"location"`
	Way      string     `json:"way"` // events, polling
	Why      string     `json:"why,omitempty"`
	Folders  int        `json:"folders,omitempty"`
	Looked   *time.Time `json:"looked,omitempty"`
	Changed  *time.Time `json:"changed,omitempty"`
	Error    string     `json:"error,omitempty"`
}

type upstreamJSON struct {
	Name     string   `json:"name"`
	Ready    bool     `json:"ready"`
	Server   string   `json:"server,omitempty"`
	Protocol string   `json:"protocol,omitempty"`
	Tools    int      `json:"tools"`
	Hidden   int      `json:"hidden"`
	Problems []string `json:"problems,omitempty"`
	Error    string   `json:"error,omitempty"`
}

// operateJSON answers programs.
func (c *Console) operateJSON(r *http.Request, at web.View) (web.Reply, error) {
	if !c.may(r) {
		return c.turnedAway(r, at, false)
	}
	d, err := c.gather(r.Context())
	if err != nil {
		return web.Reply{}, err
	}
	out := deskJSON{Collections: []collectionJSON{}, Damaged: d.Damaged, Jobs: []jobJSON{}, Watched: []watchedJSON{}, Upstreams: []upstreamJSON{},
		Repairs: c.o.Gateway.Recent(), Roots: d.Roots}
	if out.Damaged == nil {
		out.Damaged = []evergreen.Damage{}
	}
	if out.Repairs == nil {
		out.Repairs = []gateway.Recent{}
	}
	for _, one := range d.Collections {
		j := collectionJSON{Collection: one.Collection, Skipped: one.Skipped, Skips: []skipJSON{}}
		for _, g := range one.Skips {
			j.Skips = append(j.Skips, skipJSON(g))
		}
		out.Collections = append(out.Collections, j)
	}
	for _, j := range d.Jobs {
		out.Jobs = append(out.Jobs, jobJSON{ID: j.ID, Title: j.Title, State: j.State, Stage: j.Stage, Done: j.Done, Total: j.Total, Rate: j.Rate,
			Left: j.Left.Seconds(), Started: j.Started, Ended: moment(j.Ended), Report: j.Report, Error: j.Fault})
	}
	for _, w := range d.Watched {
		out.Watched = append(out.Watched, watchedJSON{Location: w.Location, Way: w.Way, Why: w.Why, Folders: w.Folders,
			Looked: moment(w.Looked), Changed: moment(w.Changed), Error: w.Fault})
	}
	for _, u := range d.Upstreams {
		out.Upstreams = append(out.Upstreams, upstreamJSON{Name: u.Name, Ready: u.Ready, Server: u.Server, Protocol: u.Protocol, Tools: u.Tools,
			Hidden: u.Hidden, Problems: u.Problems, Error: u.Fault})
	}
	return data(out)
}

// moment is a time, nil for none.
func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
