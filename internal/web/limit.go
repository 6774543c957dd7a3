package web

import "time"

// defaultTimeout bounds one answer of the API: far above what the largest
// library takes, and below what clients and proxies wait.
const defaultTimeout = 30 * time.Second

const (
	// maxQueryBytes bounds the query string: no question of a person or agent
	// comes near, and what is longer is a document sent to the wrong place.
	maxQueryBytes = 16 << 10

	// maxHeaderBytes bounds a request's headers.
	maxHeaderBytes = 64 << 10

	// maxHostBytes bounds a forwarded host: what DNS allows, and a port.
	maxHostBytes = 253 + len(":65535")

	// readHeaderTimeout and idleTimeout free connections of clients that are
	// slow to ask or gone. There is no write timeout for the server: it would
	// cut the event streams of /mcp.
	readHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute

	// answerTimeout is how long a client may take to read an answer, and
	// streamTimeout a large document: the whole text of the largest library over
	// a slow line.
	answerTimeout = time.Minute
	streamTimeout = 15 * time.Minute

	// bodyTimeout is how long a protocol's request may take to arrive: the largest
	// at 35 KB a second. protocolTimeout is how long its answer may take, work
	// included; event streams lift it.
	bodyTimeout     = 2 * time.Minute
	protocolTimeout = 15 * time.Minute

	// drainTimeout is how long running requests may take after a stop signal.
	drainTimeout = 10 * time.Second

	// maxPortsTried is how many ports above a taken one are tried to name a
	// free one.
	maxPortsTried = 50
)

const (
	// maxCacheBytes bounds the finished answers of one snapshot: some thousand
	// pages with their codings.
	maxCacheBytes = 24 << 20
	// cacheShare: an answer larger than this part of the cache is not kept,
	// since it would push out what is asked more often.
	cacheShare = 8
	// storedOverhead is what an answer takes beside its body.
	storedOverhead = 2 << 10
	// maxBases is how many addresses a snapshot is remembered under: this
	// machine's names, times two ports.
	maxBases = 8
	// sampledTitles is how many titles of a collection tell its language.
	sampledTitles = 50
)

const (
	// askEvery is how often the library is asked whether another process has
	// changed it, which is a small file read.
	askEvery = 250 * time.Millisecond

	// minCodedBytes is the least body that is compressed: below, headers weigh
	// more than what is saved.
	minCodedBytes = 512
	// codingWindow is how far zstd looks back: most of the gain on text for a
	// sixteenth of the usual memory.
	codingWindow = 512 << 10
	// unwatchedBytes is what goes into a connection's buffers at once, so that a
	// client that does not read holds nobody up.
	unwatchedBytes = 64 << 10
	// maxHeldStream is the largest document of those that can be large that is
	// held and kept after all: that of a small site.
	maxHeldStream = 1 << 20
	// maxSpoolBytes bounds the documents of one snapshot that are kept on disk
	// after they were sent: the whole text of a very large library in each coding.
	maxSpoolBytes = 1 << 30
	// spoolBuffer is how much of them is read at once.
	spoolBuffer = 256 << 10
	// maxAliasBytes bounds the headers under which a finished answer is found
	// again without looking at the site.
	maxAliasBytes = 512
	// streamBuffer gathers small writes of a stream.
	streamBuffer = 32 << 10
)

// overloadWait is how many seconds a client is asked to wait that comes while too
// much is being answered: those that are have left by then.
const overloadWait = 1

const (
	// defaultPerMinute is the API's rate: two calls a second, which no reading
	// agent exceeds for long.
	defaultPerMinute = 120
	// maxPerMinute is the largest rate: what is above cannot be told from none,
	// and the time between two files must not become nothing.
	maxPerMinute = 100_000_000
	// burstTenths is the burst in tenths of a minute's calls.
	burstTenths = 25
	// filesPerCall and filesBurst relate pages and files to calls of the API: a
	// page draws in what it links.
	filesPerCall = 5
	filesBurst   = 4
	// maxClients is how many clients a budget remembers: about 10 MB.
	maxClients = 100_000
	// clientBits is the network that one customer of IPv6 gets (RFC 6177).
	clientBits = 64
)

// trafficMinutes is how far back requests are remembered by the minute: an hour
// shows what a change of this morning did, in some kilobytes.
const trafficMinutes = 60

// largestBudget is what a budget or limit beyond any use is read as: the
// largest whole number that every JSON reader keeps exactly (RFC 8259, 6).
const largestBudget = 1<<53 - 1

// maxDataTokens is the largest library of which pages get what they need to
// answer without the server: it is held in memory, and no browser should load
// more than some megabytes for a case that may never come.
const maxDataTokens = 1_000_000
