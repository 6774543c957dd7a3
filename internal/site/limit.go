package site

const (
	// maxSentence is the most characters of a page's sentence in llms.txt and of
	// its description elsewhere: the length at which readers cut previews.
	maxSentence = 300

	// maxSummaryBytes is how much of a text is looked through for its first
	// paragraph: what stands further down does not introduce a page.
	maxSummaryBytes = 16 << 10

	// maxContextBytes bounds one file of entries: what clients fetch whole.
	maxContextBytes = 4 << 20

	// maxCardDescription is what the server card's schema allows, in code points.
	maxCardDescription = 100

	// noRate is how ai-policy.json says that there is no rate limit: its schema
	// demands a figure, and this is the largest that every reader holds.
	noRate = 1<<31 - 1

	// maxSkillDescription is what the Agent Skills index allows, and
	// maxSkillName the name of a skill, which is a folder's.
	maxSkillDescription = 1024
	maxSkillName        = 64

	// maxServerName is what the server card's schema allows.
	maxServerName = 200

	// minQuestions and maxQuestions are what the catalogue's schema demands of
	// representative queries.
	minQuestions = 2
	maxQuestions = 5

	// maxFAQ is how many questions one page's structured data repeats: with its
	// answers about 10 KB, beside which the page is still the larger part.
	maxFAQ = 10
	// maxFAQAnswer is the most characters of one answer there.
	maxFAQAnswer = 500

	// maxListed is how many documents a collection's own page lists; llms.txt
	// lists all.
	maxListed = 500

	// maxLinkDepth bounds brackets within brackets, and maxLinkBytes how far the
	// end of a link's destination and title, or of an HTML tag, is looked for:
	// text made of openings only must not cost quadratic time.
	maxLinkDepth = 100
	maxLinkBytes = 2 << 10

	// maxKeyRoom is the room for a path that is put together to be looked up; longer
	// ones cost an allocation.
	maxKeyRoom = 256

	// minTitled is how many titles must end alike before that is taken for the
	// site's name.
	minTitled = 3

	// maxShownPath is how many characters of an unknown path the 404 body
	// repeats.
	maxShownPath = 200
)
