package section

const (
	// splitAbove is the size in bytes from which a section is cut into pieces:
	// about 9,000 tokens, more than the largest budget holds.
	splitAbove = 32 << 10
	// splitTarget is the size in bytes that a piece is cut to: a few of them
	// still fit the largest budget.
	splitTarget = 16 << 10
	// headingRunes bounds the title of a section; the longest headings that people
	// write, signatures of functions, have some 300 characters.
	headingRunes = 500
	// titleRunes bounds the title of a piece, which is its first line.
	titleRunes = 80
)
