package ui

// This file makes the operator's page: what is in the library, what is being done
// to it, and how the server is doing.

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"evergreen"
	"evergreen/internal/site"
)

// Desk is what the operator's page shows.
type Desk struct {
	Now         time.Time
	Token       string // that forms send along
	Session     bool   // signed in, so that signing out means something
	Collections []Collection
	Damaged     []evergreen.Damage
	OwnDocs     bool // the library is empty: Evergreen's own documentation answers
	Jobs        []Job
	Watched     []Watched
	Upstreams   []Upstream
	Repairs     []RecentRepair
	Notice      *Notice
	Roots       []string // folders below which may be indexed
}

// Collection is one collection and what was left out of it.
type Collection struct {
	evergreen.Collection
	Skips   []SkipGroup
	Skipped int
	Web     bool // some of it comes from the web
}

// SkipGroup is a reason and what was skipped for it.
type SkipGroup struct {
	Reason string
	N      int
	Paths  []string // the first few
}

// Job is one piece of long work.
type Job struct {
	ID, Title, State, Stage string
	Done, Total             int
	Rate                    float64 // units a second; 0 is unknown
	Left                    time.Duration
	Open                    bool
	Started, Ended          time.Time
	Report                  *evergreen.IndexReport // of a job that is done
	Fault                   string
}

// Watched is a source that is watched.
type Watched struct {
	Location, Way, Why, Fault string
	Folders                   int
	Looked, Changed           time.Time
}

// Upstream is another MCP server.
type Upstream struct {
	Name, Server, Protocol, Fault string
	Ready                         bool
	Tools, Hidden                 int
	Problems                      []string
}

// RecentRepair is the shape of a call that was repaired or refused.
type RecentRepair struct {
	Time         time.Time
	Tool, Reason string
	Codes        []string
	Failed       bool
}

// Notice says what became of what the operator did.
type Notice struct {
	Done  string // key into the words, "" when it failed
	About string
	Fault string
	Fixes []string
}

// operatePage is the page.
type operatePage struct {
	frame
	Desk
	W operateWords
}

// OperatePage writes the operator's page.
func (u *UI) OperatePage(s *site.Site, lang string, d Desk) ([]byte, error) {
	data := operatePage{frame: u.own(s, lang, operatePath, "live.mjs"), Desk: d, W: operateWordsOf(lang)}
	data.offer(true)
	data.here(operatePath)
	data.Title, data.Description = pageTitle(data.W.Title, data.Site), data.W.Intro
	return u.execute("operate.tmpl", data)
}

// signInPage asks for the token.
type signInPage struct {
	frame
	W      operateWords
	Wrong  bool
	Closed bool // there is no token that could open it
}

// SignInPage writes the page of those who may not operate yet. wrong says that a
// token was tried; closed that the server has none.
func (u *UI) SignInPage(s *site.Site, lang string, wrong, closed bool) ([]byte, error) {
	data := signInPage{frame: u.own(s, lang, operatePath), W: operateWordsOf(lang), Wrong: wrong, Closed: closed}
	data.Title, data.Description = pageTitle(data.W.Title, data.Site), data.W.SignInIntro
	return u.execute("signin.tmpl", data)
}

// here marks the link of a page in the navigation as the present one.
func (f *frame) here(path string) {
	for i := range f.Nav {
		f.Nav[i].Here = f.Nav[i].URL == f.Root+path
	}
}

// State is a state or a way in the reader's words.
func (p operatePage) State(key string) string {
	if text, ok := p.W.States[key]; ok {
		return text
	}
	return key
}

// Ago says how long ago a moment was, roughly.
func (p operatePage) Ago(t time.Time) string {
	if t.IsZero() {
		return p.W.Never
	}
	return fmt.Sprintf(p.W.Ago, p.span(p.Now.Sub(t)))
}

// At puts into a pattern how long ago a moment was.
func (p operatePage) At(pattern string, t time.Time) string { return fmt.Sprintf(pattern, p.Ago(t)) }

// span writes a duration in its largest unit.
func (p operatePage) span(d time.Duration) string {
	d = max(d, 0)
	for i, unit := range []time.Duration{24 * time.Hour, time.Hour, time.Minute} {
		if d >= unit {
			return strconv.Itoa(int(d/unit)) + p.W.Units[i]
		}
	}
	return strconv.Itoa(int(d/time.Second)) + p.W.Units[3]
}

// Moment is a time as machines and careful people read it.
func (p operatePage) Moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// Pace says how fast a job goes and how long it takes yet.
func (p operatePage) Pace(j Job) string {
	if j.Rate == 0 {
		return ""
	}
	rate := fmt.Sprintf(p.W.Rate, strconv.FormatFloat(j.Rate, 'f', precision(j.Rate), 64))
	if j.Left == 0 {
		return rate
	}
	return rate + p.W.Comma + fmt.Sprintf(p.W.Left, p.span(j.Left))
}

// precision shows slow rates with a decimal.
func precision(rate float64) int {
	if rate < 10 {
		return 1
	}
	return 0
}

// Progress says how far a job is.
func (p operatePage) Progress(j Job) string {
	if j.Total > 0 {
		return thousands(j.Done) + " / " + thousands(j.Total)
	}
	return thousands(j.Done)
}

// Outcome is a finished run in a sentence.
func (p operatePage) Outcome(r evergreen.IndexReport) string {
	d := r.Documents
	return fmt.Sprintf(p.W.Report, r.Collection, thousands(d.Discovered), thousands(d.Indexed), thousands(d.Unchanged), thousands(d.Removed), thousands(d.Skipped))
}

// Said is a notice in a sentence.
func (p operatePage) Said(n Notice) string { return fmt.Sprintf(p.W.Done[n.Done], n.About) }

// SkipsOf says how much of a collection was left out.
func (p operatePage) SkipsOf(c Collection) string {
	return fmt.Sprintf(p.W.SkippedFor, thousands(c.Skipped), len(c.Skips))
}

// Rest says how many paths of a group are not named.
func (p operatePage) Rest(g SkipGroup) string { return fmt.Sprintf(p.W.More, g.N-len(g.Paths)) }

// FoldersOf says how many folders of a source are listened to.
func (p operatePage) FoldersOf(w Watched) string { return fmt.Sprintf(p.W.Folders, w.Folders) }

// KeptBack says how many tools of a server are not served.
func (p operatePage) KeptBack(u Upstream) string { return fmt.Sprintf(p.W.KeptBack, u.Hidden) }

// RootsSay says which folders may be indexed.
func (p operatePage) RootsSay() string {
	return fmt.Sprintf(p.W.LocationHelp, strings.Join(p.Roots, p.W.Comma))
}

// Running says whether work is going on, so that the page looks again.
func (p operatePage) Running() bool {
	for _, j := range p.Jobs {
		if j.Open {
			return true
		}
	}
	return false
}
