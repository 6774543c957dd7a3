package probe

// This file decides which addresses may be reached.

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"

	"evergreen/internal/fetch"
)

// Transport returns a transport for the audit of the site at host: the host
// itself may be anywhere, since the user named it, others (the targets of
// redirects and links) on the public internet only.
func Transport(host string) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		d := net.Dialer{}
		name, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		if !strings.EqualFold(name, host) {
			d.Control = refusePrivate
		}
		return d.DialContext(ctx, network, address)
	}
	return t
}

// refusePrivate is asked with every resolved address before it is dialled.
func refusePrivate(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	addr := at.Addr().Unmap()
	if what := fetch.NonPublic(addr); what != "" {
		return fmt.Errorf("%s is not on the public internet (%s)", addr, what)
	}
	return nil
}
