package calls

// This file finds out what a library offers to ask about, by asking it.

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"evergreen/bench/internal/endpoint"
)

// Gather asks for the sections and documents that the queries lead to.
func Gather(ctx context.Context, e endpoint.Endpoint, repo string, queries []string) (Material, error) {
	m := Material{Repo: repo, Queries: queries}
	seen := map[string]bool{}
	for _, q := range queries {
		a, err := e.Call(ctx, "search_sections", map[string]any{"query": q, "repo": repo, "limit": 2})
		if err != nil {
			return m, err
		}
		var found struct{ Hits []struct{ ID string } }
		if err := json.Unmarshal(a.Meta, &found); err != nil {
			return m, fmt.Errorf("search_sections: %w", err)
		}
		for _, h := range found.Hits {
			if path, ok := pathOf(h.ID); ok && !seen[h.ID] {
				seen[h.ID] = true
				m.IDs = append(m.IDs, h.ID)
				if !seen[path] {
					seen[path] = true
					m.Paths = append(m.Paths, path)
				}
			}
		}
	}
	if len(m.IDs) == 0 {
		return m, fmt.Errorf("no query finds anything in %s", repo)
	}
	return m, nil
}

func pathOf(id string) (string, bool) {
	parts := strings.Split(id, "::")
	if len(parts) != 3 {
		return "", false
	}
	return parts[1], true
}

// SmallFolder writes a folder that the tools may index: a few documents, and
// dead links that a report has to name.
func SmallFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for i := range 3 {
		body := fmt.Sprintf("# Document %d\n\nText of document %d.\n", i, i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("document-%d.md", i)), []byte(body), 0o644); err != nil {
			return err
		}
	}
	for i := range 40 {
		// A system without symbolic links has fewer files to skip.
		_ = os.Symlink("nowhere.md", filepath.Join(dir, fmt.Sprintf("a-link-that-leads-nowhere-%02d.md", i)))
	}
	return nil
}
