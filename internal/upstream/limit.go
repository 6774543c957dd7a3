package upstream

import "time"

// Bounds towards other servers.
const (
	// DefaultTimeout is how long one call may take unless its options say
	// otherwise: searches and page reads of real servers end well within it.
	DefaultTimeout = 60 * time.Second

	// MaxTools bounds the tools taken from one upstream; the largest real server
	// we know lists about 150.
	MaxTools = 2000

	// maxDepth is how many of us may stand above one that still starts programs of
	// its own. A server behind a server behind a server has been seen; one that
	// names itself would go on until the machine is full.
	maxDepth = 3

	// maxPages bounds the pages of one tools/list, so that a cursor that leads
	// back to itself ends.
	maxPages = 100

	// maxResumes is how often a broken stream is taken up again before the call
	// on it fails: a blip of the network is over within the few seconds that it
	// takes, a restarted server does not know the stream.
	maxResumes = 2

	// listTimeout bounds listing, which agents wait for at their start.
	listTimeout = 30 * time.Second

	// openTimeout bounds the opening of a session: a program that is started by
	// a package runner may have to be fetched first.
	openTimeout = 30 * time.Second

	// dialTimeout bounds connecting to a host.
	dialTimeout = 10 * time.Second

	// idleTimeout ends a session that nobody used: its credential shall not stay
	// in memory for ever.
	idleTimeout = 15 * time.Minute

	// maxSessions bounds the sessions of one upstream, each for one credential.
	maxSessions = 128

	// endTimeout is how long a dropped session may take to say goodbye before
	// its requests are cut off.
	endTimeout = 3 * time.Second

	// maxAnswer bounds one HTTP body of an upstream in bytes; results beyond a
	// few MiB are of no use to an agent.
	maxAnswer = 64 << 20

	// maxFault bounds what is read of a refusal's body to find out why, in bytes.
	maxFault = 64 << 10

	// maxSecret bounds a file that holds a secret, in bytes.
	maxSecret = 64 << 10

	// maxStderr bounds one line of a program's stderr in the log, in bytes.
	maxStderr = 2 << 10
)
