package tree

// Selectors: the part of CSS that naming a place in a generator's page needs.

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
)

// Selector is a compiled group of CSS selectors. It knows element names, #id,
// .class, [attr], the operators = ~= ^= $= *=, :not() of one simple selector,
// descendants (white space) and children (>). The zero value matches nothing.
type Selector struct {
	byID, byClass, byTag, byAttr map[string][]*compound
	all                          []*compound // in source order
	src                          string
}

// Source returns the selectors as they were written.
func (s *Selector) Source() string {
	if s == nil {
		return ""
	}
	return s.src
}

// compound is one element's conditions; left is what must stand above it.
type compound struct {
	tag, id string
	classes []string
	attrs   []attrTest
	not     []*compound
	left    *compound
	child   bool // left must be the parent, not just any ancestor
}

type attrTest struct {
	key, val string
	op       byte // 0 presence, '=', '~', '^', '$', '*'
}

// Compile parses a comma-separated group of selectors.
func Compile(group string) (*Selector, error) {
	s := &Selector{src: strings.TrimSpace(group), byID: map[string][]*compound{}, byClass: map[string][]*compound{}, byTag: map[string][]*compound{}, byAttr: map[string][]*compound{}}
	p := &selectorParser{src: group}
	for p.skip(); p.pos < len(p.src); p.skip() {
		c, err := p.complex()
		if err != nil {
			return nil, fmt.Errorf("selector %q: %w", group, err)
		}
		s.add(c)
		if p.skip(); p.pos < len(p.src) {
			if p.src[p.pos] != ',' {
				return nil, fmt.Errorf("selector %q: unexpected %q", group, p.src[p.pos])
			}
			p.pos++
		}
	}
	return s, nil
}

// MustCompile is Compile for selectors written in the program.
func MustCompile(group string) *Selector {
	s, err := Compile(group)
	if err != nil {
		panic(err)
	}
	return s
}

// add files c under the rarest thing it asks for.
func (s *Selector) add(c *compound) {
	s.all = append(s.all, c)
	switch {
	case c.id != "":
		s.byID[c.id] = append(s.byID[c.id], c)
	case len(c.classes) > 0:
		s.byClass[c.classes[0]] = append(s.byClass[c.classes[0]], c)
	case len(c.attrs) > 0:
		s.byAttr[c.attrs[0].key] = append(s.byAttr[c.attrs[0].key], c)
	default:
		s.byTag[c.tag] = append(s.byTag[c.tag], c)
	}
}

// Match reports whether n is an element that one of the selectors names.
func (s *Selector) Match(n *html.Node) bool {
	if s == nil || len(s.all) == 0 || n.Type != html.ElementNode {
		return false
	}
	if len(s.byTag) > 0 && (anyMatch(s.byTag[n.Data], n) || anyMatch(s.byTag[""], n)) {
		return true
	}
	for i := range n.Attr {
		a := &n.Attr[i]
		if len(s.byAttr) > 0 && anyMatch(s.byAttr[a.Key], n) {
			return true
		}
		switch a.Key {
		case "id":
			if len(s.byID) > 0 && anyMatch(s.byID[a.Val], n) {
				return true
			}
		case "class":
			if len(s.byClass) > 0 && s.matchClass(a.Val, n) {
				return true
			}
		}
	}
	return false
}

func (s *Selector) matchClass(list string, n *html.Node) bool {
	for i := 0; i < len(list); {
		for i < len(list) && isSpace(list[i]) {
			i++
		}
		j := i
		for j < len(list) && !isSpace(list[j]) {
			j++
		}
		if j > i && anyMatch(s.byClass[list[i:j]], n) {
			return true
		}
		i = j
	}
	return false
}

func anyMatch(cs []*compound, n *html.Node) bool {
	for _, c := range cs {
		if c.match(n) {
			return true
		}
	}
	return false
}

// All returns the elements below n that match, in document order.
func (s *Selector) All(n *html.Node) []*html.Node {
	var out []*html.Node
	if s != nil && len(s.all) > 0 {
		Walk(n, func(c *html.Node) bool {
			if s.Match(c) {
				out = append(out, c)
			}
			return true
		})
	}
	return out
}

// First returns the first match below n for the first selector of the group
// that matches at all: earlier selectors of a group win over later ones.
func (s *Selector) First(n *html.Node) *html.Node {
	if s == nil {
		return nil
	}
	best, rank := (*html.Node)(nil), len(s.all)
	Walk(n, func(c *html.Node) bool {
		if rank > 0 && s.Match(c) {
			for i, x := range s.all[:rank] {
				if x.match(c) {
					best, rank = c, i
					break
				}
			}
		}
		return rank > 0
	})
	return best
}

// Place returns the lowest place in the group of a selector that matches n
// itself, -1 when none does.
func (s *Selector) Place(n *html.Node) int {
	if s.Match(n) {
		for i, x := range s.all {
			if x.match(n) {
				return i
			}
		}
	}
	return -1
}

// Best returns the lowest place in the group of a selector that matches
// something below n, -1 when none does.
func (s *Selector) Best(n *html.Node) int {
	rank := len(s.all)
	Walk(n, func(c *html.Node) bool {
		if rank > 0 && s.Match(c) {
			for i, x := range s.all[:rank] {
				if x.match(c) {
					rank = i
					break
				}
			}
		}
		return rank > 0
	})
	if rank == len(s.all) {
		return -1
	}
	return rank
}

// Len is how many selectors the group holds.
func (s *Selector) Len() int { return len(s.all) }

// Any reports whether something below n matches.
func (s *Selector) Any(n *html.Node) bool {
	if s == nil {
		return false
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if s.Match(c) || s.Any(c) {
			return true
		}
	}
	return false
}

func (c *compound) match(n *html.Node) bool {
	if n.Type != html.ElementNode || !c.matchSelf(n) {
		return false
	}
	if c.left == nil {
		return true
	}
	for p := n.Parent; p != nil && p.Type == html.ElementNode; p = p.Parent {
		if c.left.match(p) {
			return true
		}
		if c.child {
			return false
		}
	}
	return false
}

func (c *compound) matchSelf(n *html.Node) bool {
	if c.tag != "" && c.tag != n.Data || c.id != "" && c.id != Attr(n, "id") {
		return false
	}
	for _, k := range c.classes {
		if !HasClass(n, k) {
			return false
		}
	}
	for i := range c.attrs {
		if !c.attrs[i].match(n) {
			return false
		}
	}
	for _, x := range c.not {
		if x.matchSelf(n) {
			return false
		}
	}
	return true
}

func (t *attrTest) match(n *html.Node) bool {
	for i := range n.Attr {
		if n.Attr[i].Key != t.key {
			continue
		}
		v := n.Attr[i].Val
		switch t.op {
		case 0:
			return true
		case '=':
			return v == t.val
		case '~':
			return hasToken(v, t.val)
		case '^':
			return strings.HasPrefix(v, t.val)
		case '$':
			return strings.HasSuffix(v, t.val)
		case '*':
			return strings.Contains(v, t.val)
		}
	}
	return false
}

type selectorParser struct {
	src string
	pos int
}

func (p *selectorParser) skip() {
	for p.pos < len(p.src) && isSpace(p.src[p.pos]) {
		p.pos++
	}
}

// complex reads compounds and combinators up to a comma or the end.
func (p *selectorParser) complex() (*compound, error) {
	var left *compound
	child := false
	for {
		c, err := p.compound()
		if err != nil {
			return nil, err
		}
		c.left, c.child = left, child
		left, child = c, false
		p.skip()
		if p.pos == len(p.src) || p.src[p.pos] == ',' || p.src[p.pos] == ')' {
			return c, nil
		}
		if p.src[p.pos] == '>' {
			child = true
			p.pos++
			p.skip()
		}
	}
}

func (p *selectorParser) compound() (*compound, error) {
	c := &compound{}
	start := p.pos
	c.tag = p.name()
	if c.tag == "" && p.pos < len(p.src) && p.src[p.pos] == '*' {
		p.pos++
	}
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case '#':
			p.pos++
			c.id = p.name()
		case '.':
			p.pos++
			c.classes = append(c.classes, p.name())
		case '[':
			t, err := p.attr()
			if err != nil {
				return nil, err
			}
			c.attrs = append(c.attrs, t)
		case ':':
			if !strings.HasPrefix(p.src[p.pos:], ":not(") {
				return nil, fmt.Errorf("unknown pseudo-class at %d", p.pos)
			}
			p.pos += len(":not(")
			x, err := p.compound()
			if err != nil {
				return nil, err
			}
			if p.pos == len(p.src) || p.src[p.pos] != ')' {
				return nil, fmt.Errorf("unclosed :not( at %d", p.pos)
			}
			p.pos++
			c.not = append(c.not, x)
		default:
			if p.pos == start {
				return nil, fmt.Errorf("unexpected %q at %d", p.src[p.pos], p.pos)
			}
			return c, nil
		}
	}
	if p.pos == start {
		return nil, fmt.Errorf("nothing to match at %d", p.pos)
	}
	return c, nil
}

// attr reads [key], [key=value] and the other operators.
func (p *selectorParser) attr() (attrTest, error) {
	body, _, ok := strings.Cut(p.src[p.pos+1:], "]")
	if !ok {
		return attrTest{}, fmt.Errorf("unclosed [ at %d", p.pos)
	}
	p.pos += len(body) + 2
	key, val, ok := strings.Cut(body, "=")
	if !ok {
		return attrTest{key: key}, nil
	}
	t := attrTest{op: '=', val: strings.Trim(val, `"'`)}
	if k := len(key) - 1; k > 0 && strings.IndexByte("~^$*", key[k]) >= 0 {
		t.op, key = key[k], key[:k]
	}
	t.key = key
	return t, nil
}

func (p *selectorParser) name() string {
	start := p.pos
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		if c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 {
			p.pos++
			continue
		}
		break
	}
	return p.src[start:p.pos]
}
