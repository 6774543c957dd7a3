// Package docs carries Evergreen's own documentation and knowledge base inside
// the binary, so that a server without any source has something true to answer
// from. It holds content only; reading and indexing it is the engine's work.
package docs

import "embed"

// Files holds the Markdown documents and KnowledgeFile.
//
//go:embed *.md adr/*.md context.json
var Files embed.FS

// KnowledgeFile is the knowledge base within Files. It is licensed under
// CC-BY-4.0.
const KnowledgeFile = "context.json"
