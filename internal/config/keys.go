package config

import (
	"encoding/json"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"evergreen"
)

// key is one setting: its name in evergreen.json ("section.key"), what it is
// for, and where it lives in Config. Everything else is derived from it.
type key struct {
	name    string
	doc     string
	def     string // default as text; lists are separated by commas
	defDoc  string // how the documentation states a default that depends on the machine
	env     string // variable, when not EVERGREEN_ and the name
	enum    []string
	path    bool // relative paths in a file count from the file's folder
	secret  bool // never printed
	example string
	check   func(text string) string // what is wrong with text, or ""
	at      func(*Config) any        // *string, *int, *bool, *time.Duration, *[]string or *object
}

// sections lists the parts of evergreen.json in the order they are documented,
// with a sentence each.
func sections() []struct{ name, doc string } {
	return []struct{ name, doc string }{
		{"", "The library and the log"},
		{"site", "What the served site says about itself"},
		{"site.policy", "What the owner lets others do: the one source of robots.txt, ai.txt, ai-policy.json, the Content-Signal header and what pages and cards say of it"},
		{"server", "Where and for whom the HTTP faces answer"},
		{"limits", "What one client may have indexed"},
		{"fetch", "How the web is read"},
		{"oauth", "The authorization server whose tokens open the HTTP faces"},
		{"origin", "A site built elsewhere that the layers are put on"},
		{"index", "How documents are split and counted"},
		{"gateway", "Other MCP servers behind this one"},
		{"web_search", "The web search behind the web_search tool"},
	}
}

// keys is the table of all settings, in the order they are documented.
func keys() []key {
	return slices.Concat(mainKeys(), policyKeys(), originKeys())
}

func mainKeys() []key {
	return []key{
		{name: "library", path: true, defDoc: "the platform's user data folder, `evergreen/`",
			doc: "Folder that holds all collections.",
			at:  func(c *Config) any { return &c.Library }},
		{name: "log_level", def: "info", enum: []string{"debug", "info", "warn", "error"},
			doc: "Least severe log lines that are written to stderr.",
			at:  func(c *Config) any { return &c.LogLevel }},
		{name: "log_format", def: "text", enum: []string{"text", "json"},
			doc: "Form of the log lines.",
			at:  func(c *Config) any { return &c.LogFormat }},
		{name: "guard", def: "false",
			doc: "Whether passages that address the model with instructions are marked in answers, and counted by `evergreen doctor`; see docs/security.md. Nothing is left out or changed.",
			at:  func(c *Config) any { return &c.Guard }},

		{name: "site.base_url", check: checkBaseURL, example: "https://docs.example.com",
			doc: "Public address of the site. Links become absolute with it, and its host passes the host guard.",
			at:  func(c *Config) any { return &c.Site.BaseURL }},
		{name: "site.name", def: "Evergreen",
			doc: "Name of the site in pages and messages.",
			at:  func(c *Config) any { return &c.Site.Name }},
		{name: "site.licence", def: Unspecified, example: "CC-BY-4.0",
			doc: "Licence of the content: an SPDX identifier or a URL.",
			at:  func(c *Config) any { return &c.Site.Licence }},
		{name: "site.contact", def: Unspecified, example: "docs@example.com",
			doc: "Where readers and agents can reach the people behind the content.",
			at:  func(c *Config) any { return &c.Site.Contact }},

		{name: "server.listen", def: "127.0.0.1:4173", check: checkListen,
			doc: "Address and port. Port 0 takes a free one. Without a host part the server answers on 127.0.0.1.",
			at:  func(c *Config) any { return &c.Server.Listen }},
		{name: "server.timeout", def: "30s", check: checkPositive,
			doc: "Longest time one API answer may take.",
			at:  func(c *Config) any { return &c.Server.Timeout }},
		{name: "server.token", secret: true, env: "EVERGREEN_TOKEN",
			doc: "Token that opens administration from other machines.",
			at:  func(c *Config) any { return &c.Server.Token }},
		{name: "server.token_file", path: true, env: "EVERGREEN_TOKEN_FILE",
			doc: "File whose first line is that token.",
			at:  func(c *Config) any { return &c.Server.TokenFile }},
		{name: "server.read_token", secret: true, env: "EVERGREEN_READ_TOKEN",
			doc: "Token that reading from other machines needs. Without one reading is open.",
			at:  func(c *Config) any { return &c.Server.ReadToken }},
		{name: "server.read_token_file", path: true, env: "EVERGREEN_READ_TOKEN_FILE",
			doc: "File whose first line is that token.",
			at:  func(c *Config) any { return &c.Server.ReadTokenFile }},
		{name: "server.allowed_roots", path: true, example: "./docs",
			defDoc: "the working folder and the sources",
			doc:    "Folders below which the MCP tool index_local may read.",
			at:     func(c *Config) any { return &c.Server.AllowedRoots }},
		{name: "server.hosts", example: "docs.internal",
			doc: "Host names that the server answers to, beside loopback and the base URL's.",
			at:  func(c *Config) any { return &c.Server.Hosts }},
		{name: "server.origins", check: checkOrigin, example: "https://app.example.com",
			doc: "Web origins whose pages may call /mcp, beside the server's own.",
			at:  func(c *Config) any { return &c.Server.Origins }},
		{name: "server.tools", enum: []string{"docs", "kb", "web", "admin"},
			defDoc: "all; without a token no admin for other machines",
			doc:    "Sets of MCP tools that are offered.",
			at:     func(c *Config) any { return &c.Server.Tools }},
		{name: "server.allow_private", def: "false",
			doc: "Whether the MCP tool index_url may read from addresses that are not public, such as those of this machine and its network.",
			at:  func(c *Config) any { return &c.Server.AllowPrivate }},

		{name: "server.rate_limit", def: "120", check: checkCount,
			doc: "Calls of the API, and of MCP and A2A, that one client may make a minute, with two and a half times as many at once; pages and files may be asked for five times as often. 0 switches the limit off.",
			at:  func(c *Config) any { return &c.Server.RateLimit }},
		{name: "server.max_requests", def: "512", check: checkCount,
			doc: "Requests that are worked on at a time, from when a request is there until its answer begins. Those beyond are answered 503 at once, with `Retry-After`. 0 is no limit.",
			at:  func(c *Config) any { return &c.Server.MaxRequests }},
		{name: "server.trusted_proxies", check: checkNetwork, example: "10.0.0.0/8",
			doc: "Networks of reverse proxies whose forwarded headers are believed: who the client is, which host and scheme it asked.",
			at:  func(c *Config) any { return &c.Server.TrustedProxies }},
		{name: "server.operator_listen", check: checkListen, example: "127.0.0.1:9090",
			doc: "Address and port of a second listener with the operator's figures: `/metrics` in the text format of Prometheus, and `/healthz`. Its callers must name a host as those of the site, and it has no other guards; keep it where others cannot reach it.",
			at:  func(c *Config) any { return &c.Server.OperatorListen }},

		{name: "limits.jobs", def: "8", check: checkCount,
			doc: "Crawls that one client may have open at a time, through `index_url`. 0 is no limit.",
			at:  func(c *Config) any { return &c.Limits.Jobs }},
		{name: "limits.collection_mb", def: "0", check: checkCount,
			doc: "Megabytes of text that a client may have in one collection, through `index_url` and `index_local`. 0 is no limit.",
			at:  func(c *Config) any { return &c.Limits.CollectionMB }},
		{name: "limits.library_mb", def: "0", check: checkCount,
			doc: "Megabytes of disk up to which clients may fill the library, its cache included. 0 is no limit.",
			at:  func(c *Config) any { return &c.Limits.LibraryMB }},
		{name: "limits.client_mb", def: "0", check: checkCount,
			doc: "Megabytes of disk that the texts and indexes of all collections may take together that one client has made. What the operator has made is not limited. 0 is no limit.",
			at:  func(c *Config) any { return &c.Limits.ClientMB }},
		{name: "limits.client_sections", def: "0", check: checkCount,
			doc: "Sections that those collections may have together: the size of their index. 0 is no limit.",
			at:  func(c *Config) any { return &c.Limits.ClientSections }},

		{name: "fetch.proxy", env: "EVERGREEN_PROXY", secret: true, check: checkProxy, example: "http://proxy.internal:3128",
			doc: "HTTP proxy that web pages are fetched through, with user and password where it asks for them. None is used that is not named here: not those of HTTP_PROXY and the like. See docs/security.md for what it decides.",
			at:  func(c *Config) any { return &c.Fetch.Proxy }},

		{name: "oauth.issuer", example: "https://login.example.com", check: checkBaseURL,
			doc: "Authorization server whose access tokens are taken, as their `iss` claim says it. With it reading needs a token, and the metadata for clients is served; needs `site.base_url`. See docs/security.md.",
			at:  func(c *Config) any { return &c.OAuth.Issuer }},
		{name: "oauth.keys_url", defDoc: "as the issuer's metadata says", example: "https://login.example.com/keys",
			doc: "Where the issuer publishes its keys (JWKS).",
			at:  func(c *Config) any { return &c.OAuth.KeysURL }},
		{name: "oauth.keys_file", path: true, example: "./keys.json",
			doc: "File with those keys, instead of asking for them.",
			at:  func(c *Config) any { return &c.OAuth.KeysFile }},
		{name: "oauth.read_scope", def: "read",
			doc: "Scope that opens reading: the sets docs, kb and web.",
			at:  func(c *Config) any { return &c.OAuth.ReadScope }},
		{name: "oauth.write_scope", def: "write",
			doc: "Scope that opens the set admin, and reading with it.",
			at:  func(c *Config) any { return &c.OAuth.WriteScope }},
		{name: "oauth.allow_private", def: "false",
			doc: "Whether the issuer may be at an address that is not public.",
			at:  func(c *Config) any { return &c.OAuth.AllowPrivate }},

		{name: "index.slug", def: "unicode", enum: []string{"unicode", "ascii"},
			doc: "Form of the slugs in section ids: letters of any script, or a hash for titles without ASCII letters and digits.",
			at:  func(c *Config) any { return &c.Index.Slug }},
		{name: "index.estimator", def: "default", enum: []string{"default", "o200k"},
			doc: "How tokens are counted: the quick estimate (CJK x 1.0 + other x 0.28), or exactly with the o200k vocabulary.",
			at:  func(c *Config) any { return &c.Index.Estimator }},
		{name: "index.max_files", def: "0", check: checkCount,
			doc: "Most files taken from one local source; 0 means the built-in cap of 100,000.",
			at:  func(c *Config) any { return &c.Index.MaxFiles }},

		{name: "gateway.upstreams",
			doc: "Other MCP servers by name, whose tools are served beside ours: a `command` or a `url`, and what of it is served and how; see docs/gateway.md.",
			at:  upstreams},
		{name: "gateway.aliases", doc: "Further names of tools, ours or theirs: they are resolved, not listed.",
			at: aliases},
		{name: "gateway.repair", enum: []string{"off", "hint-only", "safe", "full"}, defDoc: "by what the tool does",
			doc: "How far malformed calls are repaired, for tools without a word of their own.",
			at:  func(c *Config) any { return &c.Gateway.Repair }},

		{name: "web_search.upstream", example: "searxng",
			doc: "Name of the upstream that answers `web_search`. Without one there is no such tool.",
			at:  func(c *Config) any { return &c.WebSearch.Upstream }},
		{name: "web_search.entry", defDoc: "chosen by the upstream's tools", example: "brave",
			doc: "Entry of the table that says how the upstream's parameters are called.",
			at:  func(c *Config) any { return &c.WebSearch.Entry }},
		{name: "web_search.table", path: true, example: "./search.json",
			doc: "File with further entries of that table; see docs/gateway.md.",
			at:  func(c *Config) any { return &c.WebSearch.Table }},
	}
}

// Names returns every key in documented order.
func Names() []string {
	var names []string
	for _, k := range keys() {
		names = append(names, k.name)
	}
	return names
}

// variable is the environment variable of the key.
func (k key) variable() string {
	if k.env != "" {
		return k.env
	}
	return "EVERGREEN_" + strings.ToUpper(strings.ReplaceAll(k.name, ".", "_"))
}

// set reads texts into the key's place. A list takes all of them, everything
// else the last.
func (k key) set(c *Config, texts []string) error {
	if len(texts) == 0 {
		texts = []string{""}
	}
	last := texts[len(texts)-1]
	var bad string
	switch p := k.at(c).(type) {
	case *string:
		*p = last
		bad = k.wrong(last)
	case *[]string:
		*p = append([]string{}, texts...)
		for _, text := range texts {
			if bad = k.wrong(text); bad != "" {
				break
			}
		}
	case *int:
		n, err := strconv.Atoi(last)
		if err != nil {
			bad = "is no whole number"
			break
		}
		*p = n
		bad = k.wrong(last)
	case *bool:
		on, err := strconv.ParseBool(last)
		if err != nil {
			bad = "is neither true nor false"
			break
		}
		*p = on
	case *object:
		if err := p.read(json.RawMessage(last)); err != nil {
			return evergreen.Errorf(evergreen.Invalid, "%s: %w", k.name, err).Near(nearestOf(err)...)
		}
	case *time.Duration:
		d, err := ParseDuration(last)
		if err != nil {
			bad = "is no duration such as 30s or 1500 (milliseconds)"
			break
		}
		*p = d
		bad = k.wrong(last)
	}
	if bad == "" {
		return nil
	}
	return evergreen.Errorf(evergreen.Invalid, "%s: %q %s", k.name, last, bad)
}

// wrong says what is wrong with a text, empty texts meaning "not set".
func (k key) wrong(text string) string {
	if text == "" {
		return ""
	}
	if len(k.enum) > 0 {
		for _, e := range k.enum {
			if e == text {
				return ""
			}
		}
		return "is none of " + strings.Join(k.enum, ", ")
	}
	if k.check != nil {
		return k.check(text)
	}
	return ""
}

// isObject reports whether the key's value is a JSON object.
func (k key) isObject() bool {
	_, ok := k.at(new(Config)).(*object)
	return ok
}

// nearestOf are the names that an error suggests.
func nearestOf(err error) []string {
	if e, ok := errors.AsType[*evergreen.Error](err); ok {
		return e.Nearest
	}
	return nil
}

func (k key) isList() bool {
	_, ok := k.at(new(Config)).(*[]string)
	return ok
}

func checkBaseURL(text string) string {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return "is no http or https URL"
	}
	if u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return "must be scheme, host and path only"
	}
	return ""
}

func checkProxy(text string) string {
	u, err := url.Parse(text)
	switch {
	case err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "":
		return "is no http or https URL of a proxy, such as http://proxy.internal:3128"
	case strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
		return "must be scheme, host and port only, with user and password where they are needed"
	}
	return ""
}

func checkOrigin(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Host == "" || strings.Trim(u.Path, "/") != "" {
		return "is no origin such as https://app.example.com"
	}
	return ""
}

func checkListen(text string) string {
	_, port, err := net.SplitHostPort(text)
	if err != nil {
		return "is no address such as 127.0.0.1:4173"
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return "has no port between 0 and 65535"
	}
	return ""
}

// Network reads a network in CIDR form, or a single address.
func Network(text string) (netip.Prefix, error) {
	if address, err := netip.ParseAddr(text); err == nil {
		return netip.PrefixFrom(address, address.BitLen()), nil
	}
	p, err := netip.ParsePrefix(text)
	return p.Masked(), err
}

func checkNetwork(text string) string {
	if _, err := Network(text); err != nil {
		return "is no network such as 10.0.0.0/8"
	}
	return ""
}

func checkCount(text string) string {
	if n, err := strconv.Atoi(text); err != nil || n < 0 {
		return "must not be negative"
	}
	return ""
}

func checkPositive(text string) string {
	if d, err := ParseDuration(text); err != nil || d <= 0 {
		return "must be above 0"
	}
	return ""
}
