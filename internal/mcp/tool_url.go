package mcp

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"evergreen"
	"evergreen/internal/job"
)

// indexURL adds a web site or page to the library, or refreshes it. A site
// takes longer than a caller waits: then the crawl goes on as a job.
func indexURL() tool {
	return tool{
		name: "index_url", title: "Index a web site", set: SetAdmin, effect: adds, world: true,
		description: "Crawls and indexes a documentation site below a URL, or refreshes it. A long crawl answers with a job; list_repos shows it.",
		schema: `{"type":"object","properties":{"url":{"type":"string"},"name":{"type":"string","description":"Collection"},` +
			`"single":{"type":"boolean","description":"This page only"},` +
			`"max_pages":{"type":"integer","default":200,"maximum":200},"depth":{"type":"integer","maximum":10},` +
			`"include":{"type":"array","items":{"type":"string"},"description":"Globs over paths"},` +
			`"exclude":{"type":"array","items":{"type":"string"}},"refresh":{"type":"boolean"}},"required":["url"]}`,
		example: `{"url":"https://docs.example.com/guide/"}`,
		run:     runIndexURL,
	}
}

// jobMeta is the metadata of a job.
type jobMeta struct {
	ID         string    `json:"job"`
	State      job.State `json:"state"`
	Title      string    `json:"title"`
	Stage      string    `json:"stage,omitempty"`
	Done       int       `json:"done,omitempty"`
	Total      int       `json:"total,omitempty"`
	Collection string    `json:"collection,omitempty"` // of a job that is done
}

func runIndexURL(ctx context.Context, s *Server, c *call) (answer, error) {
	r := evergreen.IndexRequest{
		Source:   evergreen.Source{Kind: evergreen.SourceSite, Include: c.List("include"), Exclude: c.List("exclude")},
		Name:     strings.TrimSpace(c.Text("name")),
		MaxPages: c.Most("max_pages", maxPages), Depth: c.Most("depth", maxDepth),
		Refresh: c.Flag("refresh"), AllowPrivate: s.options.AllowPrivate,
	}
	if c.Flag("single") {
		r.Source.Kind = evergreen.SourcePage
	}
	raw, budget := c.Required("url"), c.Budget(listBudget)
	if err := c.Fault(); err != nil {
		return answer{}, err
	}
	var err error
	if r.Source.Location, err = WebAddress(raw); err != nil {
		return answer{}, err
	}
	key := s.jobKey(r, c.client())
	s.options.Limits.Bound(&r, c.client())
	id, joined, err := s.jobs.Start(context.WithoutCancel(ctx), job.Task{
		Title: r.Source.Location, Key: key, Work: s.indexWork(r),
		Owner: c.client(), Most: s.options.Limits.Jobs})
	if err != nil {
		return answer{}, err
	}
	j, err := s.await(ctx, id, s.progress(ctx, c.request))
	if err != nil {
		if !joined {
			s.jobs.Cancel(id) // the caller called its own call off
		}
		return answer{}, err
	}
	return s.jobAnswer(langOf("", c.accept), j, budget)
}

// jobKey is the same for calls that one job answers: those for the same, also of
// several clients unless each has a room of its own, where one is full and another
// is not.
func (s *Server) jobKey(r evergreen.IndexRequest, client string) string {
	if l := s.options.Limits; l.ClientBytes == 0 && l.ClientSections == 0 {
		client = ""
	}
	return fmt.Sprintf("%s %+v", client, r)
}

// indexWork is the indexing of r as a job.
func (s *Server) indexWork(r evergreen.IndexRequest) job.Work {
	return func(ctx context.Context, progress evergreen.Progress) (any, error) {
		report, err := s.engine.Index(ctx, r, progress)
		s.Changed(context.WithoutCancel(ctx))
		return report, err
	}
}

// await waits for a job as long as a caller is kept waiting, passing progress
// on, and returns the job as it then stands. The error is that of ctx.
func (s *Server) await(ctx context.Context, id string, progress evergreen.Progress) (job.Job, error) {
	waiting, stop := context.WithCancel(ctx)
	defer stop()
	patience := s.options.After(directAnswer)
	go func() {
		select {
		case <-patience:
			stop()
		case <-waiting.Done():
		}
	}()
	j, err := s.jobs.Wait(waiting, id, progress)
	if err != nil && waiting.Err() == nil {
		return j, err
	}
	if now, ok := s.jobs.Get(id); ok {
		j = now
	}
	return j, ctx.Err()
}

// jobAnswer is the report of a job that is done, else where it stands and how
// to go on.
func (s *Server) jobAnswer(l lang, j job.Job, budget int) (answer, error) {
	switch report, ok := j.Result.(evergreen.IndexReport); {
	case j.State == job.Failed:
		return answer{}, j.Err
	case j.State == job.Canceled:
		return answer{}, evergreen.Errorf(evergreen.Conflict, "%s was ended before it was done", j.ID).Fix("call again to start anew")
	case ok:
		a := s.indexAnswer(l, report, budget)
		a.fault = report.Documents.Indexed+report.Documents.Unchanged == 0 // the text says why
		return a, nil
	}
	text := l.say("**%s** goes on: %s. It is not searchable before it is done.\nlist_repos shows how far it is; the same call again waits for it.",
		"**%s** 仍在进行：%s。完成之前无法检索。\nlist_repos 显示进度；重复同一调用可继续等待。", j.ID, s.jobProgress(j))
	return answer{text: clip(text, budget, s.count), meta: jobMetaOf(j)}, nil
}

// jobProgress says what is worked on and how far it is.
func (s *Server) jobProgress(j job.Job) string {
	what := s.echo(j.Title)
	switch {
	case j.Stage == "":
		return what
	case j.Total > 0:
		return fmt.Sprintf("%s %d / %d · %s", j.Stage, j.Done, j.Total, what)
	}
	return fmt.Sprintf("%s %d · %s", j.Stage, j.Done, what)
}

func jobMetaOf(j job.Job) jobMeta {
	m := jobMeta{ID: j.ID, State: j.State, Title: j.Title, Stage: j.Stage, Done: j.Done, Total: j.Total}
	if report, ok := j.Result.(evergreen.IndexReport); ok {
		m.Collection = report.Collection
	}
	return m
}

// shownJobs writes the newest jobs as lines of at most budget tokens. Only
// those who may start jobs see any: their titles and errors can name what is
// not public.
func (s *Server) shownJobs(l lang, budget int) (text string, metas []jobMeta) {
	if _, ok := s.tools["index_url"]; !ok {
		return "", nil
	}
	head := l.say("# Jobs\n", "# 任务\n")
	for _, j := range s.jobs.List() {
		line := "- **" + j.ID + "** · " + string(j.State) + " · "
		switch report, done := j.Result.(evergreen.IndexReport); {
		case done:
			line += "**" + s.echo(report.Collection) + "** · " + s.echo(j.Title)
		case j.State == job.Failed:
			line += s.echo(j.Err.Error()) + " · " + s.echo(j.Title)
		default:
			line += s.jobProgress(j)
		}
		longer := text + line + "\n"
		if s.count(head+longer) > budget {
			break
		}
		text, metas = longer, append(metas, jobMetaOf(j))
	}
	if text != "" {
		text = head + text
	}
	return text, metas
}

// WebAddress reads what agents write for a web address; one without a scheme
// is https when it begins with a host name. Anything that is no web address is
// refused here: the engine would take it for a path on this machine.
func WebAddress(raw string) (string, error) {
	text := strings.TrimSpace(raw)
	if host, _, _ := strings.Cut(text, "/"); strings.Contains(strings.Trim(host, "."), ".") && !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || (!strings.EqualFold(u.Scheme, "http") && !strings.EqualFold(u.Scheme, "https")) {
		return "", evergreen.Errorf(evergreen.Invalid, "%q is no web address", cut(raw, 200)).
			Fix("begin it with https://; for folders and files use index_local")
	}
	if u.User != nil { // addresses are shown to others
		return "", evergreen.Errorf(evergreen.Blocked, "a web address with a user name is not fetched").Fix("leave it out")
	}
	u.Scheme = strings.ToLower(u.Scheme)
	return u.String(), nil
}
