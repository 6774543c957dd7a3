package mcp

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/job"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestIndexURLAsksForWhatWasSaid(t *testing.T) {
	site := func(location string) evergreen.IndexRequest {
		return evergreen.IndexRequest{Source: evergreen.Source{Kind: evergreen.SourceSite, Location: location}, MaxPages: maxPages, Depth: maxDepth, Client: onlyClient}
	}
	page := site("https://docs.example.com/guide/a")
	page.Source.Kind = evergreen.SourcePage
	full := site("http://docs.example.com/")
	full.Name, full.MaxPages, full.Depth, full.Refresh = "docs", 20, 2, true
	full.Source.Include, full.Source.Exclude = []string{"guide/**"}, []string{"guide/old/**"}
	for arguments, want := range map[string]evergreen.IndexRequest{
		`{"url":"https://docs.example.com/guide/"}`:                       site("https://docs.example.com/guide/"),
		`{"uri":" docs.example.com:8080/guide "}`:                         site("https://docs.example.com:8080/guide"),
		`{"url":"HTTPS://docs.example.com","max_pages":9999,"depth":"0"}`: site("https://docs.example.com"),
		`{"url":"https://docs.example.com/guide/a","single":"true"}`:      page,
		`{"url":"http://docs.example.com/","name":"docs","max_pages":20,"depth":2,"include":"guide/**","exclude":["guide/old/**"],"refresh":true}`: full,
	} {
		f := smallLibrary()
		got := callTool(t, connect(t, serve(t, f), nil), "index_url", arguments)
		if got.isError || len(f.indexed) != 1 || !strings.Contains(got.text, "Indexed **docs**: 3 documents found") {
			t.Errorf("%s: %+v", arguments, got)
			continue
		}
		if diff := cmp.Diff(want, f.indexed[0]); diff != "" {
			t.Errorf("%s:\n%s", arguments, diff)
		}
	}
}

func TestPrivateAddressesAreTheServersDecision(t *testing.T) {
	for _, allow := range []bool{false, true} {
		f := smallLibrary()
		session := connect(t, serve(t, f, func(o *Options) { o.AllowPrivate = allow }), nil)
		callTool(t, session, "index_url", `{"url":"http://127.0.0.1/","allow_private":true}`)
		if len(f.indexed) != 1 || f.indexed[0].AllowPrivate != allow {
			t.Errorf("allowed %v: %+v", allow, f.indexed)
		}
	}
}

func TestNoPathIsTakenForAnAddress(t *testing.T) {
	for _, url := range []string{"/etc/passwd", "./docs", "../docs", "file:///etc/passwd", "file:/etc/passwd", "C:\\docs", "ftp://example.com/", "https://", "javascript://x", " "} {
		f := smallLibrary()
		got := callTool(t, connect(t, serve(t, f), nil), "index_url", strings.TrimPrefix(callText("", map[string]string{"url": url}), " "))
		if !got.isError || got.meta["error"] != string(evergreen.Invalid) || len(f.indexed) > 0 {
			t.Errorf("%q: %+v, indexed %+v", url, got, f.indexed)
		}
	}
}

func TestCredentialsInAnAddressAreNotKept(t *testing.T) {
	f := smallLibrary()
	session := connect(t, serve(t, f), nil)
	got := callTool(t, session, "index_url", `{"url":"https://someone:secret@docs.example.com/"}`)
	list := callTool(t, session, "list_repos", "")
	if !got.isError || len(f.indexed) > 0 || strings.Contains(got.text+list.text, "secret") {
		t.Errorf("%+v\n%s", got, list.text)
	}
}

// What passes is an address on the web and nothing else, whatever was written.
func FuzzWebAddress(f *testing.F) {
	for _, seed := range []string{"https://docs.example.com/a?b#c", "docs.example.com:80/x", "/etc", "C:\\x", "file:///x", "http://u:p@h/", "//h/x", "https://[::1]:80/"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got, err := WebAddress(raw)
		if err != nil {
			return
		}
		u, err := url.Parse(got)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
			t.Errorf("%q passes as %q", raw, got)
		}
	})
}

func TestIndexURLIsForAdministrators(t *testing.T) {
	jobs := job.New(nil)
	defer jobs.Close()
	if _, _, err := jobs.Start(t.Context(), job.Task{Title: "https://intranet.example/", Work: func(ctx context.Context, _ evergreen.Progress) (any, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}); err != nil {
		t.Fatal(err)
	}
	f := smallLibrary()
	session := connect(t, serve(t, f, func(o *Options) { o.Sets, o.Jobs = []Set{SetKB, SetDocs}, jobs }), nil)
	if got := callTool(t, session, "index_url", `{"url":"https://example.com"}`); !got.isError || len(f.indexed) > 0 {
		t.Errorf("%+v", got)
	}
	if got := callTool(t, session, "list_repos", ""); strings.Contains(got.text, "intranet") || got.meta["jobs"] != nil {
		t.Errorf("readers see jobs: %+v", got)
	}
}

// slow is a crawl that reports and then waits to be let go.
type slow struct {
	*fakeEngine
	reached chan struct{} // a value for every crawl that waits
	release chan error
	asked   int // calls that wait
}

func newSlow() *slow {
	s := &slow{fakeEngine: smallLibrary(), reached: make(chan struct{}, 4), release: make(chan error, 1)}
	s.index = func(ctx context.Context, r evergreen.IndexRequest, p evergreen.Progress) (evergreen.IndexReport, error) {
		p("crawl", 34, 200)
		s.reached <- struct{}{}
		select {
		case err := <-s.release:
			return s.report, err
		case <-ctx.Done():
			return evergreen.IndexReport{}, ctx.Err()
		}
	}
	return s
}

// serve makes a server that tells when a call begins to wait for its crawl:
// the first call is call 1. What comes back ends its patience.
func (s *slow) serve(t *testing.T, o *sdk.ClientOptions, wait func(call int) <-chan time.Time) (*sdk.ClientSession, *job.Registry) {
	t.Helper()
	jobs := job.New(nil)
	t.Cleanup(jobs.Close)
	server := serve(t, s.fakeEngine, func(o *Options) {
		o.Jobs = jobs
		o.After = func(d time.Duration) <-chan time.Time {
			if d != directAnswer {
				t.Errorf("a caller is kept waiting %v", d)
			}
			s.asked++
			return wait(s.asked)
		}
	})
	return connect(t, server, o), jobs
}

// over is a clock that has struck.
func over(int) <-chan time.Time {
	c := make(chan time.Time)
	close(c)
	return c
}

// never is one that does not.
func never(int) <-chan time.Time { return nil }

func TestALongCrawlAnswersWithAJob(t *testing.T) {
	s := newSlow()
	session, jobs := s.serve(t, nil, over)
	got := callTool(t, session, "index_url", `{"url":"https://docs.example.com/"}`)
	if got.isError || got.meta["job"] != "job-1" || !strings.Contains(got.text, "**job-1** goes on") {
		t.Fatalf("%+v", got)
	}
	<-s.reached
	got = callTool(t, session, "index_url", `{"url":"https://docs.example.com/"}`)
	if got.meta["job"] != "job-1" || got.meta["state"] != "running" || got.meta["done"] != 34.0 || got.meta["total"] != 200.0 ||
		!strings.Contains(got.text, "crawl 34 / 200 · https://docs.example.com/") {
		t.Errorf("the same call again: %+v", got)
	}
	list := callTool(t, session, "list_repos", "")
	if !strings.HasPrefix(list.text, "# Jobs\n- **job-1** · running · crawl 34 / 200 · https://docs.example.com/\n# Collections: 2\n") {
		t.Errorf("while it runs:\n%s", list.text)
	}
	s.release <- nil
	if _, err := jobs.Wait(t.Context(), "job-1", nil); err != nil {
		t.Fatal(err)
	}
	list = callTool(t, session, "list_repos", "")
	want := []any{map[string]any{"job": "job-1", "state": "done", "title": "https://docs.example.com/", "stage": "crawl", "done": 34.0, "total": 200.0, "collection": "docs"}}
	if diff := cmp.Diff(want, list.meta["jobs"]); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(list.text, "- **job-1** · done · **docs** · https://docs.example.com/\n") {
		t.Errorf("when it is done:\n%s", list.text)
	}
}

func TestACallThatJoinsGetsTheWholeResult(t *testing.T) {
	s := newSlow()
	session, _ := s.serve(t, nil, func(call int) <-chan time.Time {
		if call == 1 {
			return over(call)
		}
		s.release <- nil
		return nil
	})
	callTool(t, session, "index_url", `{"url":"https://docs.example.com/"}`)
	got := callTool(t, session, "index_url", `{"url":"https://docs.example.com/"}`)
	if got.isError || !strings.Contains(got.text, "Indexed **docs**: 3 documents found") || !strings.Contains(got.text, "- a.bin: binary") {
		t.Errorf("%+v", got)
	}
}

func TestAFailedCrawlSaysWhy(t *testing.T) {
	s := newSlow()
	session, _ := s.serve(t, nil, never)
	s.release <- evergreen.Errorf(evergreen.Blocked, "127.0.0.1 is not public (loopback)").Fix("use another")
	got := callTool(t, session, "index_url", `{"url":"http://127.0.0.1/"}`)
	if !got.isError || got.meta["error"] != string(evergreen.Blocked) || !strings.Contains(got.text, "not public") || !strings.Contains(got.text, "Try: use another") {
		t.Errorf("%+v", got)
	}
	if list := callTool(t, session, "list_repos", ""); !strings.Contains(list.text, "- **job-1** · failed · 127.0.0.1 is not public (loopback) · http://127.0.0.1/\n") {
		t.Errorf("afterwards:\n%s", list.text)
	}
}

func TestASiteWithoutPagesIsAFault(t *testing.T) {
	f := smallLibrary()
	f.report.Documents = evergreen.Counts{Discovered: 1, Skipped: 1}
	f.report.Skipped = []evergreen.Skip{{Path: "https://docs.example.com/typo", Reason: "http_404"}}
	got := callTool(t, connect(t, serve(t, f), nil), "index_url", `{"url":"https://docs.example.com/typo"}`)
	if !got.isError || !strings.Contains(got.text, "- https://docs.example.com/typo: http_404") {
		t.Errorf("%+v", got)
	}
}

func TestACallThatIsCalledOffEndsItsCrawl(t *testing.T) {
	s := newSlow()
	session, jobs := s.serve(t, nil, never)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-s.reached; cancel() }()
	_, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "index_url", Arguments: map[string]any{"url": "https://docs.example.com/"}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the call: %v", err)
	}
	if j, err := jobs.Wait(t.Context(), "job-1", nil); err != nil || j.State != job.Canceled {
		t.Errorf("its crawl: %+v, %v", j, err)
	}
}

func TestProgressOfACrawlIsToldWhileTheCallIsOpen(t *testing.T) {
	told := make(chan *sdk.ProgressNotificationParams, 8)
	s := newSlow()
	session, _ := s.serve(t, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			told <- r.Params
			s.release <- nil
		}}, never)
	p := &sdk.CallToolParams{Name: "index_url", Arguments: map[string]any{"url": "https://docs.example.com/"}}
	p.SetProgressToken("token")
	if _, err := session.CallTool(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if n := <-told; n.ProgressToken != "token" || n.Message != "crawl" || n.Progress != 35 || n.Total != 201 {
		t.Errorf("told %+v", n)
	}
}

// Jobs never push the collections out of an answer, nor the answer beyond its
// budget.
func TestManyJobsLeaveRoomForCollections(t *testing.T) {
	f := smallLibrary()
	session := connect(t, serve(t, f), nil)
	for range 30 {
		callTool(t, session, "index_url", `{"url":"https://docs.example.com/`+strings.Repeat("long/", 40)+`"}`)
	}
	for _, budget := range []string{"200", "1000", "8000"} {
		got := callTool(t, session, "list_repos", `{"budget":`+budget+`}`)
		jobs, _ := got.meta["jobs"].([]any)
		if !strings.Contains(got.text, "**react**") || budget != "200" && len(jobs) == 0 || strings.Count(got.text, "- **job-") != len(jobs) {
			t.Errorf("budget %s: %d jobs in\n%s", budget, len(jobs), got.text)
		}
	}
}

// What clients have indexed stays within the server's limits, and their jobs are
// counted by the name that the face in front gives them.
func TestLimitsOfClients(t *testing.T) {
	f := smallLibrary()
	session := connect(t, serve(t, f, func(o *Options) {
		o.Limits = Limits{Jobs: 1, CollectionBytes: 7 << 20, LibraryBytes: 9 << 20, ClientBytes: 8 << 20, ClientSections: 11}
		o.AllowPrivate = true
	}), nil)
	callTool(t, session, "index_url", `{"url":"http://127.0.0.1:1/"}`)
	if len(f.indexed) != 1 || f.indexed[0].MaxText != 7<<20 || f.indexed[0].MaxLibrary != 9<<20 ||
		f.indexed[0].MaxClientBytes != 8<<20 || f.indexed[0].MaxClientSections != 11 || f.indexed[0].Client != onlyClient {
		t.Errorf("indexed %+v", f.indexed)
	}
	c := &call{request: &sdk.CallToolRequest{}}
	if c.client() != onlyClient {
		t.Errorf("a client without a header is %q", c.client())
	}
	c.request.Extra = &sdk.RequestExtra{Header: http.Header{ClientHeader: {"ada"}}}
	if c.client() != "ada" {
		t.Errorf("client %q", c.client())
	}
}

// TestWhoSharesAJob: clients that ask for the same share a job, unless each has a
// room of its own.
func TestWhoSharesAJob(t *testing.T) {
	r := evergreen.IndexRequest{Source: evergreen.Source{Location: "https://docs.example.com/"}}
	other := r
	other.Depth = 1
	for _, tt := range []struct {
		limits Limits
		shared bool
	}{{Limits{}, true}, {Limits{Jobs: 2, LibraryBytes: 1}, true}, {Limits{ClientBytes: 1}, false}, {Limits{ClientSections: 1}, false}} {
		s := serve(t, smallLibrary(), func(o *Options) { o.Limits = tt.limits })
		if got := s.jobKey(r, "ada") == s.jobKey(r, "bob"); got != tt.shared {
			t.Errorf("%+v: shared %v", tt.limits, got)
		}
		if one, again := s.jobKey(r, "ada"), s.jobKey(r, "ada"); one != again || one == s.jobKey(other, "ada") {
			t.Errorf("%+v: one client's calls are mixed up", tt.limits)
		}
	}
}
