package fetch

import "time"

// What a request may cost unless the options say otherwise.
const (
	// DefaultTimeout covers waiting for DNS, connecting, TLS, redirects, retries
	// and the whole body. Time in the queue for a host does not count.
	DefaultTimeout = 30 * time.Second
	// DefaultMaxBytes bounds a body, as sent and also after decompression. The
	// largest documentation pages have 2 to 4 MiB.
	DefaultMaxBytes = 10 << 20
	// DefaultMaxRedirects is what robots.txt (RFC 9309) asks for; browsers
	// follow 20, documentation needs 2.
	DefaultMaxRedirects = 5
	// DefaultRetries is the number of further attempts after network faults.
	DefaultRetries = 2
	// DefaultCacheTTL is how long a stored answer is used without asking.
	DefaultCacheTTL = 24 * time.Hour
	// DefaultCacheMax bounds the files of a cache: tens of thousands of pages.
	DefaultCacheMax = 1 << 30
)

const (
	// maxPerHost is the number of connections to one host: what browsers open.
	maxPerHost = 6
	// retryPause is waited before the first further attempt, twice that before
	// the second.
	retryPause = 200 * time.Millisecond
	// dialStagger is waited before the next address of a host is tried beside
	// one that does not answer (RFC 8305 recommends 250 ms).
	dialStagger = 250 * time.Millisecond
	// proxyLookup is how long a name is looked up before a proxy is asked for it:
	// what resolvers take for names that exist. Behind a firewall none may answer.
	proxyLookup = 2 * time.Second
	// maxHeaderBytes bounds the head of an answer.
	maxHeaderBytes = 256 << 10
	// maxURLBytes bounds a URL; browsers and servers refuse longer ones too.
	maxURLBytes = 8 << 10
	// maxMetaBytes bounds the description of a cached answer; a larger file is
	// not one of ours.
	maxMetaBytes = 256 << 10
	// trimParts is how many parts a cache's bound has: after one was written it is
	// looked at, and trimmed to one below the bound.
	trimParts = 16
	// abandonedAfter is the age from which a half-written file of the cache has no
	// writer any more.
	abandonedAfter = time.Hour
	// sniffBytes is how much of a body decides whether it is text.
	sniffBytes = 1024
)
