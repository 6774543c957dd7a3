package export

// This file makes links relative to the file that they stand in.

import (
	"bytes"
	"io"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// placed finds addresses under the placeholder in Markdown.
var placed = regexp.MustCompile(regexp.QuoteMeta(placeholder) + "[^\\s()<>\"'`\\\\]*")

// relativeText makes the addresses of a Markdown text relative to the file at a
// path.
func (w *writer) relativeText(text []byte, at string) []byte {
	return placed.ReplaceAllFunc(text, func(address []byte) []byte {
		target := strings.TrimPrefix(string(address), placeholder)
		end := strings.TrimRight(target, ".,;:!?") // of a sentence, not of an address
		return []byte(w.relative(end, at) + target[len(end):])
	})
}

// relativeHTML makes the links of a page relative to its file. What the head
// says about the page's own address stays absolute where it is known.
func (w *writer) relativeHTML(page []byte, at string) ([]byte, error) {
	var out bytes.Buffer
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			if z.Err() == io.EOF {
				return out.Bytes(), nil
			}
			return nil, z.Err()
		}
		raw := slices.Clone(z.Raw())
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			out.Write(raw)
			continue
		}
		token := z.Token()
		if !w.relativeTag(&token, at) {
			out.Write(raw)
			continue
		}
		out.WriteString(token.String())
	}
}

// relativeTag changes the links of one tag, and tells whether there were any.
func (w *writer) relativeTag(t *html.Token, at string) (changed bool) {
	base := w.o.Site.Base()
	if t.Data == "link" && base != "" && !slices.ContainsFunc(t.Attr, func(a html.Attribute) bool {
		return a.Key == "rel" && (a.Val == "icon" || a.Val == "stylesheet")
	}) {
		return false
	}
	for i, a := range t.Attr {
		if a.Key != "href" && a.Key != "src" && a.Key != "action" && a.Key != "data-markdown" {
			continue
		}
		target, own := strings.CutPrefix(a.Val, base)
		if own && base != "" && target == "" {
			target = "/"
		}
		root := w.rootPath()
		if !own && strings.HasPrefix(a.Val, "/") && strings.HasPrefix(a.Val, root+"/") {
			target, own = strings.TrimPrefix(a.Val, root), true // a path under the base URL's own
		}
		if !own || !strings.HasPrefix(target, "/") || strings.HasPrefix(target, "//") {
			continue
		}
		t.Attr[i].Val = w.relative(target, at)
		changed = true
	}
	return changed
}

// rootPath is the path of the base URL, without a final slash.
func (w *writer) rootPath() string {
	u, err := url.Parse(w.o.Site.Base())
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(u.EscapedPath(), "/")
}

// relative leads from the file at a path to an address of the site: escaped path
// with query and fragment.
func (w *writer) relative(target, at string) string {
	u, err := url.Parse(target)
	if err != nil {
		return target
	}
	if u.Path == "" {
		u.Path = "/"
	}
	to := u.Path
	if p, _, ok := w.o.Site.PageAt(to); ok {
		to = fileOf(p.Path)
	} else if to == "/layers" || to == "/search" {
		to += ".html"
	}
	if to == at && u.Fragment != "" {
		return "#" + u.EscapedFragment()
	}
	from, there := strings.Split(path.Dir(at), "/")[1:], strings.Split(to, "/")[1:]
	if path.Dir(at) == "/" {
		from = nil
	}
	same := 0
	for same < len(from) && same < len(there)-1 && from[same] == there[same] {
		same++
	}
	steps := append(slices.Repeat([]string{".."}, len(from)-same), there[same:]...)
	link := (&url.URL{Path: strings.Join(steps, "/")}).EscapedPath()
	if strings.Contains(steps[0], ":") {
		link = "./" + link // else its beginning reads as a scheme
	}
	if u.RawQuery != "" {
		link += "?" + u.RawQuery
	}
	if u.Fragment != "" {
		link += "#" + u.EscapedFragment()
	}
	return link
}
