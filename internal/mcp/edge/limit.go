package edge

import "time"

// Bounds of the edges.
const (
	// MaxBody is the largest HTTP body and the longest stdio line, in bytes. The
	// largest honest request, a batch of calls, stays below 100 KiB.
	MaxBody = 4 << 20
	// MaxBatch is the number of messages in one batch. A batch counts as one
	// request against the rate limit, and clients that batch send a handful.
	MaxBatch = 32
	// DrainTimeout is how long stdio waits for running calls after the end of
	// its input, so that `printf ... | evergreen mcp` gets every answer.
	DrainTimeout = 30 * time.Second
	// abandonTimeout is how long a call may go on after it was cancelled
	// before stdio stops waiting for it.
	abandonTimeout = 2 * time.Second
	// sessionIdle ends sessions of the older era that nobody uses; the SDK
	// would keep each of them, with a goroutine, for ever.
	sessionIdle = 30 * time.Minute
	// keepAlive is the pause between comments on an idle event stream; proxies
	// commonly cut a connection after 60 s of silence.
	keepAlive = 15 * time.Second
	// maxPlain bounds the plain-text error of the SDK that is turned into a
	// JSON-RPC body, in bytes.
	maxPlain = 4 << 10
	// metaPlaces is how many clients' _meta is remembered, and maxMeta the longest
	// one, in bytes: ten times what clients send.
	metaPlaces = 64
	maxMeta    = 2 << 10
	// maxTogether is how many lines that came together are handed on together.
	maxTogether = 32
	// idleWorkers is how many goroutines of finished calls of a pipe wait for the
	// next ones: those of a client that keeps some calls under way.
	idleWorkers = 16
	// usualMembers is how many members each object of a message has room for
	// before a list is made: more than calls have.
	usualMembers = 5
	// maxKept is the largest buffer of an answer that is kept for the next one:
	// an answer of the largest budget.
	maxKept = 64 << 10
	// maxBrackets bounds the braces and brackets of a call that the edge answers
	// itself, and with them its nesting; no honest call of our tools comes near.
	// More are for the SDK, which refuses what nests too deep for its readers.
	maxBrackets = 64
)
