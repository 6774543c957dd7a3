package site

// This file describes what is served at a path, and lists all of it.

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"path"
	"slices"
	"strings"
	"time"
)

// Media types, as sent.
const (
	typeJSON       = "application/json; charset=utf-8"
	typeText       = "text/plain; charset=utf-8"
	typeMarkdown   = "text/markdown; charset=utf-8"
	typeXML        = "application/xml; charset=utf-8"
	typeServerCard = "application/mcp-server-card+json"
	typeCatalog    = "application/ai-catalog+json"
	typeLinkset    = `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`
)

// Resource is one document of a site.
type Resource struct {
	Path     string    // from the site's root, decoded
	Aliases  []string  // further paths with the same bytes
	Type     string    // media type, with charset where it is text
	Modified time.Time // of the content, UTC; zero when not known

	// Streamed marks what may be large: write it to where it goes and do not
	// hold it. Its bytes are the same while the site's Revision and base are.
	Streamed bool
	// Page is set for the mirrors of pages.
	Page *Page
	// Named is the type to send instead when Accept names it, "" for none.
	Named string
	// Deprecated lists those of Aliases that are kept for old clients only.
	Deprecated []string

	write func(io.Writer) error
}

// WriteTo writes the document. Same site, same bytes.
func (r Resource) WriteTo(w io.Writer) (int64, error) {
	c := &countingWriter{w: w}
	err := r.write(c)
	return c.n, err
}

// Bytes returns the document whole. Streamed ones are better written.
func (r Resource) Bytes() ([]byte, error) {
	var b bytes.Buffer
	err := r.write(&b)
	return b.Bytes(), err
}

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// Lookup finds what is served at a decoded path: a document or a mirror. Pages
// themselves are found with PageAt.
func (s *Site) Lookup(path string) (Resource, bool) {
	if r, ok := s.fixed[path]; ok {
		return r, true
	}
	if p := s.pages.mirrorOf(path); p != nil {
		return s.mirror(p), true
	}
	if r, ok := s.part(path); ok {
		return r, true
	}
	return Resource{}, false
}

// Resources yields every document and mirror once, under its canonical path:
// what an export writes.
func (s *Site) Resources() iter.Seq[Resource] {
	return func(yield func(Resource) bool) {
		for _, path := range s.order {
			if !yield(s.fixed[path]) {
				return
			}
		}
		for _, path := range s.partPaths() {
			if r, ok := s.part(path); ok && !yield(r) {
				return
			}
		}
		for i := range s.pages.list {
			if s.pages.shown(i) && !yield(s.mirror(&s.pages.list[i])) {
				return
			}
		}
	}
}

// partPaths are the files that large documents are cut into.
func (s *Site) partPaths() []string {
	var paths []string
	for _, f := range s.index().files {
		paths = append(paths, f.path)
	}
	for _, f := range s.sitemaps()[1:] {
		paths = append(paths, "/"+f.Name)
	}
	parts, err := s.contexts()
	if err != nil {
		return paths // reading /context.json tells the error
	}
	for i := range parts {
		paths = append(paths, fmt.Sprintf(contextPartPath, i+1))
	}
	return paths
}

// part finds a file that a large document was cut into.
func (s *Site) part(path string) (Resource, bool) {
	switch {
	case strings.HasSuffix(path, ".txt"):
		return s.indexFile(path)
	case strings.HasPrefix(path, "/sitemap-"):
		return s.sitemapPart(path)
	case strings.HasPrefix(path, "/context/"):
		return s.contextPart(path)
	}
	return Resource{}, false
}

// Reserved reports whether a decoded path belongs to the layers rather than to
// pages, whatever a site holds: who puts the layers on a site built elsewhere
// asks it before anything else.
func Reserved(p string) bool {
	switch p {
	case "/llms-full.txt", "/context.json", "/schema/context.json", "/sitemap.xml", "/robots.txt", "/ai.txt", "/ai-policy.json",
		"/openapi.json", "/.well-known/api-catalog", cardPath, "/.well-known/agent.json", serverCardPath,
		"/.well-known/mcp/server-card.json", "/.well-known/mcp.json", "/.well-known/ard.json", catalogPath,
		"/.well-known/skills/index.json":
		return true
	}
	name := path.Base(p)
	return name == "llms.txt" || strings.HasPrefix(name, "llms-") && strings.HasSuffix(name, ".txt") ||
		strings.HasPrefix(p, "/.well-known/agent-skills/") || strings.HasPrefix(p, "/sitemap-") && strings.HasSuffix(p, ".xml") ||
		strings.HasPrefix(p, "/context/") && strings.HasSuffix(p, ".json")
}

// documents are the documents with a fixed path. Only what is true of this site
// is among them.
func (s *Site) documents() []Resource {
	docs := []Resource{
		{Path: "/llms.txt", Aliases: []string{"/.well-known/llms.txt"}, Type: s.indexType(), write: s.writeRoot},
		{Path: "/llms-full.txt", Type: s.indexType(), Streamed: true, write: func(w io.Writer) error { return s.WriteFull(w, Full{}) }},
		{Path: "/context.json", Type: typeJSON, Streamed: true, write: s.writeContext},
		{Path: "/schema/context.json", Type: typeJSON, write: writeContextSchema},
		{Path: "/sitemap.xml", Type: typeXML, write: s.writeSitemap},
		{Path: "/robots.txt", Type: typeText, write: s.writeRobots},
		{Path: "/ai.txt", Type: typeText, write: s.writeAITxt},
		{Path: "/ai-policy.json", Type: typeJSON, write: s.writeAIPolicy},
	}
	if len(s.o.Operations) > 0 {
		docs = append(docs, Resource{Path: "/openapi.json", Type: typeJSON, write: s.writeOpenAPI})
	}
	if s.api() || s.o.MCP != nil || s.o.A2A {
		docs = append(docs, Resource{Path: "/.well-known/api-catalog", Type: typeLinkset, write: s.writeAPICatalog})
	}
	if s.o.A2A {
		docs = append(docs, Resource{Path: cardPath, Aliases: []string{"/.well-known/agent.json"},
			Deprecated: []string{"/.well-known/agent.json"}, Type: typeJSON, write: s.writeAgentCard})
	}
	if s.o.MCP != nil {
		docs = append(docs,
			Resource{Path: serverCardPath, Type: typeServerCard, write: s.writeServerCard},
			Resource{Path: "/.well-known/mcp/server-card.json", Aliases: []string{"/.well-known/mcp.json"}, Type: typeJSON, write: s.writeServerCard})
	}
	if s.o.MCP != nil || s.o.A2A || s.hasSkill() {
		docs = append(docs, Resource{Path: "/.well-known/ard.json", Aliases: []string{catalogPath}, Type: typeJSON, Named: typeCatalog, write: s.writeCatalog})
	}
	if s.hasSkill() {
		docs = append(docs,
			Resource{Path: "/.well-known/agent-skills/index.json", Aliases: []string{"/.well-known/skills/index.json"}, Type: typeJSON, write: s.writeSkillIndex},
			Resource{Path: s.skillPath(), Type: typeMarkdown, write: func(w io.Writer) error { return writeAll(w, s.skill().text) }})
	}
	for i := range docs {
		docs[i].Modified = s.snap.Time().UTC().Truncate(time.Second)
	}
	return slices.Clip(docs)
}

func writeAll(w io.Writer, b []byte) error {
	_, err := w.Write(b)
	return err
}
