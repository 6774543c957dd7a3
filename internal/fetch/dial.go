package fetch

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// newDialer makes the dialer of a client.
func newDialer(opts Options) *dialer {
	d := &dialer{allowPrivate: opts.AllowPrivate, resolver: opts.Resolver, dial: opts.Dial}
	if d.resolver == nil {
		d.resolver = net.DefaultResolver
	}
	if d.dial == nil {
		d.dial = (&net.Dialer{}).DialContext
	}
	return d
}

// newTransport makes the transport of a client. It uses no proxy that was not
// named: behind one the address that is really dialled cannot be judged.
func newTransport(opts Options, d *dialer) *http.Transport {
	t := &http.Transport{
		DialContext:            d.dialContext,
		TLSClientConfig:        opts.TLS,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // unpacked here, within bounds
		MaxIdleConnsPerHost:    maxPerHost,
		MaxIdleConns:           100,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: maxHeaderBytes,
	}
	if opts.Proxy != nil {
		useProxy(t, opts.Proxy, d)
	}
	return t
}

// dialer resolves a host once and connects to one of the addresses it has just
// judged, so that a name cannot change its meaning in between.
type dialer struct {
	allowPrivate bool
	resolver     Resolver
	dial         func(ctx context.Context, network, address string) (net.Conn, error)
}

// conn remembers whether its other end is outside the public internet.
type conn struct {
	net.Conn
	private bool
}

// isPrivate looks through TLS at the connection below.
func isPrivate(c net.Conn) bool {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	own, ok := c.(*conn)
	return ok && own.private
}

func (d *dialer) dialContext(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	addrs, err := d.allowed(ctx, host)
	if err != nil {
		return nil, err
	}
	return d.race(ctx, network, addrs, port)
}

// allowed resolves host and keeps the addresses that may be dialled.
func (d *dialer) allowed(ctx context.Context, host string) ([]netip.Addr, error) {
	addrs, err := d.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	var allowed []netip.Addr
	refused := "no address"
	for _, addr := range addrs {
		if what := NonPublic(addr); what != "" && !d.allowPrivate {
			refused = what
			continue
		}
		allowed = append(allowed, addr)
	}
	if len(addrs) == 0 {
		return nil, &net.DNSError{Err: "no address", Name: host, IsNotFound: true}
	}
	if len(allowed) == 0 {
		return nil, blockedHost(host, refused)
	}
	return allowed, nil
}

func (d *dialer) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, nil
	}
	addrs, err := d.resolver.LookupNetIP(ctx, "ip", host)
	for i := range addrs {
		addrs[i] = addrs[i].Unmap() // resolvers hand IPv4 out as IPv4-mapped
	}
	return addrs, err
}

// outcome is the end of one attempt to connect.
type outcome struct {
	conn net.Conn
	err  error
}

// race dials the addresses in order, the next one beside the last as soon as
// that has failed or kept us waiting, and returns the first connection.
func (d *dialer) race(ctx context.Context, network string, addrs []netip.Addr, port string) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make(chan outcome, len(addrs))
	started, failed := 0, 0
	start := func() {
		addr := addrs[started]
		started++
		go func() { results <- d.attempt(ctx, network, addr, port) }()
	}
	start()
	var first error
	for {
		var next <-chan time.Time
		if started < len(addrs) {
			next = time.After(dialStagger)
		}
		select {
		case r := <-results:
			if r.err == nil {
				go closeLosers(results, started-failed-1)
				return r.conn, nil
			}
			failed++
			if first == nil {
				first = r.err
			}
			if failed == len(addrs) {
				return nil, fmt.Errorf("connecting: %w", first)
			}
			if started < len(addrs) {
				start()
			}
		case <-next:
			start()
		}
	}
}

func (d *dialer) attempt(ctx context.Context, network string, addr netip.Addr, port string) outcome {
	c, err := d.dial(ctx, network, net.JoinHostPort(addr.String(), port))
	if err != nil {
		return outcome{err: err}
	}
	return outcome{conn: &conn{Conn: c, private: NonPublic(addr) != ""}}
}

// closeLosers closes connections that came through although their attempts were
// canceled.
func closeLosers(results <-chan outcome, open int) {
	for range open {
		if late := <-results; late.conn != nil {
			late.conn.Close()
		}
	}
}
