package markdown

// mirrorLimit is the longest cell, in bytes, that is repeated in the columns
// it spans: headings over groups are, running text is not.
const mirrorLimit = 120

// spanLimit bounds colspan and rowspan, whose values pages may invent.
const spanLimit = 100
