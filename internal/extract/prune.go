package extract

// Pruning around and inside articles: menus, lists of links, boxes that sell
// and share, lines that credit a picture or a writer.

import (
	"golang.org/x/net/html"
)

// prune removes furniture from the body before it is scored.
func prune(body *html.Node) {
}

// polish removes furniture from an article after it was chosen.
func polish(n *html.Node, m *metadata) {
}
