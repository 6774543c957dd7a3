package sitemap

import (
	"context"
	"fmt"
)

// Getter fetches one sitemap and returns its bytes as sent or unpacked.
type Getter func(ctx context.Context, url string) ([]byte, error)

// Collect reads the sitemaps at roots and everything that their indexes name,
// each file once, breadth first, within MaxFiles, MaxPages and a bounded depth.
// A file that cannot be had or read becomes a diagnostic. allow, which may be
// nil, says which of the named files may be fetched. Locations come once each,
// in the order found. The error is that of ctx.
func Collect(ctx context.Context, roots []string, get Getter, allow func(url string) bool) (pages []Page, diagnostics []string, err error) {
	c := collector{seenFile: map[string]bool{}, seenPage: map[string]bool{}}
	for _, root := range roots {
		c.push(root, 0)
	}
	for len(c.queue) > 0 {
		if err := ctx.Err(); err != nil {
			return c.pages, c.diagnostics, err
		}
		next := c.queue[0]
		c.queue = c.queue[1:]
		if allow != nil && !allow(next.url) {
			c.tell("%s: outside of what may be read", next.url)
			continue
		}
		data, err := get(ctx, next.url)
		if err != nil {
			c.tell("%s: %v", next.url, err)
			continue
		}
		c.read(next, data)
	}
	return c.pages, c.diagnostics, ctx.Err()
}

type file struct {
	url   string
	depth int
}

type collector struct {
	queue              []file
	seenFile, seenPage map[string]bool
	full               bool
	pages              []Page
	diagnostics        []string
}

func (c *collector) tell(format string, args ...any) {
	c.diagnostics = append(c.diagnostics, fmt.Sprintf(format, args...))
}

// push queues a file once. The bounds end every cycle and every endless tree.
func (c *collector) push(url string, depth int) {
	switch {
	case c.seenFile[url]:
	case len(c.seenFile) == MaxFiles:
		if !c.full {
			c.tell("more than %d sitemaps: the rest is not read", MaxFiles)
		}
		c.full = true
	case depth > maxDepth:
		c.tell("%s: index below %d indexes is not read", url, maxDepth)
	default:
		c.seenFile[url] = true
		c.queue = append(c.queue, file{url, depth})
	}
}

func (c *collector) read(f file, data []byte) {
	s, err := Parse(data, f.url)
	if err != nil {
		c.tell("%s: %v", f.url, err)
		return
	}
	for _, d := range s.Diagnostics {
		c.tell("%s: %s", f.url, d)
	}
	for _, p := range s.Pages {
		switch {
		case s.Index:
			c.push(p.Loc, f.depth+1)
		case c.seenPage[p.Loc]:
		case len(c.pages) == MaxPages:
			c.tell("more than %d locations: the rest is not read", MaxPages)
			c.queue = nil
			return
		default:
			c.seenPage[p.Loc] = true
			c.pages = append(c.pages, p)
		}
	}
}
