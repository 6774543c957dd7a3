package edge

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Recover is receiving middleware that every server behind an edge needs,
// added after all other middleware so that it surrounds them: the SDK runs
// handlers on goroutines of its own, where a panic would end the process. A
// panic in a tool becomes a tool error, which the model can read; elsewhere it
// becomes -32603. Errors without a JSON-RPC code get -32603 too, where the SDK
// would send code 0.
func Recover(log *slog.Logger) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
			defer func() {
				if p := recover(); p != nil {
					logPanic(log, method, p)
					res, err = panicked(method)
				}
			}()
			res, err = next(ctx, method, req)
			return res, coded(err)
		}
	}
}

// panicked is the answer to a request whose handler panicked.
func panicked(method string) (mcp.Result, error) {
	if method == methodCall {
		return panickedCall(), nil
	}
	return nil, &jsonrpc.Error{Code: codeInternal, Message: panickedText}
}

const panickedText = "internal error: the handler failed unexpectedly; the details are in the server's log"

// panickedCall is panicked for a tool.
func panickedCall() *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: panickedText}}}
}

// coded gives an error without JSON-RPC code the one for internal errors, and
// keeps its chain.
func coded(err error) error {
	if err == nil {
		return nil
	}
	if wire, ok := errors.AsType[*jsonrpc.Error](err); ok && wire.Code != 0 {
		return err
	}
	return codedError{err}
}

// codedError is err with the code for internal errors.
type codedError struct{ err error }

func (e codedError) Error() string { return e.err.Error() }

func (e codedError) Unwrap() []error {
	return []error{&jsonrpc.Error{Code: codeInternal, Message: e.err.Error()}, e.err}
}

// logPanic records a recovered panic with its stack.
func logPanic(log *slog.Logger, where string, p any) {
	if log != nil {
		log.Error("recovered from a panic", "where", where, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	}
}
