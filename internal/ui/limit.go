package ui

import "evergreen"

const (
	// maxOutline is how many headings the contents of a page list: what is
	// longer is not looked through but searched.
	maxOutline = 120

	// maxTitle is how many characters of a title stand before the site's name in
	// the title of the page, which search engines cut.
	maxTitle = 60

	// exampleCount is how many questions are suggested: they stand on one line.
	exampleCount = 3

	// minExample and maxExample bound, in characters, the titles that are good
	// questions; sampledTitles is how many are looked at, at least, from all over
	// the content.
	minExample, maxExample, sampledTitles = 6, 60, 400

	// snippetRunes is how much of an entry is shown beside its title, snippetBefore
	// how much of that stands before the first hit.
	snippetRunes, snippetBefore = 280, 60

	// minStem is the shortest rest of a word that is looked for without its end.
	minStem = 4

	// hatchShare is the part of a budget that the hatched end of its bar may take
	// at most: 1/4. What was left out can be many times the budget.
	hatchShare = 4

	// maxLeftOut is how many entries a bundle names that did not fit (pack); there
	// may be more.
	maxLeftOut = 5

	// shownHits is how many hits the search page shows: more are not looked
	// through but narrowed.
	shownHits = 30

	// maxFacets is how many collections or folders are counted beside hits; each
	// is a search.
	maxFacets = 12

	// outlinedDocuments is how many documents of a collection are named where
	// nothing was found.
	outlinedDocuments = 8

	// shownLines, and shownLineRunes of each, are what is shown of a document of
	// a layer: enough to see what it is. shownHeadBytes holds them.
	shownLines, shownLineRunes, shownHeadBytes = 20, 400, 64 << 10
)

const (
	// shownPages is up to how many pages the table of densities stands open.
	shownPages = 12

	// usualBudget is the budget in tokens that the sentence about coverage speaks
	// of: the one that an agent gets that asks for none.
	usualBudget = evergreen.DefaultBudget
)
