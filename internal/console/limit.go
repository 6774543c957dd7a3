package console

import "time"

const (
	// sessionAge is how long an operator stays signed in: a working day.
	sessionAge = 12 * time.Hour
	// maxSessions is how many operators are signed in at once; the oldest leaves.
	maxSessions = 32

	// maxCall bounds a call in the lab, in bytes: ten times any real one, and
	// little enough to be drawn twice on a page.
	maxCall = 256 << 10
	// maxDiffLines bounds the lines of a call that are compared; what is longer is
	// shown whole.
	maxDiffLines = 400
	// diffContext is how many equal lines stand around those that differ.
	diffContext = 2

	// measureWait is how long a reader waits for figures that are being taken,
	// before the page says so.
	measureWait = 3 * time.Second
	// measureLimit bounds the taking of figures.
	measureLimit = 5 * time.Minute

	// shownSkips is how many paths are named for each reason that something was
	// left out.
	shownSkips = 5
	// shownReasons is how many reasons are told apart.
	shownReasons = 30
)
