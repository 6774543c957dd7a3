package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"evergreen"
	"evergreen/internal/config"
	"evergreen/internal/console"
	"evergreen/internal/httpguard"
	"evergreen/internal/watch"
	"evergreen/internal/web"

	"github.com/spf13/cobra"
)

// watchEvery is how often a server looks whether another process has changed
// the library, which is one small file read.
const watchEvery = 2 * time.Second

func serveCommand(a *app) *cobra.Command {
	var port int
	var knowledge []string
	var watching bool
	cmd := &cobra.Command{
		Use:   "serve [SOURCE...]",
		Short: "Serve the library over HTTP: API, MCP, front page",
		Long: "Read the sources, if any, then serve the library. An empty library serves\n" +
			"Evergreen's own documentation and knowledge base, until something is indexed.\n" +
			"With --origin it stands before another site, passes its pages on with links to\n" +
			"the layers, and crawls it in the background to write them.",
		Example: "  evergreen serve\n" +
			"  evergreen serve ./docs --port 8080\n" +
			"  evergreen serve --kb ./context.json --base-url https://docs.example.com\n" +
			"  evergreen serve --origin https://docs.example.com --library ./layers",
		RunE: func(cmd *cobra.Command, args []string) error {
			library, s, err := a.openPublic(cmd)
			if err != nil {
				return err
			}
			defer library.Close()
			if err := checkOrigin(cmd, &s, args); err != nil {
				return err
			}
			a.sayDamaged(cmd.Context(), library)
			if cmd.Flags().Changed("port") {
				host, _, err := net.SplitHostPort(s.Server.Listen)
				if err != nil || port < 0 || port > 65535 {
					return usage("--port must be between 0 and 65535, not %d", port)
				}
				s.Server.Listen = net.JoinHostPort(host, strconv.Itoa(port))
			}
			if err := readTokens(&s); err != nil {
				return err
			}
			requests := sourceRequests(s, args, knowledge)
			for _, r := range requests {
				if err := a.indexFirst(cmd, library, r); err != nil {
					return err
				}
			}
			var watched *watch.Watch
			if watching {
				watched = a.watchSources(library, requests)
				go watched.Run(cmd.Context())
			}
			return a.serve(cmd, library, s, args, watched)
		},
	}
	flags := cmd.Flags()
	switchSetting(flags, "guard", "guard", "mark passages that address the model with instructions")
	setting(flags, "listen", "server.listen", "`ADDRESS` and port (default: 127.0.0.1:4173)")
	flags.IntVar(&port, "port", 4173, "port, instead of the one of --listen; 0 takes a free one")
	flags.StringArrayVar(&knowledge, "kb", nil, "knowledge base (context.json) to read; may be repeated")
	flags.BoolVar(&watching, "watch", false, "read the sources again when they change")
	setting(flags, "base-url", "site.base_url", "public `URL` of the site")
	setting(flags, "origin", "origin.url", "`URL` of a site to serve as it is, with the layers put on it")
	setting(flags, "origin-refresh", "origin.refresh", "time between two crawls of the origin, such as 1h; 0 crawls once")
	setting(flags, "origin-max-pages", "origin.max_pages", "most pages taken from the origin")
	policyFlags(flags)
	setting(flags, "tools", "server.tools", "sets of tools: docs, kb, web, admin")
	setting(flags, "token-file", "server.token_file", "`FILE` with the token for administration")
	setting(flags, "read-token-file", "server.read_token_file", "`FILE` with the token that reading needs")
	setting(flags, "token", "server.token", "token for administration; other users of this machine can see it here")
	setting(flags, "read-token", "server.read_token", "token that reading needs; other users of this machine can see it here")
	setting(flags, "oauth-issuer", "oauth.issuer", "authorization server at `URL` whose tokens open reading and administration")
	switchSetting(flags, "allow-private", "server.allow_private", "read sources from, and let index_url reach, addresses that are not public")
	proxyFlag(flags)
	setting(flags, "rate-limit", "server.rate_limit", "`CALLS` a minute for each client (default: 120); 0 switches the limit off")
	setting(flags, "operator-listen", "server.operator_listen", "`ADDRESS` and port of the operator's /metrics")
	setting(flags, "timeout", "server.timeout", "longest time of one answer, such as 30s")
	return cmd
}

// sourceRequests are the runs that the command line asks for.
func sourceRequests(s config.Settings, sources, knowledge []string) []evergreen.IndexRequest {
	var requests []evergreen.IndexRequest
	for _, location := range sources {
		requests = append(requests, sourceRequest(s, location))
	}
	for _, location := range knowledge {
		requests = append(requests, evergreen.IndexRequest{MaxFiles: s.Index.MaxFiles,
			Source: evergreen.Source{Kind: evergreen.SourceKnowledge, Location: location}})
	}
	return requests
}

// sourceRequest is the run for one source that a server is given.
func sourceRequest(s config.Settings, location string) evergreen.IndexRequest {
	return evergreen.IndexRequest{Source: evergreen.Source{Location: location}, MaxFiles: s.Index.MaxFiles,
		AllowPrivate: s.Server.AllowPrivate}
}

// watchSources prepares the watching of the sources, telling of what changes. A
// fault is told of once. Web sites are left alone: nobody wants to be crawled
// again and again.
func (a *app) watchSources(e library, requests []evergreen.IndexRequest) *watch.Watch {
	var sources []watch.Source
	for _, r := range requests {
		if isURL(r.Source.Location) {
			continue
		}
		told := ""
		sources = append(sources, watch.Source{Location: r.Source.Location, Read: func(ctx context.Context) (changed bool, err error) {
			report, err := e.Index(ctx, r, nil)
			if err != nil {
				if ctx.Err() == nil && told != err.Error() {
					a.say("evergreen: " + r.Source.Location + ": " + oneLine(err.Error()))
				}
				told = err.Error()
				return false, err
			}
			told = ""
			d := report.Documents
			if changed = d.Indexed+d.Removed > 0; changed {
				a.sayReport(report)
			}
			return changed, nil
		}})
	}
	return watch.New(watch.Options{}, sources...)
}

// serve answers until the process is told to stop.
func (a *app) serve(cmd *cobra.Command, library library, s config.Settings, sources []string, watched *watch.Watch) error {
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	log := a.logger(s)
	e, closeOwn := a.withOwnDocs(ctx, library, s)
	defer closeOwn()
	behind, err := a.newOrigin(ctx, library, s, log)
	if err != nil {
		return err
	}
	if behind != nil {
		e.second = nil // our own words are none of the origin's
	}
	roots, err := a.indexRoots(s, sources)
	if err != nil {
		return err
	}
	face, err := newMCPFace(e, s, roots, log).withGateway()
	if err != nil {
		return err
	}
	defer face.close()
	go face.gateway.Run(ctx)
	read, admin, servers, err := face.handlers()
	if err != nil {
		return err
	}
	follow(ctx, e, servers...)
	face.verifier = &selfVerifier{token: s.Server.ReadToken}
	options, err := webOptions(ctx, face, read, admin)
	if err != nil {
		return err
	}
	bound := func(*web.Server) {}
	if behind == nil { // the pages of an origin are its own
		if bound, err = withConsole(&options, face, library, watched); err != nil {
			return err
		}
	}
	behind.adjust(ctx, &options)
	handler := web.New(options)
	face.verifier.answeredBy(handler.Inside())
	defer handler.Close()
	bound(handler)
	if err := checkPolicy(options.Policy, handler); err != nil {
		return err
	}
	front, err := behind.front(handler, options.Policy)
	if err != nil {
		return err
	}
	listeners, err := listen(cmd, s)
	if err != nil {
		return err
	}
	operator, err := a.serveOperator(ctx, s, handler)
	if err != nil {
		return err
	}
	if err := a.sayServing(cmd, e, s, listeners[0].Addr()); err != nil {
		return err
	}
	if behind != nil {
		behind.crawled = func() { warmSmall(ctx, e, handler) }
		go behind.run(ctx)
	}
	go warmSmall(ctx, e, handler)
	defer collect(handler.Answered)()
	err = web.Serve(ctx, front, listeners...)
	stop()
	if err := errors.Join(err, operator()); err != nil {
		return err
	}
	a.say("stopped")
	return nil
}

// warmSmall makes the site of a small library ready. What goes wrong is told to
// who asks.
func warmSmall(ctx context.Context, e library, handler *web.Server) {
	if small(ctx, e) {
		_ = handler.Warm()
	}
}

// small tells whether the library is of a size at which the site may be made
// before anybody asks: a large one costs memory that a server which only answers
// agents never needs.
func small(ctx context.Context, e library) bool {
	collections, err := e.Collections(ctx)
	documents := 0
	for _, c := range collections {
		documents += c.Documents
	}
	return err == nil && documents <= warmDocuments
}

// readTokens reads the token files. A file wins over a token from anywhere but
// the command line.
func readTokens(s *config.Settings) error {
	for _, t := range []struct {
		key, file string
		into      *string
	}{{"server.token", s.Server.TokenFile, &s.Server.Token}, {"server.read_token", s.Server.ReadTokenFile, &s.Server.ReadToken}} {
		typed := func(key string) bool { return strings.HasPrefix(s.Origin(key), "flag ") }
		if t.file == "" || typed(t.key) && !typed(t.key+"_file") {
			continue
		}
		data, err := os.ReadFile(t.file)
		if err != nil {
			return evergreen.Errorf(evergreen.Invalid, "read the token: %w", err)
		}
		line, _, _ := strings.Cut(string(data), "\n")
		if *t.into = strings.TrimSpace(line); *t.into == "" {
			return evergreen.Errorf(evergreen.Invalid, "the token file %s begins with an empty line", t.file).
				Fix("write the token on its first line")
		}
	}
	return nil
}

// listen opens the configured address. The default is 127.0.0.1, with ::1
// beside it where the system has it.
func listen(cmd *cobra.Command, s config.Settings) ([]net.Listener, error) {
	host, port, err := net.SplitHostPort(s.Server.Listen)
	if err != nil {
		return nil, evergreen.Errorf(evergreen.Invalid, "server.listen: %w", err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	first, err := web.Listen(cmd.Context(), net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	listeners := []net.Listener{first}
	if s.Origin("server.listen") == "default" {
		_, port, err = net.SplitHostPort(first.Addr().String())
		if err != nil {
			return listeners, nil
		}
		if second, err := web.Listen(cmd.Context(), net.JoinHostPort("::1", port)); err == nil {
			listeners = append(listeners, second)
		}
	}
	return listeners, nil
}

// sayServing tells people what is served, where, and how to stop.
func (a *app) sayServing(cmd *cobra.Command, f *fallback, s config.Settings, address net.Addr) error {
	now, own, err := f.now(cmd.Context())
	if err != nil {
		return err
	}
	collections, err := now.Collections(cmd.Context())
	if err != nil {
		return err
	}
	entries := 0
	for _, c := range collections {
		entries += c.Sections
	}
	base := "http://" + address.String()
	if tcp, ok := address.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		base = "http://localhost:" + strconv.Itoa(tcp.Port)
	}
	topic := "getting started"
	if own {
		topic = "what is evergreen"
		a.say("The library is empty: serving Evergreen's own documentation. Index a folder: evergreen index ./docs")
	}
	if !httpguard.LoopbackAddr(address.String()) {
		a.sayOpen(s)
	}
	what := fmt.Sprintf("serves %s of %s", countEntries(entries), count(len(collections), "collection"))
	if s.Overlay.Origin != "" {
		what = "puts the layers on " + s.Overlay.Origin
		if entries > 0 {
			what += ", " + countEntries(entries)
		}
	}
	a.say("evergreen " + version + " " + what)
	rows := [][]string{
		{"  site", base + "/"},
		{"  ask", base + "/api/context?topic=" + url.QueryEscape(topic) + "&budget=2000"},
		{"  MCP", base + "/mcp"},
	}
	if s.Overlay.Origin == "" { // whose pages are its own
		rows = append(rows, []string{"  operate", base + console.OperatePath})
	}
	a.say(strings.TrimSuffix(table(append(rows, []string{"  stop", "Ctrl+C"})), "\n"))
	return nil
}

// sayOpen tells what it means to be reachable from other machines.
func (a *app) sayOpen(s config.Settings) {
	reading, changing := "open to everyone who reaches this address", "closed: set --token-file to open it"
	if s.Server.ReadToken != "" {
		reading = "open with the read token"
	}
	if s.Server.Token != "" {
		changing = "open with the token"
	}
	if s.OAuth.Issuer != "" {
		reading, changing = "open with a token of "+s.OAuth.Issuer, "open with the scope "+s.OAuth.WriteScope
	}
	a.say("From other machines, reading is " + reading + "; changing the library is " + changing + ".")
	if s.Site.BaseURL == "" && len(s.Server.Hosts) == 0 {
		a.say("They must call this machine by a name it knows: set --base-url, or server.hosts in evergreen.json.")
	}
}

func countEntries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return thousands(n) + " entries"
}
