package web

import (
	"strconv"
	"strings"
)

// acceptQuality returns the quality that an Accept header (RFC 9110, 12.5.1)
// gives to a media type by its name, 0 when it does not name it. Wildcards do
// not count: a client that takes anything has not asked for this.
func acceptQuality(accept, mediaType string) float64 {
	best := 0.0
	for item := range strings.SplitSeq(accept, ",") {
		name, parameters, _ := strings.Cut(item, ";")
		if !strings.EqualFold(strings.TrimSpace(name), mediaType) {
			continue
		}
		q := 1.0
		for parameter := range strings.SplitSeq(parameters, ";") {
			key, value, _ := strings.Cut(parameter, "=")
			if strings.EqualFold(strings.TrimSpace(key), "q") {
				parsed, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
				if err != nil {
					parsed = 0
				}
				q = parsed
			}
		}
		best = max(best, min(q, 1))
	}
	return best
}

// prefer returns the offered type that an Accept header names with the highest
// quality, the first offered when none is named.
func prefer(accept string, offered ...string) string {
	best, quality := offered[0], 0.0
	for _, name := range offered {
		if q := acceptQuality(accept, name); q > quality {
			best, quality = name, q
		}
	}
	return best
}
