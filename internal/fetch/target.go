package fetch

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"evergreen"

	"golang.org/x/net/idna"
)

// hostProfile maps full-width digits, dots and letters as resolvers would, so
// that a host is judged in the form in which it will be dialled.
var hostProfile = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false))

// target parses a URL and refuses what no policy allows: other schemes,
// credentials in the URL, addresses in disguise. Literal addresses that are not
// public are refused here already; names are judged when they are dialled.
func (c *Client) target(raw string) (*url.URL, error) {
	if len(raw) > maxURLBytes {
		return nil, evergreen.Errorf(evergreen.Invalid, "the URL has %d bytes, at most %d are taken", len(raw), maxURLBytes)
	}
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		return nil, evergreen.Errorf(evergreen.Invalid, "%q is no URL: %w", raw, err).
			Fix("Give an address like https://docs.example.com/.")
	}
	return u, c.check(u)
}

// check judges a URL and brings its host to the form that is dialled.
func (c *Client) check(u *url.URL) error {
	u.Scheme = strings.ToLower(u.Scheme)
	u.Fragment, u.RawFragment = "", ""
	switch {
	case u.Scheme == "":
		return evergreen.Errorf(evergreen.Invalid, "%q is no web address: it has no scheme", u.Redacted()).
			Fix("Write https:// before the name of the host.")
	case u.Scheme != "http" && u.Scheme != "https":
		return evergreen.Errorf(evergreen.Blocked, "%q is no web address: only http and https are fetched", u.Redacted()).
			Fix("For files on this machine give the path of the file or folder.")
	case u.User != nil:
		return evergreen.Errorf(evergreen.Blocked, "%q carries a user name in the URL", u.Redacted()).
			Fix("Send credentials as a header: --header 'Authorization: ...'.")
	case u.Hostname() == "":
		return evergreen.Errorf(evergreen.Invalid, "%q names no host", u.Redacted())
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return evergreen.Errorf(evergreen.Invalid, "%q names no usable port", u.Redacted())
		}
	}
	return c.checkHost(u)
}

func (c *Client) checkHost(u *url.URL) error {
	host := u.Hostname()
	if addr, err := netip.ParseAddr(host); err == nil {
		return c.checkAddr(host, addr)
	}
	host, err := hostProfile.ToASCII(host)
	if err != nil {
		return evergreen.Errorf(evergreen.Invalid, "%q is no host name: %w", u.Hostname(), err)
	}
	host = strings.ToLower(host)
	name := strings.TrimSuffix(host, ".")
	if addr, err := netip.ParseAddr(name); err == nil {
		return c.checkAddr(name, addr)
	}
	if endsInNumber(name) {
		return evergreen.Errorf(evergreen.Blocked, "%q is an address in an unusual form", u.Hostname()).
			Fix("Write the address as four decimal numbers.")
	}
	if !c.opts.AllowPrivate && (name == "localhost" || strings.HasSuffix(name, ".localhost")) {
		return blockedHost(name, "this machine")
	}
	if port := u.Port(); port != "" {
		host += ":" + port
	}
	u.Host = host
	return nil
}

func (c *Client) checkAddr(host string, addr netip.Addr) error {
	if c.opts.AllowPrivate {
		return nil
	}
	if what := NonPublic(addr); what != "" {
		return blockedHost(host, what)
	}
	return nil
}

func blockedHost(host, what string) error {
	return evergreen.Errorf(evergreen.Blocked, "%s is not public (%s)", host, what).
		Fix("Use --allow-private if you mean to read from a private network.")
}

// endsInNumber tells whether resolvers would read a name as an IPv4 address,
// decimal, octal or hexadecimal, with fewer than four parts or more (WHATWG
// URL, "ends in a number checker").
func endsInNumber(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if last == "" {
		return false
	}
	if strings.Trim(last, "0123456789") == "" {
		return true
	}
	hex, ok := strings.CutPrefix(strings.ToLower(last), "0x")
	return ok && strings.Trim(hex, "0123456789abcdef") == ""
}
