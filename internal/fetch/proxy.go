package fetch

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"sync"

	"evergreen"
)

// This file is fetching by way of a proxy. Whoever names a proxy means it: it is
// dialled whatever its address. Where it goes from there is its own decision. So
// the guard judges what it is asked for as far as that can be done from here:
// addresses in URLs as ever, names by the addresses that this machine finds for
// them. A name that is known behind the proxy only is left to the proxy.

// useProxy makes a transport ask the proxy for everything.
func useProxy(t *http.Transport, proxy *url.URL, d *dialer) {
	own := *d
	own.allowPrivate = true
	t.Proxy = http.ProxyURL(proxy)
	t.DialContext = own.dialContext
	t.OnProxyConnectResponse = func(_ context.Context, proxy *url.URL, asked *http.Request, answer *http.Response) error {
		if answer.StatusCode == http.StatusOK {
			return nil
		}
		return refusedByProxy(proxy, asked.URL.Host, answer.Status)
	}
}

// refusedByProxy is the error of a proxy that does not do what it is asked. It
// names no credentials.
func refusedByProxy(proxy *url.URL, host, status string) error {
	return evergreen.Errorf(evergreen.Upstream, "the proxy %s does not lead to %s: %s", proxy.Host, host, status).
		Fix("Ask those who run it, or give its user and password: http://USER:PASSWORD@%s.", proxy.Host)
}

// beyond judges names that a proxy is to be asked for.
type beyond struct {
	dialer     *dialer
	unresolved sync.Map // names that this machine does not know
}

// judge reports whether a host that a proxy is to be asked for is, or may be,
// outside the public internet. Which of several addresses the proxy takes is not
// known, so one that is not public is one too many.
func (b *beyond) judge(ctx context.Context, host string) (private bool, err error) {
	addrs := b.find(ctx, host)
	for _, addr := range addrs {
		if what := NonPublic(addr); what != "" {
			if !b.dialer.allowPrivate {
				return true, blockedHost(host, what)
			}
			private = true
		}
	}
	return private || len(addrs) == 0 && b.dialer.allowPrivate, nil
}

// find resolves a name, none when this machine cannot. Behind a firewall nobody
// may answer at all, so it waits for a short time, and once for each name.
func (b *beyond) find(ctx context.Context, host string) []netip.Addr {
	if _, known := b.unresolved.Load(host); known {
		return nil
	}
	short, cancel := context.WithTimeout(ctx, proxyLookup)
	defer cancel()
	addrs, err := b.dialer.resolve(short, host)
	if err != nil || len(addrs) == 0 {
		if ctx.Err() == nil {
			b.unresolved.Store(host, true)
		}
		return nil
	}
	return addrs
}
