package main

import "time"

const (
	// maxInputBytes bounds a page that a command reads from a file or from
	// standard input: a hundred times the largest real ones.
	maxInputBytes = 256 << 20

	// mostHits is the most hits that the engine puts on one page.
	mostHits = 200
)

// warmDocuments is up to how many documents a server makes the site ready at
// start; the pages of more would hold some 3 KB each in memory.
const warmDocuments = 3000

const (
	// idleGCPercent is how much a server's heap may grow before it is collected.
	idleGCPercent = 75
	// busyGCPercent is how much it may grow while it gives busyPerSecond answers a
	// second and busyAnswers between two collections: those that leave little
	// behind. Some 10 MB then save a third of what a call costs.
	busyGCPercent = 300
	busyPerSecond = 1000
	busyAnswers   = 50
)

// maxIssuerBytes bounds a document of an authorization server: metadata and key
// sets have a few KB.
const maxIssuerBytes = 256 << 10

const (
	// originWait is what clients are told to wait while an origin is crawled for
	// the first time: a hundred pages take about so long.
	originWait = 10 * time.Second
	// originRetry is the longest rest after a crawl that failed.
	originRetry = time.Minute
	// robotsTimeout is how long a start may be held up by the origin's robots.txt.
	robotsTimeout = 5 * time.Second
)

// maxVerifying bounds how long a page waits for the server's verification of
// itself, which takes well below a second for what fits on a developer's disk.
const maxVerifying = 10 * time.Second
