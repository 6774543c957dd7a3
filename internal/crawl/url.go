package crawl

import (
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/idna"
)

// Normalize brings a web address to the one spelling under which a page is
// known: lower-case scheme and host, no default port, no dot segments, no
// fragment, no tracking parameters, percent-encoding only where needed and in
// upper case (RFC 3986, 6.2). raw may be relative to base, which may be nil.
func Normalize(raw string, base *url.URL) (*url.URL, bool) {
	raw = strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return -1 // as browsers do
		}
		return r
	}, strings.TrimSpace(raw))
	u, err := url.Parse(raw)
	if err != nil {
		return nil, false
	}
	if base != nil {
		u = base.ResolveReference(u)
	}
	u.Scheme = strings.ToLower(u.Scheme)
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Opaque != "" {
		return nil, false
	}
	if u.Host = normalHost(u); u.Hostname() == "" {
		return nil, false
	}
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	escaped := withoutDots(recode(sessionID.ReplaceAllString(u.EscapedPath(), "")))
	if u.Path, err = url.PathUnescape(escaped); err != nil {
		return nil, false
	}
	u.RawPath = escaped
	u.RawQuery = normalQuery(u.RawQuery)
	u.ForceQuery = false
	return u, true
}

var sessionID = regexp.MustCompile(`(?i);(?:jsessionid|phpsessid|sid)=[^/?#;]*`)

// normalHost returns "" for what is neither a host name nor an address.
func normalHost(u *url.URL) string {
	host := strings.ToLower(u.Hostname())
	if addr, err := netip.ParseAddr(host); err == nil && addr.Is6() && addr.Zone() == "" {
		host = "[" + addr.String() + "]"
	} else {
		if ascii, err := idna.Lookup.ToASCII(strings.TrimRight(host, ".")); err == nil {
			host = ascii
		}
		host = strings.TrimRight(host, ".")
		if strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-._") != "" {
			return ""
		}
	}
	port := u.Port()
	if host == "" || port == "" || u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		return host
	}
	return host + ":" + port
}

// recode percent-encodes what must be and nothing else.
func recode(s string) string {
	const hexDigits = "0123456789ABCDEF"
	var b strings.Builder
	encode := func(c byte) {
		b.WriteByte('%')
		b.WriteByte(hexDigits[c>>4])
		b.WriteByte(hexDigits[c&15])
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' && i+2 < len(s) {
			if decoded, err := hex.DecodeString(s[i+1 : i+3]); err == nil {
				if unreserved(decoded[0]) {
					b.WriteByte(decoded[0])
				} else {
					encode(decoded[0])
				}
				i += 2
				continue
			}
		}
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}%", c) >= 0 {
			encode(c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func unreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// withoutDots removes dot segments (RFC 3986, 5.2.4); doubled slashes stay.
func withoutDots(p string) string {
	var out []string
	segments := strings.Split(strings.TrimPrefix(p, "/"), "/")
	for i, s := range segments {
		last := i == len(segments)-1
		switch s {
		case ".", "..":
			if s == ".." && len(out) > 0 {
				out = out[:len(out)-1]
			}
			if last {
				out = append(out, "")
			}
		default:
			out = append(out, s)
		}
	}
	return "/" + strings.Join(out, "/")
}

// tracking lists parameters that say where a reader came from and nothing about
// the page; names that begin with "utm_" are dropped too.
var tracking = []string{
	"_ga", "_gl", "_hsenc", "_hsmi", "dclid", "fbclid", "gad_source", "gbraid", "gclid", "gclsrc", "hsctatracking",
	"igshid", "mc_cid", "mc_eid", "mkt_tok", "msclkid", "oly_anon_id", "oly_enc_id", "s_cid", "srsltid", "ttclid",
	"twclid", "vero_id", "wbraid", "yclid",
}

func normalQuery(query string) string {
	var kept []string
	for _, pair := range strings.Split(query, "&") {
		name, _, _ := strings.Cut(strings.ToLower(pair), "=")
		if pair == "" || strings.HasPrefix(name, "utm_") || slices.Contains(tracking, name) {
			continue
		}
		kept = append(kept, recode(pair))
	}
	return strings.Join(kept, "&")
}

// DocPath names the document of a URL: the normalised path without outer
// slashes, "index" for the root, with ".md" appended unless it ends so. A query
// adds "-" and 8 hex digits of the sha256 of the whole normalised URL.
// "/docs", "/docs/" and "/docs.md" are one document; what is no web address is
// "index.md".
func DocPath(rawURL string) string {
	u, ok := Normalize(rawURL, nil)
	if !ok {
		return "index.md"
	}
	return docPath(u)
}

// docPath is DocPath of a normalised URL.
func docPath(u *url.URL) string {
	p := strings.Trim(slashes.ReplaceAllString(u.RawPath, "/"), "/")
	if p == "" {
		p = "index"
	}
	if u.RawQuery != "" {
		sum := sha256.Sum256([]byte(u.String()))
		return p + "-" + hex.EncodeToString(sum[:4]) + ".md"
	}
	if strings.HasSuffix(p, ".md") {
		return p
	}
	return p + ".md"
}

var slashes = regexp.MustCompile(`/{2,}`)

// isMarkdownPath tells whether a path names a Markdown file.
func isMarkdownPath(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".md", ".markdown":
		return true
	}
	return false
}
