package httpguard

// The Host guard: against DNS rebinding, where a web page makes its own name
// resolve to our address.

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"evergreen"
)

// HostOptions says which names the server answers to besides localhost,
// 127.0.0.1 and [::1], which are always accepted with any port.
type HostOptions struct {
	// Hosts are further names: the host of base_url and configured ones. An
	// entry with a port is accepted with that port only.
	Hosts []string
	Deny  Deny
}

// Host refuses requests whose Host header names somebody else, with 403.
func Host(o HostOptions) Middleware {
	known := make(map[string]bool, len(o.Hosts))
	for _, h := range o.Hosts {
		known[strings.TrimSuffix(strings.ToLower(h), ".")] = true
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			full := strings.ToLower(r.Host)
			name := hostname(full)
			if !loopbackName(name) && !known[name] && !known[full] {
				o.Deny.write(w, r, http.StatusForbidden,
					evergreen.Errorf(evergreen.Blocked, "the host %q is not served here", r.Host).
						Fix("use http://localhost, or add the name to the configured hosts"))
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// hostname is a Host header without port and final dot.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.TrimSuffix(strings.Trim(host, "[]"), ".")
}

// loopbackName reports whether a host name means this machine itself. Names
// that a resolver would have to be asked about, and other addresses of
// 127.0.0.0/8, do not.
func loopbackName(name string) bool {
	if strings.EqualFold(name, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && (addr == netip.IPv6Loopback() || addr == netip.AddrFrom4([4]byte{127, 0, 0, 1}))
}

// Loopback reports whether the request comes from this machine and was meant
// for it: the peer's address is a loopback one, the Host is a loopback name, and
// no proxy has forwarded it. A reverse proxy on the same machine therefore does
// not turn the whole world into local callers.
func Loopback(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !peer.Addr().Unmap().IsLoopback() || !loopbackName(hostname(r.Host)) {
		return false
	}
	for _, h := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via"} {
		if r.Header.Get(h) != "" {
			return false
		}
	}
	return true
}

// LoopbackAddr reports whether a listening address ("127.0.0.1:80",
// "localhost:80", "[::1]:80") can be reached from this machine only.
func LoopbackAddr(addr string) bool {
	name := hostname(addr)
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.Unmap().IsLoopback()
}
