package evergreen

import (
	"errors"
	"fmt"
	"strings"
)

// Kind says what went wrong in the terms a caller can act on. Each face has one
// table from Kind to its own dialect (exit code, HTTP status, tool result).
type Kind string

// The kinds of error.
const (
	Invalid   Kind = "invalid"   // the request cannot be read
	NotFound  Kind = "not_found" // nothing has that name
	Blocked   Kind = "blocked"   // refused by policy or guard
	TooLarge  Kind = "too_large"
	Timeout   Kind = "timeout"
	Upstream  Kind = "upstream"  // another server failed
	Conflict  Kind = "conflict"  // another writer, another source
	Damaged   Kind = "damaged"   // stored data does not hold together
	Exhausted Kind = "exhausted" // disk full, quota
	Internal  Kind = "internal"
)

// Error tells what happened and what the caller can try next.
type Error struct {
	Kind    Kind
	Message string
	Fixes   []string // each a complete sentence or command
	Nearest []string // candidates when a name was not found
	Err     error    // cause, may be nil
}

// Errorf makes an Error of the given kind. A %w verb in format keeps the cause.
func Errorf(kind Kind, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Kind: kind, Message: err.Error(), Err: errors.Unwrap(err)}
}

// Fix adds what the caller may try next and returns e.
func (e *Error) Fix(format string, args ...any) *Error {
	e.Fixes = append(e.Fixes, fmt.Sprintf(format, args...))
	return e
}

// Near sets the nearest known names and returns e.
func (e *Error) Near(names ...string) *Error {
	e.Nearest = names
	return e
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of the first Error in err's chain, Internal if there
// is none, and "" for nil.
func KindOf(err error) Kind {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

// Hints returns the lines that tell a user what to do about err: its fixes and
// the nearest names.
func Hints(err error) []string {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return nil
	}
	hints := append([]string(nil), e.Fixes...)
	if len(e.Nearest) > 0 {
		hints = append(hints, "did you mean "+strings.Join(e.Nearest, ", ")+"?")
	}
	return hints
}
