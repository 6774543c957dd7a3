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
	// parallelLookUps is how many terms, counted in each segment, a ranking has
	// to look up before it does so side by side.
	parallelLookUps = 256
	// batchPostings is how many postings are decoded at a time: they stay in the
	// nearest cache.
	batchPostings = 128
	// maxQueryUnits bounds the units of a query that are ranked: longer texts
	// are pasted pages, whose first words say enough.
	maxQueryUnits = 256
	// maxGuide and guideShare bound the guide of a segment: 16 kB, and half a
	// byte for each term.
	maxGuide   = 2048
	guideShare = 16
)

// verboseWords is how many different words must be left of a question for those
// that ask for texts to be left out: "article element" is about articles.
const verboseWords = 4

// Feedback, see feedback.go. Chosen on the judged query sets; more sections,
// more terms or more weight help the abstracts and hurt the documentation.
const (
	// feedbackWords is how many different words make a question long.
	feedbackWords = 8
	// feedbackSections is how many of the best sections are asked.
	feedbackSections = 3
	// feedbackTerms is how many of their terms are taken.
	feedbackTerms = 8
	// feedbackWeight is what all of these weigh, beside 1 for the question.
	feedbackWeight = 0.15
	// feedbackCommon is the share of sections beyond which a term is too common
	// to tell what the best have in common, and its list too long to read.
	feedbackCommon = 0.1
	// maxFeedbackCandidates is how many terms are looked up to choose among.
	maxFeedbackCandidates = 48
	// maxFeedbackTerms is the longest body that is asked, in terms: longer ones
	// speak of many things and take long to read.
	maxFeedbackTerms = 1024
	// maxBaseTerms is how many words a ranker remembers the stems of: the common
	// ones, within a megabyte.
	maxBaseTerms = 8192
)

const (
	// snippetBytes is the aimed length of a snippet.
	snippetBytes = 240
	// snippetSlack is how far an end may move to stand at a word.
	snippetSlack = 24
	// maxSnippetScan bounds the text read for one snippet.
	maxSnippetScan = 64 << 10
	// minCounted is the length in bytes from which lists of a view with dead
	// sections are counted once, and maxCounted how many are remembered: a list
	// that is shorter is read in less time than it is looked up.
	minCounted, maxCounted = 256, 16384
	// maxSnippetMatches bounds the matches that a snippet chooses among.
	maxSnippetMatches = 400
	// minSuggestRunes is the shortest word that spellings are offered for.
	minSuggestRunes = 3
)
