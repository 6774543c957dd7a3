package oauth

// This file judges one token.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/modelcontextprotocol/go-sdk/auth"
)

// algorithms are the signatures that are taken. "none" and the HMAC ones are
// not among them: whoever can check those can make them (RFC 8725, 2.1 and 3.1).
var algorithms = []jose.SignatureAlgorithm{
	jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512,
	jose.ES256, jose.ES384, jose.ES512, jose.EdDSA,
}

// types are what the typ header of an access token may say (RFC 9068, 2.1); many
// servers write JWT or nothing. Other kinds of token are never access tokens.
var types = []string{"", "jwt", "at+jwt", "application/at+jwt"}

// scopes reads the scope claim (RFC 9068: words in one text) and what other
// servers write instead (scp, a text or a list).
type scopes struct {
	Scope json.RawMessage `json:"scope"`
	SCP   json.RawMessage `json:"scp"`
}

func (s scopes) list() []string {
	var out []string
	for _, raw := range []json.RawMessage{s.Scope, s.SCP} {
		var text string
		var list []string
		switch {
		case json.Unmarshal(raw, &text) == nil:
			out = append(out, strings.Fields(text)...)
		case json.Unmarshal(raw, &list) == nil:
			out = append(out, list...)
		}
	}
	return out
}

// refuse makes an error that the SDK answers with 401.
func refuse(format string, args ...any) error {
	return fmt.Errorf("%w: the token %s", auth.ErrInvalidToken, fmt.Sprintf(format, args...))
}

// verify is an [auth.TokenVerifier].
func (s *Resource) verify(ctx context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	if len(token) > maxTokenBytes {
		return nil, refuse("has %d bytes, at most %d are read", len(token), maxTokenBytes)
	}
	parsed, err := jwt.ParseSigned(token, algorithms)
	if err != nil || len(parsed.Headers) != 1 {
		return nil, refuse("is no JSON Web Token with a signature that is taken here")
	}
	header := parsed.Headers[0]
	if kind, _ := header.ExtraHeaders[jose.HeaderType].(string); !slices.Contains(types, strings.ToLower(kind)) {
		return nil, refuse("is no access token but a %.40q", kind)
	}
	found, err := s.keys.find(ctx, header.KeyID, header.Algorithm)
	if err != nil {
		s.options.Log.Error("the keys of the authorization server cannot be had", "issuer", s.options.Issuer, "error", err)
		return nil, err
	}
	var claims jwt.Claims
	var granted scopes
	err = errNoKey
	for _, key := range found {
		if err = parsed.Claims(key.Key, &claims, &granted); err == nil {
			break
		}
	}
	if err != nil {
		return nil, refuse("is not signed by a key of %s", s.options.Issuer)
	}
	if err := s.checkClaims(claims); err != nil {
		return nil, err
	}
	list := granted.list()
	if slices.Contains(list, s.options.WriteScope) {
		list = append(list, s.options.ReadScope) // who may change may read
	}
	return &auth.TokenInfo{Scopes: list, Expiration: claims.Expiry.Time(), UserID: s.options.Issuer + " " + claims.Subject}, nil
}

// checkClaims judges whom the token is from, whom it is for, and when.
func (s *Resource) checkClaims(claims jwt.Claims) error {
	if claims.Expiry == nil {
		return refuse("never expires: it has no exp")
	}
	if claims.Subject == "" {
		return refuse("names nobody: it has no sub")
	}
	err := claims.ValidateWithLeeway(jwt.Expected{
		Issuer: s.options.Issuer, AnyAudience: s.accept, Time: s.options.Now(),
	}, leeway)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jwt.ErrInvalidIssuer):
		return refuse("is from another issuer than %s", s.options.Issuer)
	case errors.Is(err, jwt.ErrInvalidAudience):
		return refuse("is for another server: its aud does not name %s", s.base)
	case errors.Is(err, jwt.ErrExpired):
		return refuse("has expired")
	case errors.Is(err, jwt.ErrNotValidYet), errors.Is(err, jwt.ErrIssuedInTheFuture):
		return refuse("is not valid yet")
	}
	return refuse("is not valid")
}
