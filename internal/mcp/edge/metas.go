package edge

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// This file remembers the _meta of calls: a client sends the same one with each
// of its requests, and reading it takes longer than all else of a small call.

// metas are the latest _meta objects, each in the place that its bytes choose. It
// is safe for concurrent use.
type metas struct {
	seed   maphash.Seed
	places [metaPlaces]atomic.Pointer[readMeta]
}

func newMetas() *metas { return &metas{seed: maphash.MakeSeed()} }

// readMeta is one _meta, and what was read of it.
type readMeta struct {
	raw   []byte
	meta  mcp.Meta // shared by the calls that bring it; nil when it cannot be read
	sound bool     // it is what the modern era asks of a request
}

// of reads the _meta of a message.
func (c *metas) of(m *message, raw json.RawMessage) *readMeta {
	if len(raw) > maxMeta {
		return read(m, raw)
	}
	place := &c.places[maphash.Bytes(c.seed, raw)%metaPlaces]
	if known := place.Load(); known != nil && bytes.Equal(known.raw, raw) {
		return known
	}
	r := read(m, raw)
	r.raw = bytes.Clone(raw)
	place.Store(r)
	return r
}

// read takes a _meta apart.
func read(m *message, raw json.RawMessage) *readMeta {
	r := &readMeta{sound: m.sound()}
	if m.meta == nil || json.Unmarshal(raw, &r.meta) != nil {
		r.meta = nil
	}
	return r
}

// sound reports whether _meta is what the modern era asks of a request.
func (m *message) sound() bool {
	if m.version() != ModernVersion {
		return false
	}
	if client, given := m.meta.Find(metaClient); given {
		var info *mcp.Implementation
		if json.Unmarshal(client, &info) != nil || info == nil {
			return false
		}
	}
	var capabilities *mcp.ClientCapabilities
	return json.Unmarshal(m.meta.Get(metaCapabilities), &capabilities) == nil && capabilities != nil
}
