// Package a2a speaks the Agent2Agent protocol, versions 1.0 and 0.3, over
// JSON-RPC: it reads a request, says what is asked, and writes the answer in
// the dialect of the request. It keeps no tasks: every question is answered
// with a message, and what needs a task is refused with the protocol's own
// error. Skills are called through an Asker; what they do, their repair and
// their budget are not this package's.
package a2a

import (
	"context"
	"encoding/json"
)

// Dialect is a version of the protocol on the wire.
type Dialect string

// The dialects.
const (
	V10 Dialect = "1.0"
	V03 Dialect = "0.3"
)

// Call is a skill and its arguments, as a client asked for it.
type Call struct {
	Skill          string
	Arguments      json.RawMessage // a JSON value, not checked against the skill
	AcceptLanguage string
}

// Answer is what a skill says.
type Answer struct {
	Text string          // Markdown
	Data json.RawMessage // JSON object with what the text does not say; nil for none
}

// Asker calls skills. Errors of kind Invalid and NotFound are told to the
// client with their fixes, others are not. It is safe for concurrent use.
type Asker interface {
	CallSkill(ctx context.Context, c Call) (Answer, error)
}

// The skill and the budget of a question in plain text.
const (
	questionSkill  = "search_context"
	questionBudget = 2000
)
