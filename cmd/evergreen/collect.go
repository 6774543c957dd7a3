package main

// This file decides how often a server's garbage is collected: often, since
// answers leave much of it behind, little lives, and memory that nobody uses is
// what an operator pays for; but less often while so many small answers are given
// that collecting would be a large part of their cost.

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// collector sets the growth of the heap anew after every collection. Without
// traffic Go collects every two minutes, so that it does not stay busy.
type collector struct {
	answered func() int64 // since the start
	now      func() time.Time

	mu      sync.Mutex
	at      time.Time // of the last collection
	had     int64     // answered by then
	percent int
	stopped bool
}

// collect starts the collector, unless the environment says how to collect. The
// caller stops it.
func collect(answered func() int64) (stop func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	c := &collector{answered: answered, now: time.Now, at: time.Now(), percent: idleGCPercent}
	debug.SetGCPercent(idleGCPercent)
	c.watch()
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.stopped = true
	}
}

// watch has collected called after the next collection.
func (c *collector) watch() {
	runtime.AddCleanup(new(sentinel), func(c *collector) {
		if c.collected() {
			c.watch()
		}
	}, c)
}

// sentinel is garbage whose end tells of a collection. It holds a pointer, or it
// would share its memory with others.
type sentinel struct{ _ *sentinel }

// collected looks at the time since the last collection, and reports whether to
// go on.
func (c *collector) collected() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, had := c.now(), c.answered()
	percent := gcPercent(had-c.had, now.Sub(c.at))
	c.at, c.had = now, had
	if percent != c.percent && !c.stopped {
		c.percent = percent
		debug.SetGCPercent(percent)
	}
	return !c.stopped
}

// gcPercent is how much the heap may grow after so many answers in a time.
func gcPercent(answers int64, d time.Duration) int {
	if answers >= busyAnswers && float64(answers) >= busyPerSecond*d.Seconds() {
		return busyGCPercent
	}
	return idleGCPercent
}
