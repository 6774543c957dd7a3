package main

// This file reads whole pages.

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"strings"

	"evergreen/bench/internal/data"
	"evergreen/bench/internal/peer"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// longest is the most that mcp-server-fetch returns of a page.
const longest = 999_999

// wholePages reads the pages of each question in order until the right one,
// and the right one alone. Each page is fetched once.
func wholePages(ctx context.Context, folder peer.Folder, t task, pages []data.Page, order [][]string) ([]way, error) {
	site, err := siteOf(pages)
	if err != nil {
		return nil, err
	}
	defer site.Close()
	files := t.wanted(order)
	counts := make([]int, len(files))
	// The first call of all installs Readability.js; a second server may not
	// try the same meanwhile.
	err = several(len(files), func() (*peer.Server, error) {
		return peer.Serve(folder.Command(ctx, "mcp-server-fetch", "--allow-private-ips"))
	}, func(server *peer.Server, i int) error {
		text, err := server.Call("fetch", map[string]any{"url": site.URL + "/" + files[i], "max_length": longest})
		counts[i] = t.count(text)
		return err
	})
	if err != nil {
		return nil, err
	}
	tokens := map[string]int{}
	for i, file := range files {
		tokens[file] = counts[i]
	}
	inOrder := way{name: "whole pages, in Evergreen's order", tokens: make([]int, len(t.queries))}
	alone := way{name: "whole pages, the right one alone", tokens: make([]int, len(t.queries))}
	for i, q := range t.queries {
		read := 0
		for _, file := range order[i][:rightAt(t, q, order[i])] {
			read += tokens[file]
			if t.right(q, file) {
				inOrder.tokens[i], alone.tokens[i] = read, tokens[file]
			}
		}
	}
	return []way{inOrder, alone}, nil
}

// wanted are the pages that are read for any question, each once.
func (t task) wanted(order [][]string) (files []string) {
	seen := map[string]bool{}
	for i, q := range t.queries {
		for _, file := range order[i][:rightAt(t, q, order[i])] {
			if !seen[file] {
				seen[file] = true
				files = append(files, file)
			}
		}
	}
	return files
}

// rightAt is how many pages must be read, 0 when the right one is not among
// them.
func rightAt(t task, q data.Judged, files []string) int {
	for i, file := range files {
		if t.right(q, file) {
			return i + 1
		}
	}
	return 0
}

// titleOf is the first heading of a page.
func titleOf(p data.Page) string {
	title, _, _ := strings.Cut(strings.TrimLeft(p.Markdown, "# "), "\n")
	return title
}

// siteOf serves pages over loopback as a generator would: a title, navigation,
// the content.
func siteOf(pages []data.Page) (*httptest.Server, error) {
	rendered := map[string][]byte{}
	for _, p := range pages {
		var b bytes.Buffer
		if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(p.Markdown), &b); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		title := titleOf(p)
		rendered["/"+p.FileName()] = []byte("<!doctype html><html lang=en><head><meta charset=utf-8><title>" + html.EscapeString(title) +
			"</title></head><body><nav><a href=/>Home</a></nav><main><article>" + b.String() + "</article></main></body></html>")
	}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := rendered[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page) // a client that leaves is no fault of ours
	})), nil
}
