package console

// This file is what operators do to the library.

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"evergreen"
	"evergreen/internal/httpguard"
	"evergreen/internal/job"
	"evergreen/internal/mcp"
	"evergreen/internal/ui"
	"evergreen/internal/web"
)

// order is what an operator asks for, as JSON or as a form.
type order struct {
	Location   string `json:"location"`   // index: folder, file or web address
	Name       string `json:"name"`       // index: of the collection; "" is from the source
	Single     bool   `json:"single"`     // index: of a web address that page only
	Collection string `json:"collection"` // refresh, delete
	Confirm    string `json:"confirm"`    // delete: the collection's name again
	Job        string `json:"job"`        // cancel

	client string // whose limits hold; "" is an operator without any
}

// done is what became of an order.
type done struct {
	Done  string `json:"done"`
	About string `json:"about"`
	Job   string `json:"job,omitempty"`
}

// acting makes an answer of an order: who may, and whose form it is, is looked at
// first.
func (c *Console) acting(do func(context.Context, order) (done, error)) func(*http.Request, web.View) (web.Reply, error) {
	return func(r *http.Request, at web.View) (web.Reply, error) {
		if !c.may(r) {
			return c.turnedAway(r, at, false)
		}
		o, err := c.ordered(r)
		o.client = c.boundClient(r)
		var result done
		if err == nil {
			result, err = do(r.Context(), o)
		}
		if err == nil {
			c.o.Log.Info("operator", "did", result.Done, "about", result.About, "job", result.Job)
		}
		switch {
		case wantsJSON(r) && err != nil:
			return refusal(r, 0, err)
		case wantsJSON(r):
			reply, err := data(result)
			if result.Job != "" {
				reply.Status = http.StatusAccepted
			}
			return reply, err
		case err != nil:
			reply, perr := c.desk(r, at, &ui.Notice{Fault: sentence(err), Fixes: evergreen.Hints(err)})
			reply.Status = web.StatusOf(evergreen.KindOf(err))
			return reply, perr
		}
		reply := back(at, nil)
		reply.Header.Set("Location", reply.Header.Get("Location")+"?"+noticeQuery(result)+langQuery(r))
		return reply, nil
	}
}

// boundClient names a caller whose token an authorization server has issued: it
// is one of many, and may have no more here than through MCP.
func (c *Console) boundClient(r *http.Request) string {
	if c.o.Client == nil || httpguard.CallerOf(r.Context()).Subject == "" || c.signedIn(r) {
		return ""
	}
	return c.o.Client(r)
}

// ordered reads an order. A form must be one of ours.
func (c *Console) ordered(r *http.Request) (o order, err error) {
	if sendsJSON(r) {
		decoder := json.NewDecoder(r.Body)
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&o); err != nil {
			return o, evergreen.Errorf(evergreen.Invalid, "the order cannot be read: %w", err).
				Fix("send one JSON object, for example {\"collection\": \"docs\"}")
		}
		return o, nil
	}
	if err := r.ParseForm(); err != nil {
		return o, evergreen.Errorf(evergreen.Invalid, "the form cannot be read: %w", err)
	}
	if !same(r.PostForm.Get("token"), c.form) {
		return o, evergreen.Errorf(evergreen.Blocked, "the form is from before the server started, or not from this page").
			Fix("open the operator's page again and repeat it there")
	}
	get := func(key string) string { return strings.TrimSpace(r.PostForm.Get(key)) }
	return order{Location: get("location"), Name: get("name"), Single: get("single") == "true",
		Collection: get("collection"), Confirm: get("confirm"), Job: get("job")}, nil
}

// index reads a source into the library, as a job.
func (c *Console) index(ctx context.Context, o order) (done, error) {
	if o.Location == "" {
		return done{}, evergreen.Errorf(evergreen.Invalid, "no source is named").Fix("name a folder, a file or a web address")
	}
	r := evergreen.IndexRequest{Name: o.Name, MaxFiles: c.o.MaxFiles, AllowPrivate: c.o.AllowPrivate, Source: evergreen.Source{Location: o.Location}}
	var err error
	if strings.Contains(o.Location, "://") {
		r.Source.Kind = evergreen.SourceSite
		if o.Single {
			r.Source.Kind = evergreen.SourcePage
		}
		r.Source.Location, err = mcp.WebAddress(o.Location)
	} else {
		var all []evergreen.Collection
		if all, err = c.o.Library.Collections(ctx); err == nil {
			r.Source.Location, r.Source.Kind, err = mcp.LocalSource(o.Location, mcp.Roots(c.o.Roots, all))
		}
	}
	if err != nil {
		return done{}, err
	}
	id, err := c.start(ctx, r, o.client)
	return done{Done: "index", About: r.Source.Location, Job: id}, err
}

// refresh reads the sources of a collection again. What is kept of web pages is
// asked for anew.
func (c *Console) refresh(ctx context.Context, o order) (done, error) {
	found, err := c.collection(ctx, o.Collection)
	if err != nil {
		return done{}, err
	}
	id := ""
	for _, source := range found.Sources {
		one, err := c.start(ctx, evergreen.IndexRequest{Name: found.Name, Source: source, MaxFiles: c.o.MaxFiles, Refresh: true, Verify: true, AllowPrivate: c.o.AllowPrivate}, o.client)
		if err != nil {
			return done{}, err
		}
		if id == "" {
			id = one
		}
	}
	return done{Done: "refresh", About: found.Name, Job: id}, nil
}

// start begins the indexing of a source, or joins what reads it already.
func (c *Console) start(ctx context.Context, r evergreen.IndexRequest, client string) (string, error) {
	most := 0
	if client != "" {
		c.o.Limits.Bound(&r, client)
		most = c.o.Limits.Jobs
	}
	id, _, err := c.o.Jobs.Start(context.WithoutCancel(ctx), job.Task{Title: r.Source.Location, Key: "operate " + r.Name + " " + r.Source.Location,
		Owner: client, Most: most, Work: func(ctx context.Context, progress evergreen.Progress) (any, error) {
			report, err := c.o.Library.Index(ctx, r, progress)
			return report, err
		}})
	return id, err
}

// delete removes a collection whose name was written a second time.
func (c *Console) delete(ctx context.Context, o order) (done, error) {
	name := o.Collection
	if !slices.ContainsFunc(c.o.Library.Damaged(ctx), func(d evergreen.Damage) bool { return d.Name == name }) {
		if _, err := c.collection(ctx, name); err != nil {
			return done{}, err
		}
	}
	if o.Confirm != name {
		return done{}, evergreen.Errorf(evergreen.Invalid, "nothing was deleted: the name that was written is not %s", name).
			Fix("write %s to confirm", name)
	}
	_, err := c.o.Library.Delete(ctx, name)
	return done{Done: "delete", About: name}, err
}

// cancel asks a job to end.
func (c *Console) cancel(_ context.Context, o order) (done, error) {
	if !c.o.Jobs.Cancel(o.Job) {
		return done{}, evergreen.Errorf(evergreen.NotFound, "there is no open job %q", o.Job).Fix("look at the list of jobs")
	}
	return done{Done: "cancel", About: o.Job, Job: o.Job}, nil
}

// collection finds a collection by its name.
func (c *Console) collection(ctx context.Context, name string) (evergreen.Collection, error) {
	all, err := c.o.Library.Collections(ctx)
	if err != nil {
		return evergreen.Collection{}, err
	}
	var names []string
	for _, one := range all {
		if one.Name == name {
			return one, nil
		}
		names = append(names, one.Name)
	}
	return evergreen.Collection{}, evergreen.Errorf(evergreen.NotFound, "no collection is named %q", name).
		Fix("the collections are: %s", strings.Join(names, ", "))
}

// refusal is an error for programs: RFC 9457, as the API's. status 0 is that of
// the error.
func refusal(r *http.Request, status int, err error) (web.Reply, error) {
	e, ok := errors.AsType[*evergreen.Error](err)
	if !ok {
		return web.Reply{}, err
	}
	if status == 0 {
		status = web.StatusOf(e.Kind)
	}
	reply, err := data(struct {
		Type     string   `json:"type"`
		Title    string   `json:"title"`
		Status   int      `json:"status"`
		Detail   string   `json:"detail"`
		Instance string   `json:"instance"`
		Fixes    []string `json:"fixes,omitempty"`
	}{"about:blank", http.StatusText(status), status, sentence(e), r.URL.Path, e.Fixes})
	reply.Status, reply.Type = status, "application/problem+json"
	return reply, err
}

// sentence is an error as people read it. Names and addresses keep their case.
func sentence(err error) string {
	text := err.Error()
	first, _, _ := strings.Cut(text, " ")
	if strings.Trim(first, "abcdefghijklmnopqrstuvwxyz") == "" && first != "" {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	return text + "."
}
