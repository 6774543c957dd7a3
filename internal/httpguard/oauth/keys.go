package oauth

// This file keeps the issuer's public keys.

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"golang.org/x/sync/singleflight"
)

// errNoKey tells that no key fits a token.
var errNoKey = errors.New("no key fits")

// keys is a key set that renews itself. It is safe for concurrent use.
type keys struct {
	now  func() time.Time
	load func(context.Context) ([]jose.JSONWebKey, error)

	one singleflight.Group

	mu     sync.Mutex
	set    []jose.JSONWebKey
	loaded time.Time // when set was; zero before the first
	tried  time.Time // when loading was last begun
	still  bool      // the set is given and stays
}

// fixed takes a set that stays.
func (k *keys) fixed(set []jose.JSONWebKey) { k.set, k.still = set, true }

// find returns the keys that may have signed a token with this key id and
// algorithm, none when the set holds none. An error means that there is no set.
// Unknown ids renew the set, at most once in renewPause: anybody can write one
// into a token.
func (k *keys) find(ctx context.Context, id, algorithm string) ([]jose.JSONWebKey, error) {
	k.mu.Lock()
	found := pick(k.set, id, algorithm)
	now := k.now()
	fresh := k.still || len(found) > 0 && now.Sub(k.loaded) < keysAge
	wait := now.Sub(k.tried) < renewPause
	never := k.loaded.IsZero() && !k.still
	k.mu.Unlock()
	switch {
	case fresh, wait && !never:
		return found, nil
	case wait:
		return nil, errors.New("they could not be had a moment ago")
	}
	err := k.renew(ctx)
	k.mu.Lock()
	defer k.mu.Unlock()
	if err != nil && (k.loaded.IsZero() || now.Sub(k.loaded) > keysStale) {
		return nil, err
	}
	return pick(k.set, id, algorithm), nil
}

// renew loads the set once for all who wait for it.
func (k *keys) renew(ctx context.Context) error {
	result := k.one.DoChan("", func() (any, error) {
		k.mu.Lock()
		k.tried = k.now()
		k.mu.Unlock()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadTimeout)
		defer cancel()
		set, err := k.load(ctx)
		if err != nil {
			return nil, err
		}
		k.mu.Lock()
		k.set, k.loaded = set, k.now()
		k.mu.Unlock()
		return nil, nil
	})
	select {
	case r := <-result:
		return r.Err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pick returns the keys of a set that fit. A token that names no key is taken
// when only one key can have signed it.
func pick(set []jose.JSONWebKey, id, algorithm string) []jose.JSONWebKey {
	var found []jose.JSONWebKey
	for _, key := range set {
		if (id == "" || key.KeyID == id) && fits(key, algorithm) {
			found = append(found, key)
		}
	}
	if id == "" && len(found) > 1 {
		return nil
	}
	return found
}

// fits reports whether a key is of the kind that the algorithm needs, so that a
// key is never used for what it was not made for (RFC 8725, 3.1 and 3.2).
func fits(key jose.JSONWebKey, algorithm string) bool {
	if key.Algorithm != "" && key.Algorithm != algorithm {
		return false
	}
	switch public := key.Key.(type) {
	case *rsa.PublicKey:
		return strings.HasPrefix(algorithm, "RS") || strings.HasPrefix(algorithm, "PS")
	case *ecdsa.PublicKey:
		curves := map[string]string{"ES256": "P-256", "ES384": "P-384", "ES512": "P-521"}
		return curves[algorithm] == public.Curve.Params().Name
	case ed25519.PublicKey:
		return algorithm == "EdDSA"
	}
	return false
}

// parseKeys reads a JSON Web Key Set (RFC 7517). Keys of other kinds, for other
// uses, too short or broken are left out.
func parseKeys(data []byte) ([]jose.JSONWebKey, error) {
	var document struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(data, &document); err != nil {
		return nil, fmt.Errorf("the key set is no JSON: %w", err)
	}
	if len(document.Keys) > maxKeys {
		return nil, fmt.Errorf("the key set has %d keys, at most %d are read", len(document.Keys), maxKeys)
	}
	var set []jose.JSONWebKey
	for _, raw := range document.Keys {
		var key jose.JSONWebKey
		if json.Unmarshal(raw, &key) != nil || key.Use != "" && key.Use != "sig" {
			continue
		}
		public := key.Public() // empty for secrets shared by both sides
		if !public.Valid() || tooShort(public.Key) {
			continue
		}
		set = append(set, public)
	}
	if len(set) == 0 {
		return nil, errors.New("the key set holds no public key that can be used here")
	}
	return set, nil
}

func tooShort(key any) bool {
	public, ok := key.(*rsa.PublicKey)
	return ok && (public.N.BitLen() < minRSABits || public.N.BitLen() > maxRSABits)
}

// loadKeys gets the issuer's keys, by way of its metadata when no address was
// configured.
func (s *Resource) loadKeys(ctx context.Context) ([]jose.JSONWebKey, error) {
	address := s.options.KeysURL
	if address == "" {
		var err error
		if address, err = s.discover(ctx); err != nil {
			return nil, err
		}
	}
	data, err := s.options.Get(ctx, address)
	if err != nil {
		return nil, err
	}
	return parseKeys(data)
}

// discover asks the issuer's metadata for the address of its keys: where RFC
// 8414 puts it, then where OpenID Connect does.
func (s *Resource) discover(ctx context.Context) (string, error) {
	issuer, err := url.Parse(s.options.Issuer)
	if err != nil {
		return "", err
	}
	path := strings.TrimRight(issuer.Path, "/")
	var first error
	for _, at := range []string{
		origin(issuer) + "/.well-known/oauth-authorization-server" + path,
		origin(issuer) + path + "/.well-known/openid-configuration",
	} {
		data, err := s.options.Get(ctx, at)
		var said struct {
			Issuer  string `json:"issuer"`
			JWKSURI string `json:"jwks_uri"`
		}
		if err == nil {
			err = json.Unmarshal(data, &said)
		}
		switch {
		case err != nil:
		case said.Issuer != s.options.Issuer: // RFC 8414, 3.3
			err = fmt.Errorf("%s speaks for the issuer %.200q", at, said.Issuer)
		default:
			if err = checkAddress("jwks_uri", said.JWKSURI); err == nil {
				return said.JWKSURI, nil
			}
		}
		if first == nil {
			first = err
		}
	}
	return "", fmt.Errorf("the issuer's metadata does not say where its keys are: %w", first)
}
