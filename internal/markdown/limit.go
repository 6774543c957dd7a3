package markdown

// mirrorLimit is the longest cell, in bytes, that is repeated in the columns
// it spans: headings over groups are, running text is not.
const mirrorLimit = 120

// spanLimit bounds colspan and rowspan, whose values pages may invent.
const spanLimit = 100

// mirrorBudget is how many cells of one table may be repetitions: a small page
// could otherwise ask for a very large table.
const mirrorBudget = 20_000

// nestLimit is how deep quotes and lists may nest: every level is repeated on
// every line, and deeper ones are read by nobody.
const nestLimit = 24
