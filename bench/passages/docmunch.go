package main

// This file asks docmunch, an npm package that keeps a site as folders of
// Markdown: it finds pages by MiniSearch and reads them whole.

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"evergreen/bench/internal/data"
	"evergreen/bench/internal/peer"
)

// docmunchVersion is the one that was the newest when this was written.
const docmunchVersion = "0.3.3"

// docmunch searches, then reads the pages of the hits in order until the right
// one.
func docmunch(ctx context.Context, folder peer.Folder, docs string, pages []data.Page, t task) ([]way, error) {
	if err := fetched(docs, pages); err != nil {
		return nil, err
	}
	serve := func() (*peer.Server, error) {
		return peer.Serve(folder.File(ctx, "node_modules/docmunch/dist/cli.mjs", "serve", "--dir", docs))
	}
	w := way{name: "docmunch, search and read pages", tokens: make([]int, len(t.queries))}
	err := several(len(t.queries), serve, func(server *peer.Server, i int) error {
		q := t.queries[i]
		answer, err := server.Call("search_docs", map[string]any{"query": q.Text, "limit": mostHits})
		if err != nil {
			return err
		}
		var hits []struct{ Path string }
		if err := json.Unmarshal([]byte(answer), &hits); err != nil {
			return err
		}
		files := make([]string, min(len(hits), mostPages))
		for k := range files {
			files[k] = hits[k].Path
		}
		read := t.count(answer)
		for _, file := range files[:rightAt(t, q, files)] {
			text, err := server.Call("read_page", map[string]any{"source": source, "path": file})
			if err != nil {
				return err
			}
			read += t.count(text)
			w.tokens[i] = read
		}
		return nil
	})
	return []way{w}, err
}

// source is what docmunch calls the site.
const source = "k8s"

// fetched writes pages as docmunch does when it has fetched a site: a manifest
// of sites, and for each an index of its pages beside them.
func fetched(docs string, pages []data.Page) error {
	type entry struct {
		Title string `json:"title"`
		Path  string `json:"path"`
	}
	var entries []entry
	for _, p := range pages {
		entries = append(entries, entry{titleOf(p), p.FileName()})
	}
	folder := filepath.Join(docs, source)
	if err := data.WritePages(folder, pages); err != nil {
		return err
	}
	for file, manifest := range map[string]any{
		filepath.Join(docs, "manifest.json"): map[string]any{"sources": []any{map[string]any{"name": source, "path": source}}},
		filepath.Join(folder, "_index.json"): map[string]any{"name": source, "pages": entries},
	} {
		raw, err := json.Marshal(manifest)
		if err != nil {
			return err
		}
		if err := os.WriteFile(file, raw, 0o644); err != nil {
			return err
		}
	}
	return nil
}
