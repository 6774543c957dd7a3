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

// frameBytes is about as long: an answer is made without growing often.
const frameBytes = 2 << 10

// maxTries bounds how often a text is filled anew because its parts cost more
// together than alone.
const maxTries = 6

// barWidth is the length of the budget bar in characters.
const barWidth = 12

// maxRelativeURL is the longest address without a host that is written into a
// text, in bytes: who reads it there cannot open it, and the marker says as much
// for less.
const maxRelativeURL = 40

// sharesOfBudget is how many sections a budget is shared among at least, when
// there are as many: at 2,000 tokens each has room for some paragraphs around
// the hits.
const sharesOfBudget = 7

// minShare and maxShare bound a share, in tokens: less says little, and with
// more than the length of usual sections the budget reaches fewer documents.
const minShare, maxShare = 120, 400

// bestPercent is the part of the budget, in per cent, that the best section may
// take before others get their share, and minShareOfBest its least in tokens: of
// a small budget one passage that can be understood is worth more than crumbs.
const bestPercent, minShareOfBest = 25, 200

// sameDocument is what each further section of one document is worth beside its
// score: several of the best sections often stand side by side, and if their
// document is the wrong one, none of them helps.
const sameDocument = 0.7

// bytesPerToken is roughly how long a text is; it tells how many digits the
// figures of a passage have before its text is read.
const bytesPerToken = 4
