package web

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"strings"

	"evergreen"
)

//go:embed home.html.tmpl
var homeTemplate string

//go:embed home.css
var homeStyle string

// homePage is what the front page shows.
type homePage struct {
	Site        Site
	Version     string
	Base        string
	Style       template.CSS
	Collections []evergreen.Collection
	More        int // collections not shown
	MCP         bool
	Entries     []entry
}

// home answers / with a plain page: what this server is, what it holds, and
// requests to copy. It works without scripts.
func (s *Server) home(r *http.Request) (answer, error) {
	collections, err := s.options.Engine.Collections(r.Context())
	if err != nil {
		return answer{}, err
	}
	page := homePage{Site: s.options.Site, Version: s.options.Version, Base: s.base(r), MCP: s.serves("/mcp"),
		Style: template.CSS(homeStyle), Collections: collections, Entries: s.entries}
	if len(collections) > maxShownCollections {
		page.Collections, page.More = collections[:maxShownCollections], len(collections)-maxShownCollections
	}
	t, err := template.New("home").Parse(homeTemplate)
	if err != nil {
		return answer{}, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, page); err != nil {
		return answer{}, err
	}
	sum := sha256.Sum256([]byte(homeStyle))
	policy := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	return answer{kind: typeHTML, body: b.Bytes(), header: http.Header{"Content-Security-Policy": {policy}}}, nil
}

// base is the address to show in examples: the configured one, else the one
// the client used, which the host guard has let pass.
func (s *Server) base(r *http.Request) string {
	if s.options.Site.BaseURL != "" {
		return strings.TrimSuffix(s.options.Site.BaseURL, "/")
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}
