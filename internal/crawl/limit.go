package crawl

import "time"

const (
	// DefaultMaxPages and DefaultMaxDepth are the contract's bounds of a crawl
	// on the command line.
	DefaultMaxPages = 1000
	DefaultMaxDepth = 10
	// concurrency is the number of pages asked for at the same time.
	concurrency = 6
	// window is how many pages may be under way or wait, read, for their turn:
	// pages are told in a fixed order, and a slow one must not hold all others.
	window = 4 * concurrency

	// maxKnown bounds the URLs that one crawl remembers; what is found beyond
	// is counted in a warning. Endless calendars would fill memory otherwise.
	maxKnown = 100_000
	// fetchesPerPage bounds all page requests by the pages wanted: a site of
	// errors and redirects must end too.
	fetchesPerPage = 5
	// maxRefusals ends a crawl after so many answers 429 or 503 in a row: the
	// site asks to be left alone, and the next refresh goes on.
	maxRefusals = 20
	// maxRepeats is how often one folder name may repeat in a path before the
	// path is taken for a loop of relative links.
	maxRepeats = 3
	// maxLinks bounds the links taken from one page. Indexes of large
	// references have some ten thousand.
	maxLinks = 50_000
	// maxTwins bounds the Markdown twins tried for one page.
	maxTwins = 3
	// maxRefreshDelay tells a redirect by <meta refresh> from a page that
	// reloads itself now and then.
	maxRefreshDelay = 10 * time.Second

	// shellWords: a page of scripts with fewer visible words, and a place for
	// scripts to fill, is an empty shell.
	shellWords = 30
	// notFoundWords: a page that calls itself "not found" is an error page when
	// it has fewer words; a page about that error has more.
	notFoundWords = 150
	// loginWords: a page that asks for a password is a login page when it has
	// fewer words; a guide with a form in it has more.
	loginWords = 100
	// likeProbe is the share of common word triples from which a page equals
	// the answer to a path that cannot exist.
	likeProbe = 0.9

	// What a Markdown twin must hold of its page to replace it: nearly all
	// headings and code blocks, most words. Twins that drop tab panels fail.
	twinHeadings = 0.9
	twinCode     = 0.95
	twinWords    = 0.85
)
