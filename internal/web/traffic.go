package web

// This file counts requests by the minute, for people who look at the rate.

import (
	"maps"
	"net/http"
	"time"
)

// Minute are the requests that ended in one minute.
type Minute struct {
	Start   time.Time      `json:"start"`   // of the minute, UTC
	Routes  map[string]int `json:"routes"`  // by name of the route, as in the operator's figures
	Refused int            `json:"refused"` // of them, with 401, 403 or 429
	Failed  int            `json:"failed"`  // of them, with 5xx
}

// Total is how many requests there were.
func (m Minute) Total() int {
	n := 0
	for _, count := range m.Routes {
		n += count
	}
	return n
}

// minuteFigures are those of the minute that holds their place in the ring.
type minuteFigures struct {
	minute          int64 // since 1970
	routes          map[string]int
	refused, failed int
}

// minute counts a request; m.mu is held.
func (m *metrics) minute(route string, status int) {
	now := m.now().Unix() / 60
	f := &m.minutes[now%trafficMinutes]
	if f.minute != now {
		*f = minuteFigures{minute: now, routes: map[string]int{}}
	}
	f.routes[route]++
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusTooManyRequests:
		f.refused++
	case status >= http.StatusInternalServerError:
		f.failed++
	}
}

// Traffic returns the last hour by the minute, the oldest first, those without a
// request too, and the total of each route since the start.
func (s *Server) Traffic() (minutes []Minute, routes map[string]int64) {
	m := s.metrics
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now().Unix() / 60
	for at := now - trafficMinutes + 1; at <= now; at++ {
		one := Minute{Start: time.Unix(at*60, 0).UTC(), Routes: map[string]int{}}
		if f := m.minutes[at%trafficMinutes]; f.minute == at && f.routes != nil {
			one.Routes, one.Refused, one.Failed = maps.Clone(f.routes), f.refused, f.failed
		}
		minutes = append(minutes, one)
	}
	routes = map[string]int64{}
	for name, f := range m.routes {
		for _, n := range f.codes {
			routes[name] += n
		}
	}
	return minutes, routes
}
