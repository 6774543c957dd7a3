// Tokens that are taken, tokens that are attacks, and what is said to each.
package oauth

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"evergreen/internal/httpguard"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

const (
	issuer = "https://login.example.com"
	site   = "https://docs.example.com"
)

// claims are those of a right token, changed by the tests.
type claims map[string]any

func right() claims {
	return claims{"iss": issuer, "sub": "ada", "aud": site + "/mcp", "scope": "read", "exp": time.Now().Add(time.Hour).Unix()}
}

// with returns the claims with some of them changed; nil takes one away.
func (c claims) with(name string, value any) claims {
	c = maps.Clone(c)
	if c[name] = value; value == nil {
		delete(c, name)
	}
	return c
}

// fixture is an authorization server with a key of each kind.
type fixture struct {
	t       *testing.T
	private map[string]any // by key id
	public  jose.JSONWebKeySet
	asked   []string
	fail    error
}

func newFixture(t *testing.T) *fixture {
	f := &fixture{t: t, private: map[string]any{}}
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	ecKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, edKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	f.add("rsa", rsaKey, rsaKey.Public())
	f.add("ec", ecKey, ecKey.Public())
	f.add("ed", edKey, edKey.Public())
	return f
}

func (f *fixture) add(id string, private, public any) {
	f.private[id] = private
	f.public.Keys = append(f.public.Keys, jose.JSONWebKey{Key: public, KeyID: id, Use: "sig"})
}

// get is the issuer's web server.
func (f *fixture) get(_ context.Context, url string) ([]byte, error) {
	f.asked = append(f.asked, url)
	if f.fail != nil {
		return nil, f.fail
	}
	switch url {
	case issuer + "/.well-known/openid-configuration":
		return []byte(`{"issuer":"` + issuer + `","jwks_uri":"` + issuer + `/keys"}`), nil
	case issuer + "/keys":
		return f.keySet(), nil
	}
	return nil, errors.New("404")
}

func (f *fixture) keySet() []byte {
	data, err := json.Marshal(f.public)
	if err != nil {
		f.t.Fatal(err)
	}
	return data
}

// sign makes a token. header changes its header.
func (f *fixture) sign(algorithm jose.SignatureAlgorithm, key any, id string, c claims, header map[string]any) string {
	f.t.Helper()
	o := &jose.SignerOptions{ExtraHeaders: map[jose.HeaderKey]any{"typ": "at+jwt"}}
	if id != "" {
		o.ExtraHeaders["kid"] = id
	}
	for name, value := range header {
		o.ExtraHeaders[jose.HeaderKey(name)] = value
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, o)
	if err != nil {
		f.t.Fatal(err)
	}
	token, err := jwt.Signed(signer).Claims(map[string]any(c)).Serialize()
	if err != nil {
		f.t.Fatal(err)
	}
	return token
}

func (f *fixture) resource(change ...func(*Options)) *Resource {
	o := Options{BaseURL: site + "/", Name: "Example", Issuer: issuer, Get: f.get}
	for _, c := range change {
		c(&o)
	}
	r, err := New(o)
	if err != nil {
		f.t.Fatal(err)
	}
	return r
}

// ask sends a request with the token through the guards.
func ask(r *Resource, token string) *httptest.ResponseRecorder {
	h := httpguard.Chain(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who := httpguard.CallerOf(r.Context())
		_, _ = w.Write([]byte(who.Access.String() + " " + who.Subject + r.Header.Get("Authorization")))
		if info := auth.TokenInfoFromContext(r.Context()); info == nil || info.UserID != who.Subject {
			_, _ = w.Write([]byte(" and the SDK does not know who it is"))
		}
	}), httpguard.Token(httpguard.TokenOptions{Admin: "static", Issued: r}), httpguard.Require(httpguard.RequireOptions{Access: httpguard.Read, Issued: r}))
	req := httptest.NewRequest(http.MethodPost, site+"/mcp", nil)
	req.RemoteAddr = "192.0.2.1:9"
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return w
}

func TestTokensThatAreTaken(t *testing.T) {
	f := newFixture(t)
	r := f.resource()
	tests := map[string]struct {
		token string
		want  string
	}{
		"RSA":                     {f.sign(jose.RS256, f.private["rsa"], "rsa", right(), nil), "read"},
		"RSA-PSS":                 {f.sign(jose.PS512, f.private["rsa"], "rsa", right(), nil), "read"},
		"elliptic curve":          {f.sign(jose.ES256, f.private["ec"], "ec", right(), nil), "read"},
		"Ed25519":                 {f.sign(jose.EdDSA, f.private["ed"], "ed", right(), nil), "read"},
		"no key id, one fits":     {f.sign(jose.EdDSA, f.private["ed"], "", right(), nil), "read"},
		"type JWT":                {f.sign(jose.ES256, f.private["ec"], "ec", right(), map[string]any{"typ": "JWT"}), "read"},
		"audience: the site":      {f.sign(jose.ES256, f.private["ec"], "ec", right().with("aud", []string{"x", site}), nil), "read"},
		"write includes read":     {f.sign(jose.ES256, f.private["ec"], "ec", right().with("scope", "openid write"), nil), "admin"},
		"scp as a list":           {f.sign(jose.ES256, f.private["ec"], "ec", right().with("scope", nil).with("scp", []string{"write"}), nil), "admin"},
		"scp as a text":           {f.sign(jose.ES256, f.private["ec"], "ec", right().with("scope", nil).with("scp", "read"), nil), "read"},
		"expired within leeway":   {f.sign(jose.ES256, f.private["ec"], "ec", right().with("exp", time.Now().Add(-leeway/2).Unix()), nil), "read"},
		"longest that is read":    {f.padded(maxTokenBytes), "read"},
		"static token, as before": {"static", "admin"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := ask(r, tt.token)
			want := tt.want + " " + issuer + " ada"
			if tt.token == "static" {
				want = "admin Bearer static"
			}
			if got := strings.TrimSuffix(w.Body.String(), " and the SDK does not know who it is"); w.Code != http.StatusOK || got != want {
				t.Errorf("status %d, body %q, want %q", w.Code, w.Body, want)
			}
			if tt.token != "static" && strings.Contains(w.Body.String(), "SDK") {
				t.Error("the SDK does not know the user, and cannot bind sessions to it")
			}
			if w.Header().Get("Cache-Control") != "private, no-store" {
				t.Errorf("Cache-Control %q", w.Header().Get("Cache-Control"))
			}
		})
	}
}

// padded makes a right token of exactly so many bytes: one of four paddings of
// the header gives every length.
func (f *fixture) padded(size int) string {
	sign := func(head, body int) string {
		return f.sign(jose.EdDSA, f.private["ed"], "ed", right().with("x", strings.Repeat("x", body)), map[string]any{"x": strings.Repeat("x", head)})
	}
	for head := range 4 {
		body := (size - len(sign(head, 0))) * 3 / 4
		for more := range 4 {
			if token := sign(head, body+more-1); len(token) == size {
				return token
			}
		}
	}
	f.t.Fatalf("no token of %d bytes", size)
	return ""
}

func TestTokensThatAreRefused(t *testing.T) {
	f := newFixture(t)
	r := f.resource()
	other := newFixture(t)
	ec := f.private["ec"]
	good := f.sign(jose.ES256, ec, "ec", right(), nil)
	parts := strings.Split(good, ".")
	plain := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	der, err := x509.MarshalPKIXPublicKey(&f.private["rsa"].(*rsa.PrivateKey).PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		token string
		want  string // part of the message
	}{
		"algorithm none":           {plain(`{"alg":"none","typ":"JWT"}`) + "." + parts[1] + ".", "no JSON Web Token"},
		"algorithm None":           {plain(`{"alg":"None","kid":"ec"}`) + "." + parts[1] + "." + parts[2], "no JSON Web Token"},
		"HMAC with the public key": {f.sign(jose.HS256, der, "rsa", right(), nil), "no JSON Web Token"},
		"signed by somebody else":  {f.sign(jose.ES256, other.private["ec"], "ec", right(), nil), "not signed by a key"},
		"unknown key":              {f.sign(jose.ES256, ec, "new", right(), nil), "not signed by a key"},
		"key of another algorithm": {f.sign(jose.ES256, ec, "rsa", right(), nil), "not signed by a key"},
		"changed claims":           {parts[0] + "." + plain(`{"iss":"`+issuer+`","scope":"write"}`) + "." + parts[2], "not signed by a key"},
		"no signature":             {parts[0] + "." + parts[1] + ".", "not signed by a key"},
		"key inside of the token":  {f.sign(jose.ES256, jose.JSONWebKey{Key: other.private["ec"], KeyID: "ec"}, "", right(), map[string]any{"jwk": &other.public.Keys[1]}), "not signed by a key"},
		"critical extension":       {f.sign(jose.ES256, ec, "ec", right(), map[string]any{"crit": []string{"exp"}}), ""},
		"identity token by type":   {f.sign(jose.ES256, ec, "ec", right(), map[string]any{"typ": "logout+jwt"}), "no access token"},
		"another issuer":           {f.sign(jose.ES256, ec, "ec", right().with("iss", issuer+"/"), nil), "another issuer"},
		"no issuer":                {f.sign(jose.ES256, ec, "ec", right().with("iss", nil), nil), "another issuer"},
		"for another server":       {f.sign(jose.ES256, ec, "ec", right().with("aud", "https://docs.example.com.evil.example/mcp"), nil), "another server"},
		"for a part of the server": {f.sign(jose.ES256, ec, "ec", right().with("aud", site+"/mcp/x"), nil), "another server"},
		"for nobody":               {f.sign(jose.ES256, ec, "ec", right().with("aud", nil), nil), "another server"},
		"expired":                  {f.sign(jose.ES256, ec, "ec", right().with("exp", time.Now().Add(-2*leeway).Unix()), nil), "expired"},
		"never expires":            {f.sign(jose.ES256, ec, "ec", right().with("exp", nil), nil), "never expires"},
		"not yet":                  {f.sign(jose.ES256, ec, "ec", right().with("nbf", time.Now().Add(2*leeway).Unix()), nil), "not valid yet"},
		"issued in the future":     {f.sign(jose.ES256, ec, "ec", right().with("iat", time.Now().Add(2*leeway).Unix()), nil), "not valid yet"},
		"names nobody":             {f.sign(jose.ES256, ec, "ec", right().with("sub", nil), nil), "names nobody"},
		"claims are no object":     {f.sign(jose.ES256, ec, "ec", right().with("exp", "soon"), nil), "not signed"},
		"too long":                 {f.padded(maxTokenBytes + 1), "at most"},
		"not a token at all":       {"x.y.z", "no JSON Web Token"},
		"five parts, encrypted":    {"a.b.c.d.e", "no JSON Web Token"},
		"empty":                    {" ", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := ask(r, tt.token)
			if w.Code != http.StatusUnauthorized || !strings.Contains(w.Body.String(), tt.want) {
				t.Errorf("status %d, body %q, want 401 with %q", w.Code, w.Body, tt.want)
			}
			challenge, err := oauthex.ParseWWWAuthenticate(w.Header().Values("WWW-Authenticate"))
			if err != nil || len(challenge) != 1 || challenge[0].Params["error"] != "invalid_token" ||
				challenge[0].Params["resource_metadata"] != site+wellKnown+"/mcp" {
				t.Errorf("challenge %v, %v", challenge, err)
			}
		})
	}
}

func TestScopesAndNoToken(t *testing.T) {
	f := newFixture(t)
	r := f.resource()
	w := ask(r, f.sign(jose.ES256, f.private["ec"], "ec", right().with("scope", "openid profile"), nil))
	if got := w.Header().Get("WWW-Authenticate"); w.Code != http.StatusForbidden || !strings.Contains(got, `error="insufficient_scope"`) || !strings.Contains(got, `scope="read"`) {
		t.Errorf("without a scope: status %d, %s", w.Code, got)
	}
	w = ask(r, "")
	if got := w.Header().Get("WWW-Authenticate"); w.Code != http.StatusUnauthorized || strings.Contains(got, "error") || !strings.Contains(got, "resource_metadata") {
		t.Errorf("without a token: status %d, %s", w.Code, got)
	}
	own := f.resource(func(o *Options) { o.ReadScope, o.WriteScope = "docs:read", "docs:write" })
	if w := ask(own, f.sign(jose.ES256, f.private["ec"], "ec", right().with("scope", "docs:write"), nil)); !strings.HasPrefix(w.Body.String(), "admin") {
		t.Errorf("configured scope: %d %s", w.Code, w.Body)
	}
}

// TestKeysAreAskedForOnce: nobody can have them fetched by writing key ids.
func TestKeysAreAskedForOnce(t *testing.T) {
	f := newFixture(t)
	now := time.Now()
	r := f.resource(func(o *Options) { o.Now = func() time.Time { return now } })
	good := f.sign(jose.ES256, f.private["ec"], "ec", right().with("exp", now.Add(2*keysAge).Unix()), nil)
	for range 3 {
		ask(r, good)
		ask(r, f.sign(jose.ES256, f.private["ec"], "unknown", right(), nil))
	}
	want := []string{issuer + "/.well-known/oauth-authorization-server", issuer + "/.well-known/openid-configuration", issuer + "/keys"}
	if strings.Join(f.asked, " ") != strings.Join(want, " ") {
		t.Fatalf("asked %q", f.asked)
	}

	// A new key is found after the pause; keys are kept while the issuer is away.
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	f.add("new", key, key.Public())
	turned := f.sign(jose.EdDSA, key, "new", right(), nil)
	if w := ask(r, turned); w.Code != http.StatusUnauthorized {
		t.Errorf("within the pause: %d", w.Code)
	}
	now = now.Add(renewPause)
	if w := ask(r, turned); w.Code != http.StatusOK {
		t.Errorf("after the pause: %d %s", w.Code, w.Body)
	}
	f.fail = errors.New("down")
	now = now.Add(keysAge)
	if w := ask(r, good); w.Code != http.StatusOK {
		t.Errorf("the issuer is away: %d %s", w.Code, w.Body)
	}
}

func TestIssuerThatCannotBeReached(t *testing.T) {
	f := newFixture(t)
	f.fail = errors.New("down")
	now := time.Now()
	r := f.resource(func(o *Options) { o.Now = func() time.Time { return now } })
	good := f.sign(jose.ES256, f.private["ec"], "ec", right(), nil)
	for range 3 {
		if w := ask(r, good); w.Code != http.StatusServiceUnavailable || strings.Contains(w.Body.String(), "down") {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
	}
	if len(f.asked) != 2 {
		t.Errorf("asked %q within one pause", f.asked)
	}
	f.fail, now = nil, now.Add(renewPause)
	if w := ask(r, good); w.Code != http.StatusOK {
		t.Errorf("back again: %d %s", w.Code, w.Body)
	}
}

func TestIssuerMustSpeakForItself(t *testing.T) {
	f := newFixture(t)
	for name, metadata := range map[string]string{
		"another issuer":   `{"issuer":"https://evil.example","jwks_uri":"` + issuer + `/keys"}`,
		"no keys":          `{"issuer":"` + issuer + `"}`,
		"keys in the open": `{"issuer":"` + issuer + `","jwks_uri":"http://login.example.com/keys"}`,
		"keys in a file":   `{"issuer":"` + issuer + `","jwks_uri":"file:///etc/keys"}`,
		"no JSON":          `<html>`,
	} {
		r := f.resource(func(o *Options) {
			o.Get = func(ctx context.Context, url string) ([]byte, error) {
				if strings.HasSuffix(url, "/keys") {
					return f.keySet(), nil
				}
				return []byte(metadata), nil
			}
		})
		if w := ask(r, f.sign(jose.ES256, f.private["ec"], "ec", right(), nil)); w.Code != http.StatusServiceUnavailable {
			t.Errorf("%s: status %d %s", name, w.Code, w.Body)
		}
	}
}

func TestKeySets(t *testing.T) {
	f := newFixture(t)
	short, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	f.public.Keys = append(f.public.Keys,
		jose.JSONWebKey{Key: short.Public(), KeyID: "short"},
		jose.JSONWebKey{Key: []byte("shared secret, shared secret"), KeyID: "secret", Algorithm: "HS256"},
		jose.JSONWebKey{Key: f.private["ec"], KeyID: "private"},
		jose.JSONWebKey{Key: f.public.Keys[0].Key, KeyID: "enc", Use: "enc"})
	set, err := parseKeys(f.keySet())
	var ids []string
	for _, key := range set {
		ids = append(ids, key.KeyID)
		if !key.IsPublic() {
			t.Errorf("%s is kept with its secret", key.KeyID)
		}
	}
	if err != nil || strings.Join(ids, " ") != "rsa ec ed private" {
		t.Errorf("keys %q, %v", ids, err)
	}
	for name, data := range map[string]string{
		"no JSON": "<html>", "empty": `{}`, "no usable key": `{"keys":[{"kty":"oct","k":"c2VjcmV0"},{"kty":"RSA"},7]}`,
		"too many": `{"keys":[` + strings.Repeat("{},", maxKeys) + `{}]}`,
	} {
		if set, err := parseKeys([]byte(data)); err == nil {
			t.Errorf("%s: %d keys", name, len(set))
		}
	}
	if _, err := parseKeys([]byte(`{"keys":[` + strings.Repeat("{},", maxKeys-1) + string(f.keySet()[len(`{"keys":[`):strings.Index(string(f.keySet()), "},{")+1]) + `]}`)); err != nil {
		t.Errorf("at the limit: %v", err)
	}
}

func TestMetadata(t *testing.T) {
	f := newFixture(t)
	for base, want := range map[string]map[string]string{ // path to resource
		site: {wellKnown: site, wellKnown + "/mcp": site + "/mcp"},
		site + "/kb/": {wellKnown + "/kb": site + "/kb", wellKnown + "/kb/mcp": site + "/kb/mcp",
			wellKnown: site + "/kb", wellKnown + "/mcp": site + "/kb/mcp"},
	} {
		documents, err := f.resource(func(o *Options) { o.BaseURL = base }).Documents()
		if err != nil || len(documents) != len(want) {
			t.Fatalf("%s: %d documents, %v", base, len(documents), err)
		}
		for _, d := range documents {
			var m oauthex.ProtectedResourceMetadata
			if err := json.Unmarshal(d.Body, &m); err != nil {
				t.Fatal(err)
			}
			if m.Resource != want[d.Path] || len(m.AuthorizationServers) != 1 || m.AuthorizationServers[0] != issuer || strings.Join(m.ScopesSupported, " ") != "read write" {
				t.Errorf("%s%s: %s", base, d.Path, d.Body)
			}
		}
	}
}

func TestOptionsThatCannotBeServed(t *testing.T) {
	f := newFixture(t)
	for name, change := range map[string]func(*Options){
		"no base URL":        func(o *Options) { o.BaseURL = "" },
		"issuer in the open": func(o *Options) { o.Issuer = "http://login.example.com" },
		"no issuer":          func(o *Options) { o.Issuer = "" },
		"issuer with a user": func(o *Options) { o.Issuer = "https://u@login.example.com" },
		"keys in the open":   func(o *Options) { o.KeysURL = "http://login.example.com/keys" },
		"broken keys":        func(o *Options) { o.Keys = []byte("{}") },
	} {
		o := Options{BaseURL: site, Issuer: issuer, Get: f.get}
		change(&o)
		if _, err := New(o); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	for _, own := range []string{"http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080"} {
		if err := checkAddress("x", own); err != nil {
			t.Errorf("%s: %v", own, err)
		}
	}
	fromFile := f.resource(func(o *Options) { o.Get, o.Keys = nil, f.keySet() })
	if w := ask(fromFile, f.sign(jose.RS256, f.private["rsa"], "rsa", right(), nil)); w.Code != http.StatusOK || len(f.asked) > 0 {
		t.Errorf("keys from a file: %d %s, asked %q", w.Code, w.Body, f.asked)
	}
}

// FuzzToken: no token opens anything unless the issuer signed it.
func FuzzToken(f *testing.F) {
	f.Add("x.y.z", []byte(`{"keys":[]}`))
	f.Add("eyJhbGciOiJub25lIn0.e30.", []byte(`{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}`))
	f.Add("eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ.e30.AAAA", []byte(`{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA"},{"kty":"RSA","n":"AQ","e":"AQAB"}]}`))
	f.Fuzz(func(t *testing.T, token string, set []byte) {
		if _, err := parseKeys(set); err != nil {
			set = []byte(`{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"1","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}`)
		}
		r, err := New(Options{BaseURL: site, Issuer: issuer, Keys: set})
		if err != nil {
			t.Fatal(err)
		}
		if w := ask(r, token); w.Code == http.StatusOK && token != "static" && strings.TrimSpace(token) != "static" {
			t.Errorf("%q opens the server", token)
		}
	})
}
