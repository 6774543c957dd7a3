package web

import "time"

// defaultTimeout bounds one answer of the API: far above what the largest
// library takes, and below what clients and proxies wait.
const defaultTimeout = 30 * time.Second

const (
	// maxQueryBytes bounds the query string: no question of a person or agent
	// comes near, and what is longer is a document sent to the wrong place.
	maxQueryBytes = 16 << 10

	// maxShownPath is how many characters of an unknown path the 404 body
	// repeats.
	maxShownPath = 200

	// maxHeaderBytes bounds a request's headers.
	maxHeaderBytes = 64 << 10

	// readHeaderTimeout and idleTimeout free connections of clients that are
	// slow to ask or gone. There is no write timeout: it would cut the event
	// streams of /mcp.
	readHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute

	// drainTimeout is how long running requests may take after a stop signal.
	drainTimeout = 10 * time.Second

	// maxPortsTried is how many ports above a taken one are tried to name a
	// free one.
	maxPortsTried = 50

	// maxShownCollections is how many collections the front page lists.
	maxShownCollections = 200
)

// largestBudget is what a budget or limit beyond any use is read as: the
// largest whole number that every JSON reader keeps exactly (RFC 8259, 6).
const largestBudget = 1<<53 - 1
