package ui

const (
	// maxHighlighted is the longest code, in bytes, that is coloured: lexers are
	// made of regular expressions, and what is longer is data, not an example.
	maxHighlighted = 32 << 10

	// maxOutline is how many headings the contents of a page list: what is
	// longer is not looked through but searched.
	maxOutline = 120

	// maxTitle is how many characters of a title stand before the site's name in
	// the title of the page, which search engines cut.
	maxTitle = 60
)
