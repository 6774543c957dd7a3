package config

import (
	"errors"
	"strconv"
	"time"
)

// ParseDuration reads a duration as Evergreen's flags and settings take it: Go
// syntax (`30s`, `1m30s`) or a bare whole number of milliseconds. Negative
// ones are refused.
func ParseDuration(text string) (time.Duration, error) {
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil {
		if ms < 0 || ms > maxMilliseconds {
			return 0, errors.New("duration out of range")
		}
		return time.Duration(ms) * time.Millisecond, nil
	}
	d, err := time.ParseDuration(text)
	if err == nil && d < 0 {
		return 0, errors.New("duration out of range")
	}
	return d, err
}
