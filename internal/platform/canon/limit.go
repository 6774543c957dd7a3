package canon

// screenReaderLimit is the longest text, in characters, that a class for
// screen readers may take away: such texts are labels, and a longer one is a
// page that hides its content until a script shows it.
const screenReaderLimit = 120

// languageLimit is the longest name a language may have, in bytes: a class is
// a name, not a text, and what is longer is something else.
const languageLimit = 40

// footnoteLabelLimit is the longest label of a footnote in characters:
// numbers and signs, not words.
const footnoteLabelLimit = 4

// placeholderLimit is the size in bytes under which a data address is taken
// for a blank picture that a script replaces.
const placeholderLimit = 512

// tabLimit is how many tabs and panels of a page are paired. Pairing compares
// each with each, and no page written for people has more.
const tabLimit = 500
