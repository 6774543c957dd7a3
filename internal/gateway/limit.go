package gateway

import "time"

// Bounds of the gateway.
const (
	// settleTime is how long a client's first question for tools waits for
	// upstreams that were not asked yet. Clients give a server up after half a
	// minute and more.
	settleTime = 8 * time.Second

	// maxRetry is the longest pause between two attempts to reach an upstream: a
	// server that comes back is found within it.
	maxRetry = time.Minute

	// relist is how often a list is read again from an upstream that may have no
	// way to tell of changes.
	relist = 10 * time.Minute

	// calmTime is the time between two changes of an upstream's list from which
	// they count as rare, and are looked at without delay.
	calmTime = 10 * time.Second

	// learnPause is the least time between two attempts to learn the tools of an
	// upstream with a caller's credential.
	learnPause = 5 * time.Second

	// messageMembers is how many members of a message there is room for before a
	// list grows: those of a call.
	messageMembers = 4

	// dampFrom is the how-manieth equal repair of a session gets the short hint.
	dampFrom = 3

	// tightBudget, in tokens, and tightBytes are the bounds of an answer up to
	// which a call gets the short hint from the first: the long one would take up
	// to a third of it.
	tightBudget = 300
	tightBytes  = 1000

	// maxRemembered bounds the sessions whose repairs are remembered, and
	// maxPerSession the different repairs of each.
	maxRemembered = 512
	maxPerSession = 128

	// maxText bounds what is shown of an upstream's error in bytes.
	maxText = 1500

	// maxSearchHint bounds what is said about changed search parameters in bytes,
	// as repair bounds its hints.
	maxSearchHint = 300

	// maxCounted bounds the different tools that are counted by name; names
	// come from upstreams.
	maxCounted = 4096

	// maxRecent bounds the repaired and refused calls that an operator can look
	// at: a screenful or two, whatever agents send.
	maxRecent = 64
)
