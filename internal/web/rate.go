package web

// This file counts requests: the generic cell rate algorithm (GCRA), which needs
// one time stamp per client and gives exact waiting times.

import (
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Budgets of the rate limit.
const (
	budgetStatic = "static"
	budgetAPI    = "api"
	budgetMCP    = "mcp"
)

// Rate is how many requests a client may make of one budget.
type Rate struct {
	PerMinute int // refill; 0 switches the limit off
	Burst     int // depth, at least 1 where there is a limit
}

// DefaultRate is that of the API and of the protocols.
func DefaultRate() Rate { return RateOf(defaultPerMinute) }

// RateOf is the rate of a number of API calls a minute: the burst is what comes
// together in two and a half of them.
func RateOf(perMinute int) Rate {
	if perMinute <= 0 {
		return Rate{}
	}
	perMinute = min(perMinute, maxPerMinute)
	return Rate{PerMinute: perMinute, Burst: max(perMinute*burstTenths/10, 1)}
}

// forFiles is the rate of pages and files that belongs to one of the API.
func (r Rate) forFiles() Rate {
	return Rate{PerMinute: r.PerMinute * filesPerCall, Burst: r.Burst * filesBurst}
}

// limiter holds one budget of all clients.
type limiter struct {
	name  string
	rate  Rate
	every time.Duration // between two units
	most  int           // clients that are remembered

	mu    sync.Mutex
	spent map[string]time.Time // when the client's bucket is full again
}

func newLimiter(name string, r Rate, most int) *limiter {
	return &limiter{name: name, rate: r, every: time.Minute / time.Duration(r.PerMinute), most: most, spent: map[string]time.Time{}}
}

// verdict is what one request did to its client's bucket.
type verdict struct {
	ok   bool
	left int           // units
	wait time.Duration // until one more unit is there; 0 when any is left
}

// take spends one unit of a client, if there is one.
func (l *limiter) take(client string, now time.Time) verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	full := l.spent[client]
	if full.Before(now) {
		full = now
	}
	depth := time.Duration(l.rate.Burst) * l.every
	owed := full.Sub(now)
	if owed+l.every > depth {
		return verdict{wait: owed + l.every - depth}
	}
	owed += l.every
	if _, known := l.spent[client]; !known && len(l.spent) >= l.most {
		l.forget(now)
	}
	l.spent[client] = now.Add(owed)
	v := verdict{ok: true, left: int((depth - owed) / l.every)}
	if v.left == 0 {
		v.wait = owed + l.every - depth
	}
	return v
}

// giveBack returns a unit that a client has spent.
func (l *limiter) giveBack(client string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if full, known := l.spent[client]; known {
		l.spent[client] = full.Add(-l.every)
	}
}

// forget drops clients whose bucket is full, and when all are in use the half of
// them that owes least, in no order that a client could choose.
func (l *limiter) forget(now time.Time) {
	for client, full := range l.spent {
		if !full.After(now) {
			delete(l.spent, client)
		}
	}
	for client := range l.spent {
		if len(l.spent) <= l.most/2 {
			return
		}
		delete(l.spent, client)
	}
}

// setFields writes the fields of draft-ietf-httpapi-ratelimit-headers.
func (l *limiter) setFields(h http.Header, v verdict) {
	window := time.Duration(l.rate.Burst) * l.every
	h["Ratelimit-Policy"] = []string{`"` + l.name + `";q=` + strconv.Itoa(l.rate.Burst) + ";w=" + strconv.Itoa(seconds(window))}
	h["Ratelimit"] = []string{`"` + l.name + `";r=` + strconv.Itoa(v.left) + ";t=" + strconv.Itoa(seconds(v.wait))}
}

// seconds rounds up to whole seconds.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
