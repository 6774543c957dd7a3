package index

const (
	// keywordsPerSection is how many keywords a section keeps.
	keywordsPerSection = 20
	// keywordMergeScan bounds the search for surface forms that differ in case
	// only; beyond so many distinct words the few missed merges change nothing.
	keywordMergeScan = 200
	// maxPhraseCandidates bounds the sections whose text is read to check a
	// phrase; rarer words than that never reach it.
	maxPhraseCandidates = 200_000
	// parallelPostings is how much a ranking has to read before its segments are
	// ranked side by side: below, starting goroutines costs more than it saves.
	parallelPostings = 4_000
	// maxQueryUnits bounds the units of a query that are ranked: longer texts
	// are pasted pages, whose first words say enough.
	maxQueryUnits = 256
)

const (
	// snippetBytes is the aimed length of a snippet.
	snippetBytes = 240
	// snippetSlack is how far an end may move to stand at a word.
	snippetSlack = 24
	// maxSnippetScan bounds the text read for one snippet.
	maxSnippetScan = 64 << 10
	// maxSnippetMatches bounds the matches that a snippet chooses among.
	maxSnippetMatches = 400
	// minSuggestRunes is the shortest word that spellings are offered for.
	minSuggestRunes = 3
)
