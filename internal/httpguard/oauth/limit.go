package oauth

import "time"

const (
	// maxTokenBytes bounds a token: those of large organisations have 2 to 4 KiB.
	maxTokenBytes = 16 << 10
	// maxKeys bounds a key set: servers publish two to ten, and every key that
	// fits a token may cost one check of its signature.
	maxKeys = 64
	// minRSABits is what RFC 7518, 3.3 asks for; above maxRSABits one check takes
	// milliseconds.
	minRSABits, maxRSABits = 2048, 8192
	// leeway is how far the clocks of issuer and server may be apart.
	leeway = time.Minute
	// keysAge is how long keys are used without asking again, keysStale how long
	// while the issuer cannot be reached.
	keysAge, keysStale = time.Hour, 24 * time.Hour
	// renewPause is the least time between two requests for keys.
	renewPause = time.Minute
	// loadTimeout bounds one such request.
	loadTimeout = 10 * time.Second
)
