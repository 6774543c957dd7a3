package commonmark

const (
	// maxNesting is how deep quotations and lists nest: readers lose count at
	// five, and every level is looked at again on every line.
	maxNesting = 100
	// maxFailures is how many brackets, or tags, of one block may fail to close.
	// Each looks for its end in all of the block.
	maxFailures = 250
	// maxOpened is how much emphasis one block may open or close: each mark may
	// look at all before it.
	maxOpened = 2000
	// maxDefinitionLines is how many lines of link definitions may stand
	// together; the longest changelogs have 2,000.
	maxDefinitionLines = 8192
	// A table may have minCells cells, and cellsPerByte for every byte: a cell
	// that is written takes two bytes.
	minCells, cellsPerByte = 4096, 4
	// Addresses that links name by reference may have minExpansion bytes, and
	// expansionPerByte for every byte of the text.
	minExpansion, expansionPerByte = 1 << 20, 16
)
