package mcp

import "time"

// Bounds of every answer. Budgets themselves are evergreen.MinBudget to
// evergreen.MaxBudget tokens of the whole text.
const (
	// listBudget is the default budget, in tokens, of lists and reports, which
	// an agent reads to choose and seldom needs whole.
	listBudget = 1000

	// faultBudget bounds an error's text: it must fit the smallest budget.
	faultBudget = 200

	// echoTokens bounds the part of an answer that repeats what was asked.
	echoTokens = 60

	// echoRunes bounds, in code points, what metadata repeats of what was asked:
	// a question, not a document that was pasted into it.
	echoRunes = 500

	// nearestNames is how many candidates follow an unknown name.
	nearestNames = 3

	// fallbackEntries is how many general entries follow a query that hit
	// nothing.
	fallbackEntries = 5

	// maxLimit is the most hits or entries of one answer: more than fit into
	// the largest budget with useful text each.
	maxLimit = 50

	// maxIDs is the most sections of one get_section call.
	maxIDs = 50

	// defaultBytes is get_section's max_bytes, about the default budget.
	defaultBytes = 8000

	// allBytes is what max_bytes 0 and -1 mean. No section of a real document
	// comes near it, and no client reads more in one message.
	allBytes = 1 << 20

	// floorBytes is the least size of a whole get_section answer: a smaller
	// max_bytes bounds the section's own text, and the title and the way to go
	// on still fit beside it.
	floorBytes = 600

	// leastShare is the part of a bound, one in so many, that no reserve takes.
	leastShare = 4

	// noteBytes is kept free for the note that says how to go on.
	noteBytes = 280

	// outlinePage is how many sections one page of an outline is read with:
	// more lines than fit into the largest budget.
	outlinePage = 1000

	// maxResourceBytes bounds the text of one resource: clients load resources
	// whole, and hosts refuse messages of several MiB.
	maxResourceBytes = 1 << 20

	// resourcePage is how many resources one resources/list answer holds, about
	// 50 KB of JSON.
	resourcePage = 200

	// pathPage is how many sections are passed at once while listing paths: few
	// pages, since each begins by walking to its place, but a very large
	// collection does not lie in memory whole.
	pathPage = 50_000

	// directAnswer is how long index_url keeps its caller waiting for the whole
	// result: clients give a call up after some ten seconds at the earliest.
	directAnswer = 5 * time.Second

	// maxPages and maxDepth bound a crawl that an agent starts, in pages and in
	// links from the first: a larger site is for people, on the command line.
	maxPages = 200
	maxDepth = 10

	// jobShare is the part of a list_repos answer that jobs may take: one in so
	// many tokens.
	jobShare = 3

	// maxCompletions is the protocol's bound on completion values.
	maxCompletions = 100

	// maxSubscriptions bounds the resources that are watched for all clients
	// together, since each is read again on every change.
	maxSubscriptions = 1000

	// progressSteps is about how many progress notifications one stage sends:
	// enough for a smooth bar, few enough to cost nothing.
	progressSteps = 50

	// listTTL and readTTL are how long clients may keep lists and resources,
	// in milliseconds; change notifications end it earlier.
	listTTL = 300_000
	readTTL = 60_000
)
