package httpguard

// MaxBody is the usual cap of a request body, in bytes: far above any honest
// call, and small enough to be held in memory a hundred times.
const MaxBody = 4 << 20

// preflightAge is how long a browser may remember a preflight, in seconds: one
// day; browsers cut it to their own limit.
const preflightAge = "86400"
