// Package oauth makes a server an OAuth 2.0 resource server: it takes access
// tokens that a configured authorization server has issued for it, and says in
// its metadata where clients get one.
//
// It issues nothing, keeps no users and starts no login. Tokens are JSON Web
// Tokens (RFC 9068) with an asymmetric signature; the sources of the rules are
// RFC 6750 (bearer tokens), RFC 8414 (metadata of the authorization server),
// RFC 8707 (audience), RFC 8725 (what to refuse), RFC 9728 (our own metadata)
// and the authorization chapter of the MCP specification.
package oauth

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"evergreen"
	"evergreen/internal/httpguard"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// wellKnown is where the metadata of a resource stands, before the resource's
// own path (RFC 9728, 3.1).
const wellKnown = "/.well-known/oauth-protected-resource"

// endpoint is the path of the MCP endpoint, a resource of its own: clients
// check that the metadata names exactly the URL they were given.
const endpoint = "/mcp"

// Options describe the authorization server and what its tokens open.
type Options struct {
	BaseURL string // of the site; tokens must be meant for it or its MCP endpoint
	Name    string // of the site, for people
	Issuer  string // of the tokens, exactly as their iss claim says it

	Keys    []byte // JSON Web Key Set; nil asks KeysURL
	KeysURL string // "" asks the issuer's metadata for it
	// Get fetches a JSON document. It is handed in so that the guards of the
	// one HTTP client hold here too.
	Get func(ctx context.Context, url string) ([]byte, error)

	ReadScope, WriteScope string // "" are "read" and "write"

	Now func() time.Time // nil is time.Now
	Log *slog.Logger     // nil drops what it says
}

// Resource is the resource server. It is safe for concurrent use.
type Resource struct {
	options Options
	base    string // without a final slash
	accept  []string
	keys    *keys
}

// Resource judges tokens for the guards.
var _ httpguard.Issued = (*Resource)(nil)

// New checks the options. It reaches out to nobody; keys are asked for when the
// first token comes.
func New(o Options) (*Resource, error) {
	base, err := url.Parse(strings.TrimRight(o.BaseURL, "/"))
	if err != nil || base.Host == "" {
		return nil, evergreen.Errorf(evergreen.Invalid, "tokens are checked for the address of the site, which is not known").
			Fix("set site.base_url to the public address of this server")
	}
	if err := checkAddress("oauth.issuer", o.Issuer); err != nil {
		return nil, err
	}
	if o.ReadScope == "" {
		o.ReadScope = "read"
	}
	if o.WriteScope == "" {
		o.WriteScope = "write"
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r := &Resource{options: o, base: base.String()}
	r.accept = []string{r.base, r.base + "/", r.base + endpoint}
	r.keys = &keys{now: o.Now, load: r.loadKeys}
	if o.Keys != nil {
		set, err := parseKeys(o.Keys)
		if err != nil {
			return nil, evergreen.Errorf(evergreen.Invalid, "oauth.keys_file: %w", err)
		}
		r.keys.fixed(set)
		return r, nil
	}
	if o.KeysURL != "" {
		if err := checkAddress("oauth.keys_url", o.KeysURL); err != nil {
			return nil, err
		}
	}
	if o.Get == nil {
		return nil, evergreen.Errorf(evergreen.Internal, "oauth.New needs keys or a way to get them")
	}
	return r, nil
}

// checkAddress takes https addresses, and http ones of this machine.
func checkAddress(key, text string) error {
	u, err := url.Parse(text)
	if err == nil && u.Host != "" && u.User == nil && u.Fragment == "" && (u.Scheme == "https" || u.Scheme == "http" && ownMachine(u.Hostname())) {
		return nil
	}
	return evergreen.Errorf(evergreen.Invalid, "%s: %q is no https address", key, text).
		Fix("give the address of the authorization server, such as https://login.example.com")
}

func ownMachine(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.Unmap().IsLoopback()
}

// Document is one file of metadata.
type Document struct {
	Path string // from the root of the host
	Body []byte // JSON
}

// Documents are the metadata of the site and of its MCP endpoint (RFC 9728, 2).
// Everyone may read them: they say where to get a token.
func (s *Resource) Documents() ([]Document, error) {
	var out []Document
	base, err := url.Parse(s.base)
	if err != nil {
		return nil, err
	}
	for _, path := range []string{"", endpoint} {
		body, err := json.MarshalIndent(oauthex.ProtectedResourceMetadata{
			Resource: s.base + path, AuthorizationServers: []string{s.options.Issuer},
			ScopesSupported:        []string{s.options.ReadScope, s.options.WriteScope},
			BearerMethodsSupported: []string{"header"}, ResourceName: s.options.Name,
		}, "", "  ")
		if err != nil {
			return nil, err
		}
		body = append(body, '\n')
		out = append(out, Document{wellKnown + base.Path + path, body})
		if base.Path != "" { // a proxy may take its prefix away
			out = append(out, Document{wellKnown + path, body})
		}
	}
	return out, nil
}

// metadataURL is where the metadata of what was asked for stands.
func (s *Resource) metadataURL(r *http.Request) string {
	base, err := url.Parse(s.base)
	if err != nil {
		return ""
	}
	path := base.Path
	if r.URL.Path == endpoint {
		path += endpoint
	}
	return base.Scheme + "://" + base.Host + wellKnown + path
}

// Challenge implements [httpguard.Issued].
func (s *Resource) Challenge(r *http.Request, need httpguard.Access, code string) string {
	scope := s.options.ReadScope
	if need >= httpguard.Admin {
		scope = s.options.WriteScope
	}
	challenge := `Bearer realm="evergreen"`
	if code != "" {
		challenge += `, error="` + code + `"`
	}
	return challenge + `, resource_metadata="` + s.metadataURL(r) + `", scope="` + scope + `"`
}

// Admit implements [httpguard.Issued]. The token is taken off the request: it
// was issued for this server, so that nobody behind it may ever see it.
func (s *Resource) Admit(r *http.Request) (*http.Request, httpguard.Caller, *httpguard.Refusal) {
	var admitted *http.Request
	answer := &refusal{header: http.Header{}}
	auth.RequireBearerToken(s.verify, &auth.RequireBearerTokenOptions{
		Scopes: []string{s.options.ReadScope}, ClockSkew: leeway,
	})(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { admitted = r })).ServeHTTP(answer, r)
	if admitted == nil {
		return r, httpguard.Caller{}, answer.refused()
	}
	info := auth.TokenInfoFromContext(admitted.Context())
	who := httpguard.Caller{Access: httpguard.Read, Subject: info.UserID}
	if slices.Contains(info.Scopes, s.options.WriteScope) {
		who.Access = httpguard.Admin
	}
	admitted.Header = admitted.Header.Clone()
	admitted.Header.Del("Authorization")
	return admitted, who, nil
}

// refusal takes the SDK's plain answer, so that it can be written in the
// dialect of the face.
type refusal struct {
	header http.Header
	status int
	text   strings.Builder
}

func (a *refusal) Header() http.Header         { return a.header }
func (a *refusal) WriteHeader(status int)      { a.status = status }
func (a *refusal) Write(b []byte) (int, error) { return a.text.Write(b) }

// refused reads the SDK's status: what is neither the token's fault nor a
// missing scope means that no keys could be had.
func (a *refusal) refused() *httpguard.Refusal {
	message := strings.TrimSpace(a.text.String())
	switch a.status {
	case http.StatusUnauthorized:
		return &httpguard.Refusal{Status: a.status, Code: "invalid_token",
			Err: evergreen.Errorf(evergreen.Blocked, "%s", strings.TrimPrefix(message, auth.ErrInvalidToken.Error()+": ")).
				Fix("get a new token from the authorization server; the metadata named in WWW-Authenticate says which")}
	case http.StatusForbidden:
		return &httpguard.Refusal{Status: a.status, Code: "insufficient_scope",
			Err: evergreen.Errorf(evergreen.Blocked, "the token opens nothing here: it lacks a scope").
				Fix("ask the authorization server for the scope that WWW-Authenticate names")}
	}
	return &httpguard.Refusal{Status: http.StatusServiceUnavailable,
		Err: evergreen.Errorf(evergreen.Upstream, "the token cannot be checked now: the authorization server's keys cannot be had").
			Fix("try again later; the server's log says what is wrong")}
}

// origin is scheme, host and port of an address, in small letters.
func origin(u *url.URL) string {
	host := strings.ToLower(u.Hostname())
	if port := u.Port(); port != "" {
		host = net.JoinHostPort(host, port)
	}
	return strings.ToLower(u.Scheme) + "://" + host
}
