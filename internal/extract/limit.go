package extract

// The bounds of this package, each with its reason.

const (
	// maxPacked bounds a page of a batch that is kept compressed, in bytes when it
	// is unpacked: ten times the largest documentation pages, and nothing to a
	// compression bomb.
	maxPacked = 32 << 20

	// floorShare is the coverage floor: a result that holds less than one in
	// floorShare characters of the visible page outside links is taken for a mistake.
	floorShare = 50

	// denseChars and denseShare make a block of links: shorter blocks may be a
	// sentence with its links, and below two thirds of link text there is prose.
	denseChars = 120
	denseShare = 65 // per cent

	// outlineBlocks is how many headings, terms, cells and code blocks a page
	// without a container of its own needs to be taken for a reference.
	outlineBlocks = 40

	// dataCell is the longest cell, in characters, of a table that is taken for
	// data without naming its columns.
	dataCell = 200

	// neighbours is how many siblings on each side are looked at to understand a
	// block: what stands further away says nothing about it, and looking at all
	// would cost the square of a long page.
	neighbours = 40

	// boxProse is how much text outside links, in characters, a box beside an
	// article may hold: more is an article in a box with an unlucky name.
	boxProse = 600

	// proseChars is how much text outside links, in characters, makes a
	// paragraph that says something.
	proseChars = 60

	// creditChars is the shortest caption, in bytes, that goes with its credit;
	// shorter ones are the credit alone, which does not interrupt a text.
	creditChars = 100

	// strayChars is the longest line, in bytes, that may be about the page.
	strayChars = 200

	// titleSuffixLimit is the longest site name, in characters, that is cut off
	// the end of a title.
	titleSuffixLimit = 40

	// shellRest is the longest paragraph, in characters, that may stand outside
	// a hidden container for that container to be the page: "Loading ..." and
	// "Please enable JavaScript" are shorter, paragraphs of a page are longer.
	shellRest = 80

	// shortPage is up to which length, in characters, the page's own container
	// is trusted over Readability when that dropped half of it: with few
	// paragraphs there is little to score.
	shortPage = 1500

	// technicalBlocks is how many code blocks, definition lists or sections a
	// page needs to be read as technical.
	technicalBlocks = 3

	// dataImageLimit is the longest data: image, in bytes, that stays: what is
	// longer is a picture in text form, which no reader of text can use.
	dataImageLimit = 2048

	// styleLimit bounds a style element that is read for what it hides, in
	// bytes: longer ones are frameworks, which hide nothing by themselves.
	styleLimit = 64 << 10

	// jsonLDLimit bounds the metadata scripts that are read, in bytes.
	jsonLDLimit = 1 << 20

	// farAway is from where on, in pixels, a negative offset leaves every screen.
	farAway = 500
)
