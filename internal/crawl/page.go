package crawl

import (
	"bytes"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// facts is what one pass over the tokens of an HTML page tells a crawler.
type facts struct {
	title     string
	links     []*url.URL // normalised, each once, in document order, those to follow
	twins     []*url.URL // declared Markdown versions
	canonical *url.URL   // nil when the page does not say
	refresh   *url.URL   // target of a <meta refresh> that is a redirect
	noindex   bool
	nofollow  bool

	text     string  // visible text
	main     content // of <main>, <article> or role=main; of the body without frame when there is none
	scripts  int
	mount    bool // an element that scripts fill is there
	needsJS  bool // a <noscript> speaks of JavaScript
	password bool // asks for a password
}

// content is the text of a page or of its main part.
type content struct {
	text     string
	headings []string
	code     []string // texts of <pre>
}

var blank = []byte(" ")

// reader walks the tokens of one page.
type reader struct {
	agent   string
	facts   *facts
	hrefs   []string // as written: <base> may follow
	alts    []string
	canon   string
	refresh string
	base    string

	hidden  int // open <template> elements
	frame   int // open nav, header, footer, aside
	inMain  int
	button  bool // inside of a <button>, whose label is no text of code or heading
	hasMain bool
	body    content // outside of frames
	heading *strings.Builder
	code    *strings.Builder
	text    bytes.Buffer // the whole visible text
	outer   bytes.Buffer // that outside of frames
	inner   bytes.Buffer // that of main
}

// readPage reads an HTML page found at the given URL; agent is the name in
// <meta name=AGENT> beside "robots".
func readPage(data []byte, at *url.URL, agent string) *facts {
	r := reader{facts: &facts{}, agent: strings.ToLower(agent)}
	z := html.NewTokenizer(bytes.NewReader(data))
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			r.finish(at)
			return r.facts
		case html.StartTagToken, html.SelfClosingTagToken:
			r.start(z, kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			name, _ := z.TagName()
			r.end(string(name))
		case html.TextToken:
			if r.hidden == 0 {
				r.visible(z.Text())
			}
		}
	}
}

func attributes(z *html.Tokenizer, more bool) map[string]string {
	attrs := map[string]string{}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		if _, dup := attrs[string(key)]; !dup {
			attrs[string(key)] = string(value)
		}
	}
	return attrs
}

func (r *reader) start(z *html.Tokenizer, selfClosing bool) {
	tag, more := z.TagName()
	name := string(tag)
	var attrs map[string]string
	switch name {
	case "a", "area", "frame", "base", "meta", "link", "input":
		attrs = attributes(z, more)
	case "div", "main", "app-root":
		r.mountPoint(z, name, more)
	}
	r.mark(name, selfClosing)
	switch name {
	case "title":
		if text := rawText(z); r.facts.title == "" {
			r.facts.title = strings.Join(strings.Fields(html.UnescapeString(text)), " ")
		}
	case "script":
		r.facts.scripts++
		rawText(z)
	case "style", "iframe", "noembed", "noframes", "xmp", "textarea":
		if !selfClosing {
			rawText(z)
		}
	case "noscript":
		r.noscript(z)
	case "template":
		r.hidden++
	case "base":
		if r.base == "" {
			r.base = attrs["href"]
		}
	case "meta":
		r.meta(attrs)
	case "link":
		r.link(attrs)
	case "a", "area", "frame":
		r.anchor(name, attrs)
	case "input":
		r.facts.password = r.facts.password || strings.EqualFold(attrs["type"], "password")
	}
}

// rawText returns the text of an element that holds no tags.
func rawText(z *html.Tokenizer) string {
	if z.Next() == html.TextToken {
		return string(z.Text())
	}
	return ""
}

// noscript reads the links of what a reader without scripts is shown, and
// whether that asks for scripts.
func (r *reader) noscript(z *html.Tokenizer) {
	text := rawText(z)
	r.facts.needsJS = r.facts.needsJS || strings.Contains(strings.ToLower(text), "javascript")
	inner := html.NewTokenizer(strings.NewReader(text))
	for {
		switch inner.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			tag, more := inner.TagName()
			name := string(tag)
			attrs := attributes(inner, more)
			switch name {
			case "a", "area":
				r.anchor(name, attrs)
			case "meta":
				r.meta(attrs)
			}
		}
	}
}

// mark follows where in the page the reader is.
func (r *reader) mark(name string, selfClosing bool) {
	if selfClosing || r.hidden > 0 {
		return
	}
	switch name {
	case "nav", "header", "footer", "aside":
		r.frame++
	case "main", "article":
		r.inMain++
		r.hasMain = true
	case "h1", "h2", "h3", "h4", "h5", "h6":
		r.heading = &strings.Builder{}
	case "pre":
		r.code = &strings.Builder{}
	case "button":
		r.button = true
	}
	// Block elements part words; inline ones do not.
	switch name {
	case "a", "b", "i", "em", "strong", "code", "span", "small", "sub", "sup", "kbd", "var", "abbr", "q", "mark", "wbr", "font", "tt":
	default:
		r.write(blank)
	}
}

// mountPoint notes an element that the usual frameworks fill.
func (r *reader) mountPoint(z *html.Tokenizer, name string, more bool) {
	if name == "app-root" {
		r.facts.mount = true
	}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		if string(key) != "id" {
			continue
		}
		switch string(value) {
		case "root", "app", "__next", "__nuxt", "___gatsby", "svelte", "mount", "react-root", "app-root", "main-app":
			r.facts.mount = true
		}
	}
}

func (r *reader) end(name string) {
	if name == "template" {
		r.hidden = max(0, r.hidden-1)
		return
	}
	if r.hidden > 0 {
		return
	}
	into := &r.body
	if r.inMain > 0 {
		into = &r.facts.main
	}
	switch name {
	case "nav", "header", "footer", "aside":
		r.frame = max(0, r.frame-1)
	case "main", "article":
		r.inMain = max(0, r.inMain-1)
	case "h1", "h2", "h3", "h4", "h5", "h6":
		if r.heading != nil && (r.frame == 0 || r.inMain > 0) {
			into.headings = append(into.headings, r.heading.String())
		}
		r.heading = nil
	case "pre":
		if r.code != nil {
			into.code = append(into.code, r.code.String())
		}
		r.code = nil
	case "button":
		r.button = false
	}
	switch name {
	case "p", "div", "li", "td", "th", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "dt", "dd", "section":
		r.write(blank)
	}
}

func (r *reader) visible(text []byte) {
	r.write(text)
	if r.button {
		return
	}
	if r.heading != nil {
		r.heading.Write(text)
	}
	if r.code != nil {
		r.code.Write(text)
	}
}

func (r *reader) write(text []byte) {
	r.text.Write(text)
	if r.inMain > 0 {
		r.inner.Write(text)
	} else if r.frame == 0 && !r.hasMain {
		r.outer.Write(text)
	}
}

// finish resolves what was collected against the page's base.
func (r *reader) finish(at *url.URL) {
	base := at
	if u, err := at.Parse(strings.TrimSpace(r.base)); err == nil && r.base != "" && u.Host != "" {
		base = u
	}
	f := r.facts
	f.links = resolveAll(r.hrefs, base)
	f.twins = resolveAll(r.alts, base)
	if r.canon != "" {
		f.canonical, _ = Normalize(r.canon, base) // nil when it makes no sense
	}
	if r.refresh != "" {
		f.refresh, _ = Normalize(r.refresh, base)
	}
	f.text = r.text.String()
	if r.hasMain {
		f.main.text = r.inner.String()
	} else {
		f.main = r.body
		f.main.text = r.outer.String()
	}
}

// resolveAll normalises addresses, each once. Pages link to their own parts
// hundreds of times, so that comparing before parsing pays.
func resolveAll(hrefs []string, base *url.URL) []*url.URL {
	var urls []*url.URL
	seen := map[string]bool{}
	for _, h := range hrefs {
		h, _, _ = strings.Cut(strings.TrimSpace(h), "#")
		if seen[h] {
			continue
		}
		seen[h] = true
		if u, ok := Normalize(h, base); ok {
			urls = append(urls, u)
		}
	}
	return urls
}
