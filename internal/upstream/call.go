package upstream

// This file sends one call, and once more where the first sending cannot have
// run.

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"evergreen"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Call is one call of a tool.
type Call struct {
	Name      string
	Arguments json.RawMessage // JSON object; nil is {}
	Timeout   time.Duration   // 0 is the upstream's

	// Progress gets the upstream's progress notifications, without their token;
	// nil asks for none.
	Progress func(*mcp.ProgressNotificationParams)

	// The answers to what an earlier result of the same call asked for.
	InputResponses mcp.InputResponseMap
	RequestState   string
}

// Call runs one tool on the credential's session. What the tool answers is
// returned as it is, faults included. An error of kind Upstream, Timeout,
// Exhausted or Invalid says that there is no answer; when the upstream answered
// with a protocol error, a *jsonrpc.Error is in the chain.
func (u *Upstream) Call(ctx context.Context, c Credential, call Call) (*mcp.CallToolResult, error) {
	timeout := call.Timeout
	if timeout <= 0 {
		timeout = u.o.Timeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	params := &mcp.CallToolParams{Name: call.Name, InputResponses: call.InputResponses, RequestState: call.RequestState}
	if len(call.Arguments) > 0 {
		params.Arguments = call.Arguments
	}
	if call.Progress != nil {
		token := "evergreen-" + strconv.FormatUint(u.tokens.Add(1), 10)
		u.progress.Store(token, call.Progress)
		defer u.progress.Delete(token)
		params.SetProgressToken(token)
	}
	var result *mcp.CallToolResult
	err := u.do(ctx, c, func(ctx context.Context, s *session) (err error) {
		result, err = s.client.CallTool(ctx, params)
		return err
	})
	if err != nil {
		return nil, err
	}
	return restore(result), nil
}

// passProgress hands a progress notification to the call that it belongs to.
func (u *Upstream) passProgress(message []byte) {
	var m struct {
		Method string
		Params mcp.ProgressNotificationParams
	}
	if json.Unmarshal(message, &m) != nil || m.Method != "notifications/progress" {
		return
	}
	token, ours := m.Params.ProgressToken.(string) // other kinds may not even be comparable
	if !ours {
		return
	}
	if report, ok := u.progress.Load(token); ok {
		report.(func(*mcp.ProgressNotificationParams))(&m.Params)
	}
}

// do runs send on a session. A session that the failure leaves useless is
// dropped; send runs a second time, on a new session, only when the upstream
// said that it does not know the session, or the request never left.
func (u *Upstream) do(ctx context.Context, c Credential, send func(context.Context, *session) error) error {
	for attempt := 1; ; attempt++ {
		s, err := u.acquire(ctx, c)
		if err != nil {
			return u.explain(ctx, err, &exchange{})
		}
		seen := &exchange{}
		err = send(context.WithValue(ctx, exchangeKey{}, seen), s)
		u.release(s)
		if err == nil {
			return nil
		}
		unknown := seen.sessionUnknown(err)
		unsent := !seen.left() && (isClosed(err) || u.gone(err))
		if unknown || unsent || isClosed(err) || seen.refused() {
			u.drop(s)
		}
		if (unknown || unsent) && attempt == 1 && ctx.Err() == nil {
			u.log.Debug("session is gone, opening another", "unknown", unknown)
			continue
		}
		return u.explain(ctx, err, seen)
	}
}

// gone reports whether a program could not even be written to.
func (u *Upstream) gone(err error) bool {
	return len(u.o.Command) > 0 && protocolError(err) == nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}

// explain turns a failure into words that name the upstream and what to do, and
// that hold neither a credential nor a URL, which may carry one.
func (u *Upstream) explain(ctx context.Context, err error, seen *exchange) error {
	if ours, ok := errors.AsType[*evergreen.Error](err); ok {
		return ours
	}
	name := u.o.Name
	fault := func(kind evergreen.Kind, message string) *evergreen.Error {
		return &evergreen.Error{Kind: kind, Message: "upstream " + name + " " + message, Err: err}
	}
	if wire := protocolError(err); wire != nil && !seen.refused() {
		return fault(evergreen.Upstream, "answered: "+wire.Message)
	}
	switch status := seen.status(); {
	case errors.Is(err, context.DeadlineExceeded):
		return fault(evergreen.Timeout, "did not answer in time").Fix("try again, or raise its timeout")
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return err
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return fault(evergreen.Upstream, "answered "+statusText(status)).Fix("check the credential for %s", name)
	case status == http.StatusTooManyRequests:
		return fault(evergreen.Upstream, "answered "+statusText(status)+seen.retryAfter()).Fix("try again later")
	case status >= 300 && status < 400:
		return fault(evergreen.Upstream, "answered "+statusText(status)+": redirects are not followed").Fix("configure the address that it redirects to")
	case status >= 400 && seen.body.Load() != nil:
		return fault(evergreen.Upstream, "answered: "+seen.body.Load().Message)
	case status >= 400:
		return fault(evergreen.Upstream, "answered "+statusText(status))
	case isClosed(err):
		return fault(evergreen.Upstream, "closed the session; whether the call ran is unknown").Fix("look before you try again")
	case seen.dialFailed.Load():
		return fault(evergreen.Upstream, "is not reachable").Fix("see that it runs")
	}
	return fault(evergreen.Upstream, "failed: "+plainError(err))
}

func statusText(status int) string {
	return strings.TrimSpace(strconv.Itoa(status) + " " + http.StatusText(status))
}

// protocolError is the upstream's own JSON-RPC error in err's chain, nil if there
// is none. The SDK marks what its transport refused with an error of the same
// type.
func protocolError(err error) *jsonrpc.Error {
	if wire, ok := err.(*jsonrpc.Error); ok && wire.Message != "rejected by transport" {
		return wire
	}
	switch err := err.(type) {
	case interface{ Unwrap() error }:
		return protocolError(err.Unwrap())
	case interface{ Unwrap() []error }:
		for _, e := range err.Unwrap() {
			if wire := protocolError(e); wire != nil {
				return wire
			}
		}
	}
	return nil
}

// plainError is an error's text without the URL that net/http puts into it.
func plainError(err error) string {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err.Error()
	}
	return err.Error()
}
