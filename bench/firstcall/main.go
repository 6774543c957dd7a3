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
			"The servers: the official Go SDK with a typed handler (`mcp.AddTool`), which validates by the schema; the same with raw arguments (`Server.AddTool`), whose handler decodes them into a struct; " +
			"mcp-go with `WithInputSchemaValidation`; and Evergreen as a gateway in front of the first. All schemas are the same. " +
			"A peer wins where strictness is wanted: a server for one careful program loses nothing by refusing.",
	}, measure)
}

func measure(ctx context.Context, s *study.Study) error {
	all, closeAll, err := contenders(ctx, s)
	defer closeAll()
	if err != nil {
		return err
	}
	t := report.Table{Columns: []string{"call"}}
	succeeded := make([]int, len(all))
	for _, c := range all {
		t.Columns = append(t.Columns, c.title)
	}
	for _, shape := range shapes {
		row := []string{shape.what}
		for i, c := range all {
			ok, err := call(ctx, c.url, shape.params)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", c.title, shape.what, err)
			}
			cell := "fails"
			if ok {
				succeeded[i]++
				cell = "ok"
			}
			row = append(row, cell)
		}
		t.Add(row...)
	}
	row := []string{"**succeed**"}
	for _, n := range succeeded {
		row = append(row, fmt.Sprintf("**%d of %d**", n, len(shapes)))
	}
	t.Add(row...)
	s.Table(t)
	return nil
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

// call posts a call and reports whether the tool answered to what was meant.
func call(ctx context.Context, url, params string) (bool, error) {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + `}`
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return false, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	r, err := http.DefaultClient.Do(request)
	if err != nil {
		return false, err
	}
	raw, err := io.ReadAll(r.Body)
	if err := errors.Join(err, r.Body.Close()); err != nil {
		return false, err
	}
	var answer struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	if json.Unmarshal(raw, &answer) != nil {
		return false, nil // refused in plain text
	}
	texts := answer.Result.Content
	return !answer.Result.IsError && len(texts) > 0 && texts[0].Text == found, nil
}
