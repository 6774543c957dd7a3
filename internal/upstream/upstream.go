// Package upstream keeps sessions to other MCP servers and calls their tools.
// A session belongs to one credential of one upstream and is never shared with
// another; it is opened at the first need, reused, and dropped as soon as the
// upstream refuses or forgets it, so that the next call starts afresh. A call
// is sent a second time only when the first sending cannot have run.
//
// It knows no repairs, no prefixes and no policy: that is the gateway's. It
// keeps no answers.
package upstream

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"evergreen"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options describe one upstream. Exactly one of URL and Command is set. URL,
// the values of Env and those of Headers may hold ${NAME} for a variable of
// the environment and ${file:PATH} for a file's first line; both are read anew
// whenever a session is opened.
type Options struct {
	Name string // for messages; not empty

	URL     string // http or https endpoint of Streamable HTTP
	SSE     bool   // URL speaks the older HTTP+SSE transport instead
	Command []string
	Env     map[string]string // added to a small set of inherited variables
	Dir     string            // working folder of Command

	Headers map[string]string // sent with every request to URL
	Forward []string          // headers of the caller that are passed on to URL

	// Legacy skips the probe for the stateless protocol of 2026-07-28, for
	// servers that do not survive it.
	Legacy bool

	Timeout time.Duration // of one call; 0 is DefaultTimeout

	Version   string                      // of ourselves, for clientInfo
	LookupEnv func(string) (string, bool) // nil is the process's environment
	Changed   func()                      // the upstream's list of tools changed; may be nil
	Log       *slog.Logger                // nil discards
}

// Upstream is one other MCP server. Its methods are safe for concurrent use.
type Upstream struct {
	o    Options
	http *http.Transport // shared by all sessions, carries no credential
	log  *slog.Logger

	mu       sync.Mutex
	sessions map[print]*session
	closed   bool
	sweeping bool

	tokens   atomic.Uint64
	progress sync.Map // progress token to func(*mcp.ProgressNotificationParams)
	idle     time.Duration
}

// New checks the options; it opens nothing. Faults are of kind Invalid.
func New(o Options) (*Upstream, error) {
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	o.Version = cmp.Or(o.Version, "dev")
	if o.LookupEnv == nil {
		o.LookupEnv = os.LookupEnv
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	return &Upstream{
		o: o, http: newHTTPTransport(), sessions: map[print]*session{}, idle: idleTimeout,
		log: o.Log.With("upstream", o.Name),
	}, nil
}

func (o Options) check() error {
	wrong := func(format string, args ...any) *evergreen.Error {
		return evergreen.Errorf(evergreen.Invalid, "upstream %q "+format, append([]any{o.Name}, args...)...)
	}
	switch {
	case o.Name == "":
		return evergreen.Errorf(evergreen.Invalid, "an upstream has no name")
	case (o.URL == "") == (len(o.Command) == 0):
		return wrong("needs either a url or a command").Fix(`give it "url": "https://..." or "command": ["program", "argument"]`)
	case o.Timeout < 0:
		return wrong("has a timeout below 0")
	case o.URL == "" && (len(o.Forward) > 0 || len(o.Headers) > 0 || o.SSE):
		return wrong("is a command: headers, forward and sse belong to a url").Fix("pass secrets to a command in its env")
	case o.URL != "" && (len(o.Env) > 0 || o.Dir != ""):
		return wrong("is a url: env and dir belong to a command")
	}
	if o.URL == "" {
		return nil
	}
	u, err := url.Parse(o.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return wrong("has a url that is no absolute http or https address")
	}
	if len(o.Forward) > 0 && !confidential(u) {
		return wrong("may not get forwarded headers over plain http from another machine").
			Fix("use https, or a stored secret in headers")
	}
	for _, name := range o.Forward {
		if !forwardable(name) {
			return wrong("may not get the header %q", name).Fix("forward headers that carry a credential, such as Authorization")
		}
	}
	return nil
}

// forwardable reports whether a caller's header may be passed on: what frames
// a message or belongs to our own protocol session may not.
func forwardable(name string) bool {
	name = http.CanonicalHeaderKey(name)
	switch name {
	case "", "Host", "Connection", "Content-Type", "Content-Length", "Content-Encoding", "Transfer-Encoding",
		"Accept", "Accept-Encoding", "Upgrade", "Te", "Trailer", "Last-Event-Id", "Evergreen-Notes":
		return false
	}
	return !strings.HasPrefix(name, "Mcp-") && !strings.HasPrefix(name, "Proxy-")
}

// Name returns the upstream's name.
func (u *Upstream) Name() string { return u.o.Name }

// Forwards reports whether callers' headers are passed on, so that what the
// upstream answers may depend on who asks.
func (u *Upstream) Forwards() bool { return len(u.o.Forward) > 0 }

// Close ends every session. Calls under way fail; later ones are refused.
func (u *Upstream) Close() error {
	u.mu.Lock()
	u.closed = true
	var all []*session
	for _, s := range u.sessions {
		all = append(all, s)
	}
	clear(u.sessions)
	u.mu.Unlock()
	var wait sync.WaitGroup
	for _, s := range all {
		wait.Go(s.end)
	}
	wait.Wait()
	u.http.CloseIdleConnections()
	return nil
}

// Info is what an upstream says about itself.
type Info struct {
	Name, Version string // serverInfo, empty when it says nothing
	Protocol      string // revision that was agreed on
}

// List asks for all tools, page by page, on the credential's own session. At
// most MaxTools are taken.
func (u *Upstream) List(ctx context.Context, c Credential) ([]*mcp.Tool, Info, error) {
	ctx, cancel := context.WithTimeout(ctx, min(u.o.Timeout, listTimeout))
	defer cancel()
	var tools []*mcp.Tool
	var info Info
	err := u.do(ctx, c, func(ctx context.Context, s *session) error {
		tools, info = []*mcp.Tool{}, s.info()
		cursor := ""
		for range maxPages {
			page, err := s.client.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
			if err != nil {
				return err
			}
			tools = append(tools, page.Tools...)
			if cursor = page.NextCursor; cursor == "" || len(tools) >= MaxTools {
				break
			}
		}
		return nil
	})
	if err != nil {
		return nil, info, err
	}
	return slices.Clip(tools[:min(len(tools), MaxTools)]), info, nil
}
