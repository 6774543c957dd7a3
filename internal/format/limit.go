package format

const (
	// sniffBytes is where a NUL byte marks a file as binary: what git looks at.
	sniffBytes = 8 << 10
	// maxFrontMatter is the largest front matter that is parsed; a larger block
	// is marked off all the same. Real ones stay under 10 KB.
	maxFrontMatter = 256 << 10
	// maxKeyParts is how many dots a line of TOML may hold, and how deep its brackets
	// may nest: keys have two or three parts, a sentence has one dot.
	maxKeyParts = 256
	// maxConstruct is the longest tag, expression or import that MDX blanking
	// follows; the longest found in public documentation are data tables of
	// some 100 KB.
	maxConstruct = 256 << 10
	// maxFailures is how many constructs without an end MDX blanking follows to
	// their bound before it takes every further '<' and '{' for text. It keeps
	// a hostile file from costing length x maxConstruct.
	maxFailures = 32
	// maxPasses is how often blanking is repeated until nothing changes. Real
	// files need two; a text that needs more than this is no MDX.
	maxPasses = 8
	// maxWarnings is how many warnings one context.json may give; the rest is
	// counted.
	maxWarnings = 50
	// leastConfidence stands for a confidence of nothing or less, which would
	// make an entry unfindable.
	leastConfidence = 0.01
	// tokensOff is the share by which an entry's own token count may differ
	// from the estimate before it is recomputed.
	tokensOff = 0.20
)
