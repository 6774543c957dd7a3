package extract

// The bounds of this package, each with its reason.

const (
	// floorShare is the coverage floor: a result that holds less than one in
	// floorShare characters of the visible page is taken for a mistake.
	floorShare = 50

	// denseChars and denseShare make a block of links: shorter blocks may be a
	// sentence with its links, and below two thirds of link text there is prose.
	denseChars = 120
	denseShare = 65 // per cent

	// titleSuffixLimit is the longest site name, in characters, that is cut off
	// the end of a title.
	titleSuffixLimit = 40

	// technicalBlocks is how many code blocks, definition lists or sections a
	// page needs to be read as technical.
	technicalBlocks = 3

	// dataImageLimit is the longest data: image, in bytes, that stays: what is
	// longer is a picture in text form, which no reader of text can use.
	dataImageLimit = 2048

	// jsonLDLimit bounds the metadata scripts that are read, in bytes.
	jsonLDLimit = 1 << 20
)
