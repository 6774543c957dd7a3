package a2a

const (
	// MaxBody is the largest request body, in bytes: as for /mcp, far above any
	// honest question.
	MaxBody = 4 << 20

	// defaultPage and maxPage bound the page size of a list of tasks, as the
	// protocol does.
	defaultPage = 50
	maxPage     = 100

	// maxParts is the most parts of one message that are read; a question has
	// one.
	maxParts = 100

	// maxShown is how many bytes of a client's own words an error repeats.
	maxShown = 100
)
