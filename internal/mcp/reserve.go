package mcp

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// This file keeps room in an answer for what middleware says behind it, so that
// both together are within what the caller wants to pay.

// reserveHeader carries the room from Reserve to the tool: tokens and bytes.
const reserveHeader = "Evergreen-Reserve"

// Reserve has the tool that r calls leave room for text within its budget or
// max_bytes, as a further block of its answer. Without text, what the header may
// hold from outside is taken away.
func (s *Server) Reserve(r *sdk.CallToolRequest, text string) {
	if r.Extra == nil {
		if text == "" {
			return
		}
		r.Extra = &sdk.RequestExtra{}
	}
	if text == "" && r.Extra.Header.Get(reserveHeader) == "" {
		return
	}
	extra := *r.Extra
	if extra.Header = extra.Header.Clone(); extra.Header == nil {
		extra.Header = http.Header{}
	}
	extra.Header.Del(reserveHeader)
	if text != "" {
		text = "\n" + text // as clients join blocks
		extra.Header.Set(reserveHeader, fmt.Sprintf("%d %d", s.count(text), len(text)))
	}
	r.Extra = &extra
}

// reserve is the room to leave.
type reserve struct{ tokens, bytes int }

func reserveOf(extra *sdk.RequestExtra) reserve {
	if extra == nil {
		return reserve{}
	}
	tokens, bytes, _ := strings.Cut(extra.Header.Get(reserveHeader), " ")
	t, err1 := strconv.Atoi(tokens)
	b, err2 := strconv.Atoi(bytes)
	if err1 != nil || err2 != nil {
		return reserve{}
	}
	return reserve{max(t, 0), max(b, 0)}
}

// less takes the reserve off a bound, but for a part that every answer needs to
// say anything.
func less(bound, reserved int) int { return max(bound-reserved, bound/leastShare) }

// Budget is the tokens of the tool's own text: as asked, clamped, and less what
// is reserved.
func (c *call) Budget(fallback int) int {
	c.most = less(c.Reader.Budget(fallback), c.reserve.tokens)
	return c.most
}

// maxBytes is how many bytes a section's own text may have, and room how many
// the whole answer: no less than floorBytes, and less what is reserved.
func (c *call) maxBytes() (body, room int) {
	limit := byteLimit(c.Number("max_bytes", defaultBytes, math.MinInt32, math.MaxInt32))
	room = less(max(limit, floorBytes), c.reserve.bytes)
	return min(limit, room), room
}

// within cuts what a tool says to the room that a reserve leaves. Tools keep to
// their budget themselves; this holds the faults, and the smallest budgets.
func (s *Server) within(c *call, a answer) answer {
	most := c.most
	if most == 0 && a.fault {
		most = less(faultBudget, c.reserve.tokens)
	}
	if c.reserve.tokens > 0 && most > 0 && a.whole == nil {
		a.text = clip(a.text, most, s.count)
	}
	return a
}
