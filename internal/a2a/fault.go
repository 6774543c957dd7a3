package a2a

// This file holds the protocol's errors.

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"evergreen"
)

// Codes of JSON-RPC 2.0 and of A2A.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeMethod         = -32601
	codeParams         = -32602
	codeInternal       = -32603
	codeTaskNotFound   = -32001
	codePush           = -32003
	codeUnsupported    = -32004
	codeContentType    = -32005
	codeExtendedCard   = -32007
	codeVersion        = -32009
)

// fault is an error answer.
type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    []any  `json:"data"`
}

// errorInfo is google.rpc.ErrorInfo: the error's name for programs.
type errorInfo struct {
	Type     string            `json:"@type"`
	Reason   string            `json:"reason"`
	Domain   string            `json:"domain"`
	Metadata map[string]string `json:"metadata,omitempty"` // json.Marshal sorts the keys
}

// badRequest is google.rpc.BadRequest: which member is wrong.
type badRequest struct {
	Type       string      `json:"@type"`
	Violations []violation `json:"fieldViolations"`
}

type violation struct {
	Field       string `json:"field"`
	Description string `json:"description"`
}

// reasonOf is the error's name in upper snake case, without "Error".
func reasonOf(code int) string {
	switch code {
	case codeParse:
		return "PARSE"
	case codeInvalidRequest:
		return "INVALID_REQUEST"
	case codeMethod:
		return "METHOD_NOT_FOUND"
	case codeTaskNotFound:
		return "TASK_NOT_FOUND"
	case codePush:
		return "PUSH_NOTIFICATION_NOT_SUPPORTED"
	case codeUnsupported:
		return "UNSUPPORTED_OPERATION"
	case codeContentType:
		return "CONTENT_TYPE_NOT_SUPPORTED"
	case codeExtendedCard:
		return "EXTENDED_AGENT_CARD_NOT_CONFIGURED"
	case codeVersion:
		return "VERSION_NOT_SUPPORTED"
	}
	return "INTERNAL"
}

// faultOf makes an error with its name. metadata may be nil.
func faultOf(code int, message string, metadata map[string]string) *fault {
	return &fault{code, message, []any{errorInfo{"type.googleapis.com/google.rpc.ErrorInfo", reasonOf(code), "a2a-protocol.org", metadata}}}
}

// badParams is an error about one member of the parameters.
func badParams(message, field, description string) *fault {
	return &fault{codeParams, message, []any{badRequest{"type.googleapis.com/google.rpc.BadRequest", []violation{{field, description}}}}}
}

// faultFor is the one table from kinds of error to the protocol. What is not
// the client's to mend is not told.
func faultFor(err error) *fault {
	e, ok := errors.AsType[*evergreen.Error](err)
	if !ok {
		return faultOf(codeInternal, "Something went wrong here; the server's log says what.", nil)
	}
	switch e.Kind {
	case evergreen.Invalid, evergreen.NotFound, evergreen.TooLarge:
		hints := evergreen.Hints(e)
		description := strings.Join(hints, " ")
		if description == "" {
			description = e.Message
		}
		return badParams(sentence(e.Message), "message.parts", description)
	case evergreen.Timeout:
		return faultOf(codeInternal, "The answer took too long. Ask a narrower question or try again.", nil)
	}
	return faultOf(codeInternal, "The skill failed; the server's log says why.", nil)
}

func sentence(s string) string {
	if s == "" {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	s = strings.ToUpper(string(r)) + s[n:]
	if strings.ContainsAny(s[len(s)-1:], ".!?") {
		return s
	}
	return s + "."
}

// shown is a client's own word, fit to be repeated.
func shown(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	if len(s) > maxShown {
		s = strings.ToValidUTF8(s[:maxShown], "") + "…"
	}
	return s
}

// encode writes v without escaping '<', '>' and '&'.
func encode(v any) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // a skill's Data that is no JSON
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"The answer could not be written.","data":[]}}` + "\n")
	}
	return []byte(b.String())
}
