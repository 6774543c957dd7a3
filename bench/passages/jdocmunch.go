package main

// This file asks jdocmunch-mcp, a server that splits documentation into
// sections too.

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"

	"evergreen/bench/internal/peer"
)

// jdocmunchVersion is the one that was the newest when this was written.
const jdocmunchVersion = "1.150.1"

// snippet is how many bytes of each hit the search itself returns in the
// second way.
const snippet = 1000

// repo is what jdocmunch calls the folder.
const repo = "local/k8s"

func jdocmunch(ctx context.Context, folder peer.Folder, storage string, t task) ([]way, error) {
	if err := os.RemoveAll(storage); err != nil {
		return nil, err
	}
	serve := func() (*peer.Server, error) {
		cmd := folder.Command(ctx, "jdocmunch-mcp")
		cmd.Env = append(os.Environ(), "DOC_INDEX_PATH="+storage, "JDOCMUNCH_SHARE_SAVINGS=0")
		return peer.Serve(cmd)
	}
	if err := index(serve, t.folder); err != nil {
		return nil, err
	}
	read := way{name: "jdocmunch-mcp, search and read", tokens: make([]int, len(t.queries))}
	once := way{name: "jdocmunch-mcp, search with snippets", tokens: make([]int, len(t.queries))}
	err := several(len(t.queries), serve, func(server *peer.Server, i int) (err error) {
		q := t.queries[i]
		right := func(file string) bool { return t.right(q, file) }
		if read.tokens[i], err = searchAndRead(server, t, q.Text, right); err == nil {
			once.tokens[i], err = searchOnce(server, t, q.Text, right)
		}
		return err
	})
	return []way{read, once}, err
}

// index has the peer index a folder.
func index(serve func() (*peer.Server, error), folder string) error {
	server, err := serve()
	if err != nil {
		return err
	}
	if _, err := server.Call("index_local", map[string]any{"path": folder, "name": "k8s", "use_ai_summaries": false, "use_embeddings": false}); err != nil {
		return err
	}
	_, err = server.Stop()
	return err
}

// row is one hit; raw is the row as it came.
type row struct {
	ID      string `json:"id"`
	DocPath string `json:"doc_path"`
	Snippet string `json:"snippet"`
	raw     int
}

func search(server *peer.Server, query string, snippet int) (answer string, rows []row, err error) {
	arguments := map[string]any{"repo": repo, "query": query, "max_results": mostHits, "compact": true}
	if snippet > 0 {
		arguments["snippet_bytes"] = snippet
	}
	answer, err = server.Call("search_sections", arguments)
	if err != nil {
		return "", nil, err
	}
	var found struct{ Results []json.RawMessage }
	if err := json.Unmarshal([]byte(answer), &found); err != nil {
		return "", nil, err
	}
	end := 0
	for _, raw := range found.Results {
		r := row{}
		if err := json.Unmarshal(raw, &r); err != nil {
			return "", nil, err
		}
		end += len(raw) + 1
		r.raw = end
		rows = append(rows, r)
	}
	return answer, rows, nil
}

// searchAndRead counts the search's answer and every section up to the right
// one.
func searchAndRead(server *peer.Server, t task, query string, right func(string) bool) (int, error) {
	answer, rows, err := search(server, query, 0)
	if err != nil {
		return 0, err
	}
	if !slices.ContainsFunc(rows, func(r row) bool { return right(r.DocPath) }) {
		return 0, nil
	}
	read := t.count(answer)
	for _, r := range rows {
		text, err := server.Call("get_section", map[string]any{"repo": repo, "section_id": r.ID})
		if err != nil {
			return 0, err
		}
		if read += t.count(text); right(r.DocPath) {
			return read, nil
		}
	}
	return 0, nil
}

// searchOnce counts the answer up to the end of the right hit. Bytes tell where
// that is: rows follow one another, after a head that counts too.
func searchOnce(server *peer.Server, t task, query string, right func(string) bool) (int, error) {
	answer, rows, err := search(server, query, snippet)
	if err != nil {
		return 0, err
	}
	for _, r := range rows {
		if right(r.DocPath) && r.Snippet != "" {
			return t.count(answer[:min(len(answer), headOf(answer)+r.raw)]), nil
		}
	}
	return 0, nil
}

// headOf is how many bytes of an answer stand before its rows.
func headOf(answer string) int {
	const rows = `"results":[`
	return max(0, strings.Index(answer, rows)+len(rows))
}
