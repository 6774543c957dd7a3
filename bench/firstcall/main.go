// Firstcall counts the ways of calling a tool that succeed at once: at servers
// built with the SDKs, and with Evergreen in front of one of them.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"evergreen/bench/internal/program"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

func main() {
	study.Main("firstcall", "First calls", []string{
		"How many of the ways in which agents call a tool succeed at the first call?",
		"A search tool with one required and five optional arguments, and " + strconv.Itoa(len(shapes)) + " ways to call it that public reports show: " +
			"other spellings of its name, the call or its arguments in another envelope, arguments as text, other names and types of arguments. Each is posted as it is, over HTTP in the older era. " +
			"A call succeeds when the tool ran with the query that was meant. " +
			"All schemas are the same. Beside them stand calls that the schema forbids and that have no single reading.",
	}, measure)
}

func measure(ctx context.Context, s *study.Study) error {
	s.Peers(standing()...)
	all, closeAll, err := contenders(ctx, s)
	defer closeAll()
	if err != nil {
		return err
	}
	meant, err := try(ctx, all, shapes, "ok", "fails", func(a answered) bool { return a.meant })
	if err != nil {
		return err
	}
	meant.Heading = "Calls whose meaning is clear"
	s.Table(meant)
	refused, err := try(ctx, all, forbidden, "refused", "runs", func(a answered) bool { return !a.ran })
	if err != nil {
		return err
	}
	refused.Heading = "Calls that the schema forbids"
	s.Table(refused)
	return nil
}

// try calls every server in every shape; good is what is wanted of an answer.
func try(ctx context.Context, all []contender, calls []shape, yes, no string, good func(answered) bool) (report.Table, error) {
	t := report.Table{Columns: []string{"call"}}
	succeeded := make([]int, len(all))
	contest := &report.Contest{Each: "call", Of: "outcome", Format: func(x float64) string { return map[float64]string{0: no, 1: yes}[x] }}
	for _, c := range all {
		t.Columns = append(t.Columns, c.title)
	}
	for _, shape := range calls {
		row := []string{shape.what}
		for i, c := range all {
			a, err := call(ctx, c.url, shape.params)
			if err != nil {
				return t, fmt.Errorf("%s, %s: %w", c.title, shape.what, err)
			}
			cell, value := no, 0.
			if good(a) {
				succeeded[i]++
				cell, value = yes, 1
			}
			contest.Put(c.title, shape.what, value)
			row = append(row, cell)
		}
		t.Add(row...)
	}
	row := []string{"**" + yes + "**"}
	if yes == "ok" {
		row[0] = "**succeed**"
	}
	for _, n := range succeeded {
		row = append(row, fmt.Sprintf("**%d of %d**", n, len(calls)))
	}
	t.Add(row...)
	t.Note = report.Wins(all[0].title, contest)
	return t, nil
}

// contenders starts all servers.
func contenders(ctx context.Context, s *study.Study) ([]contender, func(), error) {
	all, closeAll := peers()
	strict := all[0].url
	config, err := json.Marshal(map[string]any{"gateway": map[string]any{"upstreams": map[string]any{
		"searx": map[string]any{"url": strict, "prefix": "", "class": "read"}}}})
	if err != nil {
		return nil, closeAll, err
	}
	file := filepath.Join(s.Work, "firstcall.json")
	if err := os.WriteFile(file, config, 0o600); err != nil {
		return nil, closeAll, err
	}
	var server *program.Server
	if server, err = s.Program.Serve(ctx, s.Work, "--config", file, "--library", filepath.Join(s.Work, "library-firstcall")); err != nil {
		return nil, closeAll, err
	}
	ours := contender{"Evergreen before it", server.URL + "/mcp"}
	return append([]contender{ours}, all...), func() { _ = server.Stop(); closeAll() }, nil
}

// answered is what came of a call.
type answered struct {
	ran   bool // the tool was called and did not complain
	meant bool // with the query that was meant
}

// call posts a call.
func call(ctx context.Context, url, params string) (a answered, err error) {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + `}`
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return a, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	r, err := http.DefaultClient.Do(request)
	if err != nil {
		return a, err
	}
	raw, err := io.ReadAll(r.Body)
	if err := errors.Join(err, r.Body.Close()); err != nil {
		return a, err
	}
	var answer struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	if json.Unmarshal(raw, &answer) != nil {
		return a, nil // refused in plain text
	}
	texts := answer.Result.Content
	a.ran = !answer.Result.IsError && len(texts) > 0 && strings.HasPrefix(texts[0].Text, "found ")
	a.meant = a.ran && texts[0].Text == found
	return a, nil
}
