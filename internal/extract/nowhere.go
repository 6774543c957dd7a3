package extract

import (
	"net/url"
	"strings"

	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
)

// A page of unknown address is read as if it stood at nowhere, deep enough for
// its relative addresses to climb; afterwards they are made relative again.
const (
	nowhereHost  = "http://nowhere.invalid"
	nowhereStep  = "/~"
	nowhereDepth = 12
)

func nowhere() *url.URL {
	u, err := url.Parse(nowhereHost + strings.Repeat(nowhereStep, nowhereDepth) + "/page")
	if err != nil {
		panic(err) // a constant
	}
	return u
}

// comeBack undoes what nowhere did to the addresses below n.
func comeBack(n *html.Node) {
	tree.Walk(n, func(n *html.Node) bool {
		for i := range n.Attr {
			if strings.Contains(n.Attr[i].Val, nowhereHost) {
				parts := strings.Split(n.Attr[i].Val, ", ") // a srcset holds several
				for j := range parts {
					parts[j] = relativeAgain(parts[j])
				}
				n.Attr[i].Val = strings.Join(parts, ", ")
			}
		}
		return true
	})
}

func relativeAgain(address string) string {
	rest, ok := strings.CutPrefix(address, nowhereHost)
	if !ok {
		return address
	}
	depth := 0
	for depth < nowhereDepth && strings.HasPrefix(rest, nowhereStep+"/") {
		rest = rest[len(nowhereStep):]
		depth++
	}
	if depth == 0 {
		return rest // began at the root
	}
	rest = strings.TrimPrefix(rest, "/")
	if depth == nowhereDepth {
		if rest == "" {
			return "./"
		}
		return rest
	}
	return strings.Repeat("../", nowhereDepth-depth) + rest
}
