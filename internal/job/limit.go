package job

const (
	// maxRunning is how much work runs at the same time: crawls wait for other
	// servers most of the time, and more of them would only share this machine
	// and the same sites. What is started beyond waits for its turn.
	maxRunning = 4

	// maxOpen bounds the work that runs or waits, so that a caller that starts
	// again and again is told so instead of filling memory.
	maxOpen = 64

	// maxEnded is how much ended work is remembered: what a session can have
	// started and still ask for. A result may hold a report of 1,000 pages.
	maxEnded = 32
)
