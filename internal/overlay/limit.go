package overlay

import "time"

const (
	// maxHeadBytes is how far the begin of a page's body is looked for. Heads
	// with inlined styles and data reach some hundred kilobytes.
	maxHeadBytes = 512 << 10
	// maxPageBytes bounds a page that becomes Markdown, unpacked; the largest
	// pages of documentation have 2 to 4 MiB. Larger ones have no mirror, so they
	// pass without a link to one.
	maxPageBytes = 10 << 20
	// headerTimeout is how long an origin may take before it answers at all.
	headerTimeout = time.Minute
	// maxTries is how many pages a path of a mirror is looked for at: the names
	// that it may stand for, and where redirects lead.
	maxTries = 6
	// maxShownPath is how many bytes of an unknown path are repeated.
	maxShownPath = 200
)
