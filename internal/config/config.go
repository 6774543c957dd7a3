// Package config turns flags, EVERGREEN_* variables, evergreen.json and
// defaults into one set of settings, and remembers where each came from. One
// table (keys.go) is the source of the parser, the JSON Schema and
// docs/config.md.
//
// It decides nothing: the command line hands the values on to the packages as
// their own option structs, and no package below imports this one.
package config

import (
	"net/url"
	"time"
)

// Config holds the effective settings. What each means, its bounds and its
// default stand in the key table.
type Config struct {
	Library   string
	LogLevel  string
	LogFormat string
	Guard     bool // mark passages that address the model

	Site    Site
	Server  Server
	Limits  Limits
	Fetch   Fetch
	OAuth   OAuth
	Overlay Overlay
	Index   Index

	Gateway   Gateway
	WebSearch WebSearch
}

// Site is what the served site says about itself.
type Site struct {
	BaseURL string
	Name    string
	Licence string
	Contact string
	Policy  Policy
}

// Server says where and for whom the HTTP faces answer.
type Server struct {
	Listen        string
	Timeout       time.Duration
	Token         string
	TokenFile     string
	ReadToken     string
	ReadTokenFile string
	AllowedRoots  []string
	Hosts         []string
	Origins       []string
	Tools         []string
	AllowPrivate  bool

	RateLimit      int // calls a minute; 0 is no limit
	MaxRequests    int // at a time; 0 is no limit
	TrustedProxies []string
	OperatorListen string // "" is nowhere
}

// Limits say what one client may have indexed; 0 is no limit.
type Limits struct {
	Jobs         int // open at a time
	CollectionMB int // of text
	LibraryMB    int // on disk

	ClientMB       int // on disk, of all that one client has made
	ClientSections int // of the same
}

// Fetch says how the web is read.
type Fetch struct {
	Proxy string // "" is none; checked, and may hold a password
}

// ProxyURL is the proxy, nil without one.
func (f Fetch) ProxyURL() *url.URL {
	u, err := url.Parse(f.Proxy)
	if err != nil || f.Proxy == "" {
		return nil
	}
	return u
}

// OAuth names the authorization server whose tokens open the HTTP faces.
type OAuth struct {
	Issuer       string // "" takes no such tokens
	KeysURL      string
	KeysFile     string
	ReadScope    string
	WriteScope   string
	AllowPrivate bool
}

// Index says how documents are split and counted.
type Index struct {
	Slug      string
	Estimator string
	MaxFiles  int
}

// Unspecified is the licence or contact of a site that does not state one.
const Unspecified = "unspecified"
