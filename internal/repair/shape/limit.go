package shape

// The bounds of what is kept and said of a schema.
const (
	// maxShape bounds the nodes that are compiled from one tool's schema; what
	// lies beyond is validated but not repaired.
	maxShape = 2000

	// maxSample bounds how deep an example's made-up value nests; a recursive
	// schema would go on.
	maxSample = 6

	// maxListed bounds the enum values that a description lists: enough for
	// most enums, and a long one is cut visibly.
	maxListed = 12

	// maxPattern bounds in runes what a description quotes of a regular
	// expression.
	maxPattern = 48
)
