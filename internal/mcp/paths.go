package mcp

import (
	"context"
	"slices"
	"sync"

	"evergreen"
)

// pathCache holds the document paths of the collection that was listed last,
// since clients page through a list and complete letter by letter. One revision
// of one collection is kept.
type pathCache struct {
	mu         sync.Mutex
	collection string
	revision   string
	paths      []string
}

// documents lists a collection's document paths in order. The caller must not
// change the result.
func (s *Server) documents(ctx context.Context, collection string) ([]string, error) {
	p := &s.paths
	p.mu.Lock()
	defer p.mu.Unlock()
	revision := s.engine.Revision()
	if p.paths != nil && p.collection == collection && p.revision == revision {
		return p.paths, nil
	}
	paths := []string{}
	for cursor, first := "", true; first || cursor != ""; first = false {
		o, err := s.engine.Outline(ctx, evergreen.OutlineRequest{
			Collection: collection, Depth: 1, Limit: pathPage, NoKeywords: true, Cursor: cursor,
		})
		if err != nil {
			return nil, err
		}
		for _, d := range o.Documents {
			paths = append(paths, d.Path)
		}
		if o.NextCursor == cursor {
			break
		}
		cursor = o.NextCursor
	}
	slices.Sort(paths)
	paths = slices.Compact(paths) // a document can begin on one page and end on the next
	p.collection, p.revision, p.paths = collection, revision, paths
	return paths, nil
}
