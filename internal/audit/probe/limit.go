package probe

import "time"

const (
	// defaultTimeout is what the public scanners wait for one answer.
	defaultTimeout = 15 * time.Second
	// maxBodyBytes is where the strictest scanner draws the line of what any
	// agent can take in; what is behind it changes no verdict.
	maxBodyBytes = 10 << 20
	// maxRedirects is what browsers follow at most; a site that needs as many
	// goes in circles.
	maxRedirects = 20
	// maxRetries and maxWait are how often and how long a busy server may ask to
	// be asked again.
	maxRetries = 2
	maxWait    = time.Minute
)
