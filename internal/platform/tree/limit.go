package tree

// depthLimit is how deep elements may nest when a page is read again because
// the parser refused it. The parser's own bound is 512 open elements; formatting
// elements may be opened again at every block, so a quarter of it is safe, and
// no page written for people nests so deep.
const depthLimit = 128
