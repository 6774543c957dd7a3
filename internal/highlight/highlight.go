// Package highlight colours code for reading pages: it tells comments, strings,
// numbers, keywords and names apart, in some fifty languages. It parses no
// language; what it takes for a keyword may be a name, and no more is lost with
// it than a colour.
package highlight

import (
	"html"
	"strings"
)

// Classes of the spans, as the pages' stylesheet knows them.
const (
	comment  = "c"
	keyword  = "k"
	text     = "s"
	number   = "m"
	name     = "n" // of functions, attributes, keys and variables
	deleted  = "d"
	inserted = "i"
)

// HTML returns code as HTML with a span around whatever has a colour: its text
// is the code. ok is false for a language that is not known and for code above
// 32 KiB. The time is proportional to the code's length.
func HTML(code, language string) (highlighted string, ok bool) {
	g := find(language)
	if g == nil || len(code) > MaxBytes {
		return "", false
	}
	p := &painter{}
	g.paint(p, code)
	p.flush()
	return p.b.String(), true
}

// painter writes HTML. What follows with the same class goes into one span.
type painter struct {
	b     strings.Builder
	class string
	run   strings.Builder
}

// add writes code with a class, "" for none.
func (p *painter) add(class, code string) {
	if code == "" {
		return
	}
	if class != p.class {
		p.flush()
		p.class = class
	}
	p.run.WriteString(code)
}

func (p *painter) flush() {
	if p.run.Len() == 0 {
		return
	}
	escaped := html.EscapeString(p.run.String())
	if p.class == "" {
		p.b.WriteString(escaped)
	} else {
		p.b.WriteString(`<span class="` + p.class + `">` + escaped + "</span>")
	}
	p.run.Reset()
}
