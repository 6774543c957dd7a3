package measure

import "time"

const (
	// timeout is what one answer may take.
	timeout = 30 * time.Second
	// maxBody bounds an answer; what is behind it is not counted.
	maxBody = 64 << 20
	// maxPages is the sample of pages, as many as scanners take.
	maxPages = 50
	// maxQuestions is how many walks are taken.
	maxQuestions = 10
	// maxWalk is after how many requests a walk is given up; agents give up
	// earlier.
	maxWalk = 25
)

// budgets are those of which bundles are measured, in tokens.
func budgets() []int { return []int{500, 1000, 2000, 4000, 8000} }
