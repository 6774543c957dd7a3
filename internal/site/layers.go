package site

// This file measures what the layers cost: the cheap part of the metrics, taken
// from the documents as they are written.

import (
	"strings"
)

// Layer is one document of a layer and its size.
type Layer struct {
	Layer  string `json:"layer"` // L1 to L7
	Path   string `json:"path"`
	Tokens int    `json:"tokens"`
	Bytes  int64  `json:"bytes"`
}

// Layers measures every document with a fixed path. Mirrors count as one line,
// under "*.html.md".
func (s *Site) Layers() ([]Layer, error) {
	var layers []Layer
	for _, path := range s.order {
		c := &tokenWriter{count: s.o.Count}
		n, err := s.fixed[path].WriteTo(c)
		if err != nil {
			return nil, err
		}
		layers = append(layers, Layer{layerOf(path), path, c.tokens, n})
	}
	mirrors := Layer{Layer: "L2", Path: "*.html.md"}
	for i := range s.pages.list {
		if !s.pages.shown(i) {
			continue
		}
		c := &tokenWriter{count: s.o.Count}
		n, err := s.mirror(&s.pages.list[i]).WriteTo(c)
		if err != nil {
			continue // a page that cannot be read is told of where it is read
		}
		mirrors.Tokens += c.tokens
		mirrors.Bytes += n
	}
	return append(layers, mirrors), nil
}

// layerOf names the layer that a document belongs to.
func layerOf(path string) string {
	switch {
	case strings.HasPrefix(path, "/llms"):
		return "L1"
	case path == "/context.json", path == "/schema/context.json", path == "/openapi.json":
		return "L3"
	case path == cardPath:
		return "L4"
	case strings.HasPrefix(path, "/mcp"), strings.HasPrefix(path, "/.well-known/mcp"), strings.HasPrefix(path, "/.well-known/agent-skills"):
		return "L5"
	}
	return "L7"
}
