package engine

import "time"

// lookAgain is how long a snapshot serves before the library is looked at for
// changes that other processes made; those of this process show at once.
const lookAgain = 10 * time.Millisecond

const (
	// maxMapped is how much of mapped files a process keeps in memory, in bytes.
	// The system counts every page that a question ever came near, which of a
	// large library is all of it in the end.
	maxMapped = 160 << 20
	// openTries is how often opening a collection is tried while a writer
	// replaces its files.
	openTries = 5
	// chunkBytes is the most source text that goes into one segment: bounds the
	// memory of a build, which is some times that per worker, and keeps segments
	// few: every question looks up its words in each of them.
	chunkBytes = 64 << 20
	// minChunkBytes keeps small sources from falling into many segments.
	minChunkBytes = 1 << 20
	// maxSegments is how many segments a collection may have before small ones
	// are merged.
	maxSegments = 12
	// mergeBytes is the most text that one merge indexes again: seconds.
	mergeBytes = 16 << 20
	// mergeBelow is the size in bytes of text up to which a segment counts as
	// small.
	mergeBelow = 4 << 20
	// nearestShown is how many names a "not found" offers.
	nearestShown = 3
	// maxCandidates and minRelevance bound what retrieval offers for packing.
	maxCandidates = 200
	minRelevance  = 0.25
	// fallbackEntries is how many entries stand in when nothing matches, and
	// fallbackRelevance what they are said to be worth.
	fallbackEntries   = 5
	fallbackRelevance = 0.17
	// summaryRunes bounds the summary of a section as entry.
	summaryRunes = 300
	// defaultHits, maxHits bound a page of search results.
	defaultHits = 10
	maxHits     = 200
	// defaultOutline bounds the sections on one page of an outline.
	defaultOutline = 500
	// maxCompared bounds the names that an unknown one is compared with.
	maxCompared = 2000
	// suggestions is how many spellings are offered.
	suggestions = 3
)
