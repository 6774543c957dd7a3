package mcp

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"

	"evergreen"
)

// A page cursor names a place inside one of the engine's pages: how many of its
// items were shown, the state of the library that they were counted in, and the
// cursor the page was read with. When a page was shown whole the engine's own
// cursor, which holds that state too, goes out as it is, so cursors of the
// command line work here too.

// pageOf is one of the engine's pages while it is fitted into a budget.
type pageOf struct {
	items   int    // still to show
	skipped int    // shown by an earlier answer
	read    string // cursor the page was read with
	after   string // cursor of the engine's next page
	state   string // of the library, in the short form of stateOf
}

// stateOf shortens the engine's revision to what a cursor carries.
func stateOf(revision string) string {
	sum := sha256.Sum256([]byte(revision))
	return hex.EncodeToString(sum[:4])
}

// more tells whether something follows the first n items.
func (p pageOf) more(n int) bool { return n < p.items || p.after != "" }

// stuck tells that not even one item fits, so that going on would not help.
func (p pageOf) stuck(n int) bool { return n == 0 && p.items > 0 }

// next is the cursor of what follows the first n items; "" ends, or is stuck.
func (p pageOf) next(n int) string {
	switch {
	case p.stuck(n):
		return ""
	case n < p.items:
		return strconv.Itoa(p.skipped+n) + "~" + p.state + "~" + p.read
	}
	return p.after
}

// splitCursor takes a page cursor apart that was given in the same state of the
// library. Any other text is an engine's cursor.
func splitCursor(cursor, state string) (engineCursor string, skip int, err error) {
	head, rest, ok := strings.Cut(cursor, "~")
	if !ok {
		return cursor, 0, nil
	}
	given, rest, ok := strings.Cut(rest, "~")
	skip, err = strconv.Atoi(head)
	switch {
	case !ok || err != nil || skip < 0 || skip > 2*outlinePage:
		return "", 0, badCursor()
	case given != state:
		return "", 0, evergreen.Errorf(evergreen.Conflict, "the library has changed since this `cursor` was given").
			Fix("leave `cursor` out to start over")
	}
	return rest, skip, nil
}

// keyCursor writes a cursor that goes on after a key, whatever was added or
// removed meanwhile.
func keyCursor(key ...string) string {
	b, err := json.Marshal(key)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// splitKey undoes keyCursor; an empty cursor gives n empty strings.
func splitKey(cursor string, n int) ([]string, error) {
	if cursor == "" {
		return make([]string, n), nil
	}
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return nil, badCursor()
	}
	var key []string
	if json.Unmarshal(b, &key) != nil || len(key) != n {
		return nil, badCursor()
	}
	return key, nil
}

func badCursor() error {
	return evergreen.Errorf(evergreen.Invalid, "the `cursor` is not one of ours").
		Fix("leave `cursor` out to start from the beginning")
}
