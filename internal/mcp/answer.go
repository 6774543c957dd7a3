package mcp

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"evergreen"
	"evergreen/internal/text"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// answer is what a tool says: the text that a model reads, and metadata about
// it that repeats no body.
type answer struct {
	text  string
	meta  any
	fault bool // the tool could not do what was asked

	whole *sdk.CallToolResult // another server's result, instead of all this
}

func (a answer) result() *sdk.CallToolResult {
	if a.whole != nil {
		return a.whole
	}
	return &sdk.CallToolResult{
		Content:           []sdk.Content{&sdk.TextContent{Text: a.text}},
		StructuredContent: a.meta,
		IsError:           a.fault,
	}
}

// faultMeta is the metadata of a failed call.
type faultMeta struct {
	Error   evergreen.Kind `json:"error"`
	Nearest []string       `json:"nearest,omitempty"`
}

// faultAnswer is the one place where an error becomes words for an agent: what
// is wrong, the nearest names, what to try, and one right call of t. Errors
// that are not ours are logged by the caller and not shown.
func (s *Server) faultAnswer(t tool, err error) answer {
	kind := evergreen.KindOf(err)
	message, fixes, nearest := err.Error(), []string(nil), []string(nil)
	if e, ok := asError(err); ok {
		fixes, nearest = e.Fixes, e.Nearest
	} else {
		message = "the call failed inside the server; its log says why"
	}
	nearest = nearest[:min(len(nearest), nearestNames)]
	parts := []string{t.name + ": " + clip(message, faultBudget/2, s.count)}
	if len(nearest) > 0 {
		parts = append(parts, "Nearest: "+strings.Join(nearest, ", "))
	}
	if kind == evergreen.Invalid || kind == evergreen.NotFound {
		parts = append(parts, "Example: "+t.name+" "+t.example)
	}
	for _, f := range fixes {
		if f = s.forAgents(f); f != "" {
			parts = append(parts, "Try: "+f)
		}
	}
	return answer{text: s.lines(faultBudget, parts), meta: faultMeta{kind, nearest}, fault: true}
}

// lines joins the parts that fit into budget, the first ones first.
func (s *Server) lines(budget int, parts []string) string {
	out := ""
	for _, p := range parts {
		longer := p
		if out != "" {
			longer = out + "\n" + p
		}
		if s.count(longer) <= budget {
			out = longer
		}
	}
	if out == "" && len(parts) > 0 {
		return clip(parts[0], budget, s.count)
	}
	return out
}

// fit returns the answer that shows as much as its size allows: compose(n) for
// n = all, or for the largest n found by halving whose text is within budget.
// compose(0) is cut when even that is too long.
func fit(budget, all int, size text.Estimator, compose func(shown int) string) (string, int) {
	if out := compose(all); size(out) <= budget {
		return out, all
	}
	out, shown := compose(0), 0
	if size(out) > budget {
		return clip(out, budget, size), 0
	}
	for beyond := all; beyond-shown > 1; {
		middle := shown + (beyond-shown)/2
		if longer := compose(middle); size(longer) <= budget {
			out, shown = longer, middle
		} else {
			beyond = middle
		}
	}
	return out, shown
}

// fitList is fit for head, the first of n lines, and a tail that says what is
// missing. No more lines are written than could fit.
func fitList(budget, n int, size text.Estimator, head string, line, tail func(int) string) (string, int) {
	var b strings.Builder
	ends := []int{0}
	for i, least := 0, 0; i < n && least <= budget; i++ {
		l := line(i)
		b.WriteString(l)
		ends = append(ends, b.Len())
		least += size(l) - 1 // estimates are rounded up
	}
	lines := b.String()
	return fit(budget, len(ends)-1, size, func(shown int) string {
		return head + lines[:ends[shown]] + tail(shown)
	})
}

// clip cuts s to at most budget, between code points, and marks the cut.
func clip(s string, budget int, size text.Estimator) string {
	if size(s) <= budget {
		return s
	}
	const mark = "…"
	low, high := 0, len(s)
	for high-low > 1 {
		if middle := low + (high-low)/2; size(cut(s, middle)+mark) <= budget {
			low = middle
		} else {
			high = middle
		}
	}
	return cut(s, low) + mark
}

// cut returns the first n bytes of s, less what would split a code point.
func cut(s string, n int) string {
	if n >= len(s) {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// cutLine is cut, at the end of a line when that loses less than a quarter.
func cutLine(s string, n int) string {
	if n >= len(s) {
		return s
	}
	head := cut(s, n)
	if i := strings.LastIndexByte(head, '\n'); i >= len(head)*3/4 && i > 0 {
		return head[:i+1]
	}
	return head
}

// note adds a remark to a text that was cut, set off by a blank line.
func note(body, remark string) string {
	switch {
	case strings.HasSuffix(body, "\n\n"):
	case strings.HasSuffix(body, "\n"):
		body += "\n"
	default:
		body += "\n\n"
	}
	return body + "> " + remark
}

// byteSize measures answers that are bounded in bytes.
func byteSize(s string) int { return len(s) }

// oneLine makes a title or snippet safe to stand in a list.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// brief is what metadata repeats of a text that the caller sent.
func brief(asked string) string {
	n := 0
	for i := range asked {
		if n == echoRunes {
			return asked[:i]
		}
		n++
	}
	return asked
}

// echo repeats what was asked, short and on one line.
func (s *Server) echo(asked string) string { return clip(oneLine(asked), echoTokens, s.count) }

// callText writes a call as an agent can copy it.
func callText(tool string, arguments any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(arguments) != nil {
		return tool
	}
	return tool + " " + strings.TrimSuffix(b.String(), "\n")
}

// nonNil keeps an empty list an array in JSON.
func nonNil[T any](list []T) []T {
	return slices.Clip(append([]T{}, list...))
}
