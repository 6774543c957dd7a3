package charset

// Bounds of the guesses this package makes.
const (
	// maxHead is how far into an HTML document its head is looked for. Pages
	// with inlined styles put <meta charset> past 100 KB.
	maxHead = 256 << 10
	// maxProlog is how long an XML declaration may be.
	maxProlog = 512
	// maxSample is how much text the statistical detector sees; its verdict
	// does not change with more, its cost does.
	maxSample = 64 << 10
	// minConfidence (of 100) below which the detector's word counts nothing:
	// it gives 10 to every encoding that merely can hold the bytes.
	minConfidence = 20
	// badShare is one over the share of characters that may be broken in text
	// whose label is still believed.
	badShare = 50
	// minUTF8Evidence is how many valid multi-byte UTF-8 sequences, without an
	// invalid one, refute a label such as gbk. A pair of GBK bytes is valid
	// UTF-8 about one time in seven.
	minUTF8Evidence = 3
)
