package jsonvalue

// The bounds of reading JSON and what is nearly JSON.
const (
	// MaxNesting bounds how deep arrays and objects may nest. It keeps
	// recursion off the stack's limit; real arguments stay below ten.
	MaxNesting = 64

	// maxScanned is how deep values may nest that are only passed over: what
	// encoding/json allows (its maxNestingDepth).
	maxScanned = 10000

	// maxTolerant bounds in bytes the damaged text of one call that the tolerant
	// reader is given. It takes quadratic time on some texts, a tenth of a second
	// at this length; longer damaged text is refused.
	maxTolerant = 8 << 10
)
