package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"evergreen"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// markdownType is what every resource is served as.
const markdownType = "text/markdown"

func (s *Server) addResources() {
	s.mcp.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: documentTemplate, Name: "document", Title: "Document", MIMEType: markdownType,
		Description: "A document of a collection as Markdown.",
	}, s.readDocument)
	s.mcp.AddResource(s.skill.resource(), s.readSkill)
}

// readDocument answers resources/read for documents.
func (s *Server) readDocument(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	collection, docPath, ok := splitURI(r.Params.URI)
	if !ok {
		return nil, resourceFault(r.Params.URI, nil)
	}
	d, body, err := s.engine.Document(ctx, collection, docPath)
	if err != nil {
		return nil, resourceFault(r.Params.URI, err)
	}
	content := string(body)
	if len(content) > maxResourceBytes {
		content = cutLine(content, maxResourceBytes)
		content = note(content, fmt.Sprintf("%d of %d bytes shown. Read the rest by section: get_toc, then get_section.\n", len(content), len(body)))
	}
	return &sdk.ReadResourceResult{
		Cacheable: s.cacheable(readTTL),
		Contents: []*sdk.ResourceContents{{
			URI: r.Params.URI, MIMEType: markdownType, Text: content, Meta: documentMeta(d, len(body)),
		}},
	}, nil
}

func documentMeta(d evergreen.Document, size int) sdk.Meta {
	m := sdk.Meta{"evergreen/bytes": size, "evergreen/title": d.Title}
	if date := lastModified(d); date != "" {
		m["evergreen/lastModified"] = date
	}
	return m
}

// lastModified is what the document itself says, else when it was fetched.
func lastModified(d evergreen.Document) string { return cmp.Or(d.Meta.Updated, d.Meta.FetchedAt) }

// resourceFault is the protocol's error for a URI that names nothing, with the
// nearest names; faults of our own storage stay internal errors.
func resourceFault(uri string, err error) error {
	kind := evergreen.KindOf(err)
	if err != nil && kind != evergreen.NotFound && kind != evergreen.Invalid {
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the resource cannot be read now"}
	}
	message, nearest := "Resource not found", []string(nil)
	if e, ok := asError(err); ok && len(e.Nearest) > 0 {
		nearest = e.Nearest[:min(nearestNames, len(e.Nearest))]
		message += "; nearest: " + strings.Join(nearest, ", ")
	}
	data, err := json.Marshal(struct {
		URI     string   `json:"uri"`
		Nearest []string `json:"nearest,omitempty"`
	}{uri, nearest})
	if err != nil {
		data = nil
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message, Data: data}
}

// listResources answers resources/list from the index: the skill first, then
// every document of every collection in order. It replaces the SDK's list,
// which would hold all of it in memory, so it sets the cache fields itself.
func (s *Server) listResources(ctx context.Context, cursor string) (*sdk.ListResourcesResult, error) {
	after, err := splitKey(cursor, 2)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	all, err := s.engine.Collections(ctx)
	if err != nil {
		return nil, listFault(err)
	}
	slices.SortFunc(all, func(a, b evergreen.Collection) int { return strings.Compare(a.Name, b.Name) })
	out := &sdk.ListResourcesResult{Cacheable: s.cacheable(listTTL), Resources: []*sdk.Resource{}}
	if cursor == "" {
		out.Resources = append(out.Resources, s.skill.resource())
	}
	for _, c := range all {
		if c.Name < after[0] {
			continue
		}
		paths, err := s.documents(ctx, c.Name)
		if err != nil {
			return nil, listFault(err)
		}
		for _, path := range paths {
			if c.Name == after[0] && path <= after[1] {
				continue
			}
			if len(out.Resources) == resourcePage {
				out.NextCursor = keyCursor(after...)
				return out, nil
			}
			out.Resources = append(out.Resources, s.documentResource(ctx, c.Name, path))
			after = []string{c.Name, path}
		}
	}
	return out, nil
}

func (s *Server) documentResource(ctx context.Context, collection, path string) *sdk.Resource {
	r := &sdk.Resource{URI: documentURI(collection, path), Name: collection + "/" + path, MIMEType: markdownType}
	if d, _, err := s.engine.Document(ctx, collection, path); err == nil {
		r.Title, r.Description, r.Size = d.Title, d.Meta.Description, int64(d.Bytes)
		if date := lastModified(d); date != "" {
			r.Annotations = &sdk.Annotations{LastModified: date}
		}
	}
	return r
}

func listFault(err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the library cannot be listed now: " + err.Error()}
}
