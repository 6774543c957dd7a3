package canon

// Tabs and accordions: every panel becomes visible and says its label.

import (
	"strings"

	"evergreen/internal/platform"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// hiding are the attributes that keep an inactive panel out of sight.
var hiding = []string{"hidden", "aria-hidden", "style", "inert"}

func openTabs(root *html.Node, s *platform.Structure, mode Mode) {
	if mode == Faithful {
		unhide(root, s)
		return
	}
	if s.AnyTabs.Any(root) {
		for _, t := range s.Tabs {
			for _, group := range t.Group.All(root) {
				openGroup(group, t)
			}
		}
	}
	openARIATabs(root)
}

// unhide only makes all panels visible.
func unhide(root *html.Node, s *platform.Structure) {
	for _, t := range s.Tabs {
		for _, p := range t.Panel.All(root) {
			tree.DelAttr(p, hiding...)
		}
	}
	tree.Walk(root, func(n *html.Node) bool {
		if n.Type == html.ElementNode && strings.EqualFold(tree.Attr(n, "role"), "tabpanel") {
			tree.DelAttr(n, hiding...)
		}
		return n.Type == html.ElementNode
	})
}

// openGroup labels the panels of one group that a row of the table names.
func openGroup(group *html.Node, t platform.TabsAt) {
	labels, panels := t.Label.All(group), t.Panel.All(group)
	if len(labels) > 4*tabLimit || len(panels) > 4*tabLimit {
		return
	}
	labels, panels = outermost(labels, group), outermost(panels, group)
	if len(panels) == 0 || len(panels) > tabLimit {
		return
	}
	if t.Label.Source() == "" {
		labels = tabList(group, len(panels))
	}
	names := make([]string, len(panels))
	if len(labels) == len(panels) {
		for i, l := range labels {
			names[i] = oneLine(l)
		}
	}
	for i, p := range panels {
		panel(p, names[i])
	}
	for _, l := range labels {
		if !containsAny(l, panels) {
			removeLabel(l)
		}
	}
}

// outermost leaves out nodes of groups nested in the group's own panels.
func outermost(nodes []*html.Node, group *html.Node) []*html.Node {
	var out []*html.Node
	for _, n := range nodes {
		inner := false
		for _, o := range out {
			inner = inner || tree.Contains(o, n)
		}
		if !inner && nearestGroup(n, group) {
			out = append(out, n)
		}
	}
	return out
}

// nearestGroup reports whether no other element with group's first class lies
// between group and n.
func nearestGroup(n, group *html.Node) bool {
	class, _, _ := strings.Cut(strings.TrimSpace(tree.Attr(group, "class")), " ")
	for p := n.Parent; p != nil && p != group; p = p.Parent {
		if class != "" && tree.HasClass(p, class) {
			return false
		}
	}
	return true
}

// tabList finds the n labels in a list before the panels (Bootstrap's nav).
func tabList(group *html.Node, n int) []*html.Node {
	prev := tree.PrevElement(group)
	if prev == nil {
		return nil
	}
	items := tree.Find(prev, atom.Li)
	if len(items) != n {
		return nil
	}
	return items
}

// openARIATabs labels panels of the ARIA pattern: role=tab names its panel by
// aria-controls, a panel its tab by aria-labelledby; else they pair in order.
func openARIATabs(root *html.Node) {
	var tabs, panels []*html.Node
	byID := map[string]*html.Node{}
	tree.Walk(root, func(n *html.Node) bool {
		if n.Type != html.ElementNode {
			return false
		}
		switch strings.ToLower(tree.Attr(n, "role")) {
		case "tab":
			tabs = append(tabs, n)
			if id := tree.Attr(n, "id"); id != "" {
				byID[id] = n
			}
		case "tabpanel":
			panels = append(panels, n)
		}
		return true
	})
	if len(tabs) > tabLimit || len(panels) > tabLimit {
		tabs = nil // too many to pair; the panels are shown without labels
	}
	used := map[*html.Node]bool{}
	for _, p := range panels {
		if tree.HasAttr(p, AttrTab) {
			continue
		}
		name := ""
		if t := tabOf(p, tabs, byID, panels); t != nil {
			name = oneLine(t)
			used[t] = true
		}
		panel(p, name)
	}
	for _, t := range tabs {
		if used[t] {
			removeLabel(t)
		}
	}
}

// tabOf finds the tab of panel p.
func tabOf(p *html.Node, tabs []*html.Node, byID map[string]*html.Node, panels []*html.Node) *html.Node {
	if len(tabs) == 0 {
		return nil
	}
	list := tabsBefore(p, tabs)
	mine := siblings(p, panels)
	if len(mine) == 1 && len(list) > 1 {
		return nil // several tabs that filter one panel
	}
	if t := byID[tree.Attr(p, "aria-labelledby")]; t != nil {
		return t
	}
	if id := tree.Attr(p, "id"); id != "" {
		for _, t := range tabs {
			if tree.Attr(t, "aria-controls") == id || tree.Attr(t, "href") == "#"+id {
				return t
			}
		}
	}
	if len(list) != len(mine) {
		return nil
	}
	for i, x := range mine {
		if x == p {
			return list[i]
		}
	}
	return nil
}

// siblings returns the panels with p's parent, or with its grandparent when
// each panel stands in a wrapper of its own.
func siblings(p *html.Node, panels []*html.Node) []*html.Node {
	for up := 0; up < 2; up++ {
		var out []*html.Node
		for _, x := range panels {
			if ancestor(x, up+1) == ancestor(p, up+1) {
				out = append(out, x)
			}
		}
		if len(out) > 1 {
			return out
		}
	}
	return []*html.Node{p}
}

func ancestor(n *html.Node, up int) *html.Node {
	for ; up > 0 && n != nil; up-- {
		n = n.Parent
	}
	return n
}

// tabsBefore returns the tabs of the nearest tab list that shares one of p's
// close ancestors and is not inside p.
func tabsBefore(p *html.Node, tabs []*html.Node) []*html.Node {
	for up := 1; up <= 4; up++ {
		top := ancestor(p, up)
		if top == nil {
			return nil
		}
		var list *html.Node
		var out []*html.Node
		for _, t := range tabs {
			if !tree.Contains(top, t) || tree.Contains(p, t) {
				continue
			}
			own := listOf(t)
			if list == nil {
				list = own
			}
			if own == list {
				out = append(out, t)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// listOf is the tab list a tab stands in.
func listOf(t *html.Node) *html.Node {
	for p := t.Parent; p != nil; p = p.Parent {
		if strings.EqualFold(tree.Attr(p, "role"), "tablist") {
			return p
		}
	}
	return t.Parent
}

// panel makes n the canonical panel named name. A code block that is a panel
// itself is put into one.
func panel(n *html.Node, name string) {
	if tree.Is(n, atom.Pre) {
		box := tree.Element(atom.Section)
		tree.Wrap(n, box)
		tree.DelAttr(n, hiding...)
		n = box
	}
	tree.DelAttr(n, hiding...)
	tree.DelAttr(n, "role", "aria-labelledby")
	if !tree.Is(n, atom.Section) {
		tree.Rename(n, atom.Section)
	}
	tree.SetAttr(n, AttrTab, name)
	if name != "" {
		tree.Prepend(n, label(name))
	}
}

func containsAny(n *html.Node, in []*html.Node) bool {
	for _, x := range in {
		if tree.Contains(n, x) {
			return true
		}
	}
	return false
}

// removeLabel takes a tab's label out, and its list when that was the last.
func removeLabel(n *html.Node) {
	up := n.Parent
	tree.Remove(n)
	for up != nil && up.Parent != nil && tree.Blank(up) && tree.First(up, atom.Img) == nil && !tree.Is(up, atom.Body, atom.Main, atom.Article) {
		next := up.Parent
		tree.Remove(up)
		up = next
	}
}

// openAccordions opens details and the panels that a button with
// aria-expanded shows, which become details too.
func openAccordions(root *html.Node) {
	controls := map[string]*html.Node{}
	tree.Walk(root, func(n *html.Node) bool {
		if n.Type != html.ElementNode {
			return false
		}
		if n.DataAtom == atom.Details {
			tree.SetAttr(n, "open", "")
		}
		if id := tree.Attr(n, "aria-controls"); id != "" && tree.HasAttr(n, "aria-expanded") && !navigation(n) {
			controls[id] = n
		}
		return true
	})
	if len(controls) == 0 {
		return
	}
	var regions []*html.Node
	tree.Walk(root, func(n *html.Node) bool {
		if n.Type == html.ElementNode && controls[tree.Attr(n, "id")] != nil {
			regions = append(regions, n)
		}
		return true
	})
	for _, r := range regions {
		openRegion(r, controls[tree.Attr(r, "id")])
	}
}

// openRegion turns a collapsed region and its button into details.
func openRegion(region, button *html.Node) {
	name := oneLine(button)
	if name == "" || tree.Contains(region, button) || region.Parent == nil || tree.Is(region, atom.Ul, atom.Ol, atom.Nav, atom.Form) || navigation(region) {
		return
	}
	if m := tree.Measure(region); m.Chars == 0 || m.Linked*3 > m.Chars*2 {
		return // a menu
	}
	tree.DelAttr(region, hiding...)
	box := tree.Element(atom.Details, "open", "")
	sum := tree.Element(atom.Summary)
	sum.AppendChild(tree.TextNode(name))
	box.AppendChild(sum)
	tree.Wrap(region, box)
	if h := headingAround(button); h != nil {
		tree.Clear(h)
		h.AppendChild(tree.TextNode(name))
		tree.Remove(sum)
		tree.Unwrap(box)
		return
	}
	tree.Remove(button)
}

// headingAround is the heading that holds only the button.
func headingAround(button *html.Node) *html.Node {
	for p := button.Parent; p != nil; p = p.Parent {
		if tree.Heading(p) {
			if oneLine(p) == oneLine(button) {
				return p
			}
			return nil
		}
	}
	return nil
}

// navigation reports whether n is part of a menu or header.
func navigation(n *html.Node) bool {
	if tree.Inside(n, atom.Nav, atom.Header, atom.Aside, atom.Footer) {
		return true
	}
	for p := n; p != nil; p = p.Parent {
		switch strings.ToLower(tree.Attr(p, "role")) {
		case "navigation", "menu", "menubar", "banner", "tablist", "dialog":
			return true
		}
	}
	return false
}
