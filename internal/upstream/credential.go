package upstream

import (
	"crypto/sha256"
	"encoding/binary"
	"net/http"
	"slices"
)

// print is the fingerprint of a credential. Sessions are keyed by it, so that
// the map of sessions holds no secret.
type print [sha256.Size]byte

// Credential is what a caller brought along for one upstream: the values of the
// headers that are forwarded. The zero value is the operator's own credential,
// which are the configured headers or environment alone. It has no text form, so
// that it cannot be logged by accident.
type Credential struct {
	headers http.Header
}

// Credential picks the headers that this upstream may see from a caller's
// request; h may be nil.
func (u *Upstream) Credential(h http.Header) Credential {
	var c Credential
	for _, name := range u.o.Forward {
		name = http.CanonicalHeaderKey(name)
		if values := h[name]; len(values) > 0 {
			if c.headers == nil {
				c.headers = http.Header{}
			}
			c.headers[name] = slices.Clone(values)
		}
	}
	return c
}

// Own reports whether the credential is the operator's own.
func (c Credential) Own() bool { return len(c.headers) == 0 }

// String keeps the values out of logs.
func (c Credential) String() string {
	if c.Own() {
		return "own"
	}
	return "forwarded"
}

// GoString is String, for %#v.
func (c Credential) GoString() string { return c.String() }

// print hashes names and values with their lengths, so that no two different
// sets of headers meet in one fingerprint.
func (c Credential) print() print {
	h := sha256.New()
	var n [8]byte
	write := func(s string) {
		binary.BigEndian.PutUint64(n[:], uint64(len(s)))
		h.Write(n[:])
		h.Write([]byte(s))
	}
	names := make([]string, 0, len(c.headers))
	for name := range c.headers {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		write(name)
		binary.BigEndian.PutUint64(n[:], uint64(len(c.headers[name])))
		h.Write(n[:])
		for _, value := range c.headers[name] {
			write(value)
		}
	}
	return print(h.Sum(nil))
}
