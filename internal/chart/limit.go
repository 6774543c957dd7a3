package chart

// Sizes are in units of the drawing, which a page scales to its column: a little
// up beside a table, down to two thirds on a phone.
const (
	width        = 420
	linesHeight  = 220
	barHeight    = 20
	barsAround   = 28
	legendHeight = 28

	// fontPoints is the size of all text, 12 units, as the library places it. Pages
	// draw it one unit smaller: their fonts are wider than the one it knows.
	fontPoints = 9.0

	// barRoom is the length of the longest bar and of the number behind it, in
	// lengths of the bar.
	barRoom = 1.25

	// maxSeries is how many series can be told apart by colour and dashes.
	maxSeries = 3
	// maxLabel is how many characters of a bar's label are shown: above it, the
	// label takes the room of the bar.
	maxLabel = 26
	// maxTicks is how many labels stand below lines without touching.
	maxTicks = 7
	// maxAxisLabels is how many numbers stand on an axis that ends at Max: at every
	// fifth part.
	maxAxisLabels = 6
)
