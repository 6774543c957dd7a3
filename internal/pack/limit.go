package pack

// maxLeftOut bounds the entries named as left out: the first few tell an agent
// whether more budget is worth it, the rest would only cost tokens.
const maxLeftOut = 5

// maxMissing bounds the damaged collections that an answer names: that something
// is missing matters more than all of what.
const maxMissing = 3

// maxTerms bounds the terms that a passage is chosen around; each costs one
// scan of the body, and questions have fewer.
const maxTerms = 32

// minMarkerDigits are the hex digits of a section's marker: enough for a
// collision within one bundle to be rare, short enough to be written out.
const minMarkerDigits = 6

// pieceRunes is the size of the smallest units that a passage is made of, when
// not even one sentence fits.
const pieceRunes = 8

// minPassage is the fewest tokens worth showing of an entry; with less room
// the frame around it is made smaller instead.
const minPassage = 60

// frameTokens is what headings, citations and rules of a small answer cost,
// roughly: it is added to a budget that an agent is advised to ask for.
const frameTokens = 300

// maxTries bounds how often a text is filled anew because its parts cost more
// together than alone.
const maxTries = 3

// barWidth is the length of the budget bar in characters.
const barWidth = 12

// maxRelativeURL is the longest address without a host that is written into a
// text, in bytes: who reads it there cannot open it, and the marker says as much
// for less.
const maxRelativeURL = 40
