package web

// This file finds out who asks: the client behind trusted proxies, and the
// address that it asked for.

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"net/netip"
	"strings"

	"evergreen/internal/httpguard"
)

// peer is the address of the other end of the connection.
func peer(r *http.Request) netip.Addr {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return at.Addr().Unmap().WithZone("")
}

// trusts reports whether an address is one of our own proxies.
func (s *Server) trusts(a netip.Addr) bool {
	for _, p := range s.options.Proxies {
		if a.IsValid() && p.Contains(a) {
			return true
		}
	}
	return false
}

// address is the client's: the first from the right of the forwarded ones that
// is no trusted proxy, when the connection comes from one.
func (s *Server) address(r *http.Request) netip.Addr {
	at := peer(r)
	if !s.trusts(at) {
		return at
	}
	hops := forwardedFor(r.Header)
	for i := len(hops) - 1; i >= 0; i-- {
		hop, ok := hopAddress(hops[i])
		if !ok {
			return at // what stands further left may be anybody's invention
		}
		if at = hop; !s.trusts(at) {
			return at
		}
	}
	return at
}

// forwardedFor lists the hops of Forwarded (RFC 7239), else of X-Forwarded-For.
func forwardedFor(h http.Header) []string {
	var hops []string
	if all := strings.Join(h.Values("Forwarded"), ","); all != "" {
		for element := range strings.SplitSeq(all, ",") {
			hops = append(hops, forwardedPart(element, "for"))
		}
		return hops
	}
	if all := strings.Join(h.Values("X-Forwarded-For"), ","); all != "" {
		hops = strings.Split(all, ",")
	}
	return hops
}

// forwardedPart is one parameter of an element of Forwarded.
func forwardedPart(element, name string) string {
	for pair := range strings.SplitSeq(element, ";") {
		key, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
		if strings.EqualFold(key, name) {
			return strings.Trim(value, `"`)
		}
	}
	return ""
}

// hopAddress reads an address with or without port and brackets.
func hopAddress(hop string) (netip.Addr, bool) {
	hop = strings.TrimSpace(hop)
	if at, err := netip.ParseAddrPort(hop); err == nil {
		return at.Addr().Unmap().WithZone(""), true
	}
	at, err := netip.ParseAddr(strings.Trim(hop, "[]"))
	return at.Unmap().WithZone(""), err == nil
}

// Clients that hold a token of ours are called by what it opens, whatever it is:
// they stay who they are when it is changed, and nothing of it is told on.
const (
	readHolder  = "holder of the read token"
	adminHolder = "holder of the administration token"
)

// client names who asks, as far as that costs nothing to know: who holds one of
// our tokens, else the address; of IPv6 the network that one customer gets. What
// an issued token says is known once it was judged, see identity.
func (s *Server) client(r *http.Request) string {
	if token, presented := bearer(r); presented {
		for _, known := range []struct{ secret, holder string }{{s.options.Guard.AdminToken, adminHolder}, {s.options.Guard.ReadToken, readHolder}} {
			if known.secret != "" && sameSecret(token, known.secret) {
				return known.holder
			}
		}
	}
	at := s.address(r)
	if at.IsLoopback() {
		return "127.0.0.1" // [::1] is the same machine
	}
	if at.Is6() {
		if network, err := at.Prefix(clientBits); err == nil {
			return network.String()
		}
	}
	return at.String()
}

// clientHeader tells the protocol behind us who asks, as package mcp reads it.
const clientHeader = "Evergreen-Client"

// identity is who asks, behind the token check: the subject of an issued token,
// else what is known without it.
func (s *Server) identity(r *http.Request) string {
	if subject := httpguard.CallerOf(r.Context()).Subject; subject != "" {
		return subjectName(subject)
	}
	return s.client(r)
}

// subjectName keeps a subject apart from everything else that a client may be
// called by.
func subjectName(subject string) string { return "subject " + subject }

// Client is a short name of who asks, for a request that has passed the guards:
// the same for the same subject, token or address, and telling none of them.
func (s *Server) Client(r *http.Request) string {
	sum := sha256.Sum256([]byte(s.identity(r)))
	return hex.EncodeToString(sum[:16])
}

// bearer is the token that a request presents (RFC 6750, 2.1).
func bearer(r *http.Request) (token string, presented bool) {
	scheme, token, found := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(token), found && strings.EqualFold(scheme, "Bearer")
}

func sameSecret(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// base is the address that links are made with: the configured one, else the
// one the client asked, which the host guard has let pass. Forwarded host and
// scheme count when a trusted proxy says them.
func (s *Server) base(r *http.Request) string {
	if s.options.Site.BaseURL != "" {
		return s.options.Site.BaseURL
	}
	scheme, host := "http", r.Host
	if r.TLS != nil {
		scheme = "https"
	}
	if s.trusts(peer(r)) {
		first, _, _ := strings.Cut(r.Header.Get("Forwarded"), ",")
		if proto := firstOf(forwardedPart(first, "proto"), r.Header.Get("X-Forwarded-Proto")); proto == "http" || proto == "https" {
			scheme = proto
		}
		if name := firstOf(forwardedPart(first, "host"), r.Header.Get("X-Forwarded-Host")); hostLike(name) {
			host = name
		}
	}
	return scheme + "://" + host
}

// firstOf is the first of the values that is there, up to its first comma.
func firstOf(values ...string) string {
	for _, v := range values {
		if v, _, _ = strings.Cut(v, ","); strings.TrimSpace(v) != "" {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// hostLike reports whether a text can be a host with or without port.
func hostLike(s string) bool {
	return s != "" && len(s) <= maxHostBytes && strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789-.:[]") == ""
}
