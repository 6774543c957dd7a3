package websearch

import "time"

const (
	// callTimeout bounds one search: a minute is more than any search service
	// takes, and clients give up about then.
	callTimeout = 90 * time.Second

	// listTTL is how long clients may keep the list of tools, in milliseconds.
	listTTL = 300_000

	// maxDepth bounds how deep a query is looked for; agents nest two or three
	// levels.
	maxDepth = 16

	// maxNodes bounds how many values are looked at for one query.
	maxNodes = 10_000

	// maxDecode bounds how often text is read as JSON again.
	maxDecode = 3

	// maxShown bounds in characters what a warning repeats of the caller's own
	// names and paths.
	maxShown = 80

	// maxConfig bounds the configuration file in bytes.
	maxConfig = 1 << 20
)
