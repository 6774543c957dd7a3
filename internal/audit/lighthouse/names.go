package lighthouse

// This file is the static part of the accessibility tree: names, labels, roles
// and ids, as far as they can be decided without styles and scripts.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"evergreen/internal/audit/finding"
	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func (j *judge) accessible() finding.Outcome {
	if j.Home.Err != nil || !j.Home.HTML() {
		return finding.Skipped("no page to look at")
	}
	t := tree.First(j.doc, atom.Title)
	if t == nil || strings.TrimSpace(tree.Raw(t)) == "" {
		return finding.Failed(j.asked(), "document-title: a page without a title")
	}
	ids := map[string]int{}
	for n := range j.doc.Descendants() {
		if id := tree.Attr(n, "id"); id != "" {
			ids[id]++
		}
	}
	for n := range j.doc.Descendants() {
		if n.Type != html.ElementNode || hidden(n) {
			continue
		}
		if why := j.nameFault(n); why != "" {
			return finding.Failed(j.asked(), why)
		}
		if why := ariaFault(n, ids); why != "" {
			return finding.Failed(j.asked(), why)
		}
	}
	return finding.Passed(j.asked(), "names, labels and roles as far as static HTML shows them")
}

// hidden reports whether an element is taken out of the tree.
func hidden(n *html.Node) bool {
	for up := n; up != nil; up = up.Parent {
		if tree.HasAttr(up, "hidden") || tree.Attr(up, "aria-hidden") == "true" && up.DataAtom != atom.Body {
			return true
		}
	}
	return false
}

// named reports whether attributes give an element a name.
func named(n *html.Node) bool {
	return strings.TrimSpace(tree.Attr(n, "aria-label")) != "" || tree.Attr(n, "aria-labelledby") != "" || strings.TrimSpace(tree.Attr(n, "title")) != ""
}

// worded reports whether what is inside an element gives it a name.
func worded(n *html.Node) bool {
	for c := range n.Descendants() {
		switch {
		case c.Type == html.TextNode && strings.TrimSpace(c.Data) != "":
			return true
		case c.DataAtom == atom.Img && strings.TrimSpace(tree.Attr(c, "alt")) != "", c.Type == html.ElementNode && named(c):
			return true
		}
	}
	return false
}

// nameFault says which control lacks a name.
func (j *judge) nameFault(n *html.Node) string {
	switch n.DataAtom {
	case atom.Button:
		if !named(n) && !worded(n) {
			return "button-name: a button without a name"
		}
	case atom.A:
		if tree.HasAttr(n, "href") && !named(n) && !worded(n) {
			return "link-name: a link without a name, to " + tree.Attr(n, "href")
		}
	case atom.Select:
		if !named(n) && !j.labelled(n) {
			return "select-name: a list without a name"
		}
	case atom.Textarea:
		if !named(n) && !j.labelled(n) {
			return "label: a text field without a label"
		}
	case atom.Input:
		return j.inputFault(n)
	case atom.Svg:
		if role := tree.Attr(n, "role"); (role == "img" || role == "graphics-document") && !named(n) && !worded(n) {
			return "svg-img-alt: a drawing without a name"
		}
	case atom.Body:
		if tree.Attr(n, "aria-hidden") == "true" {
			return "aria-hidden-body: the whole page is hidden"
		}
	}
	return ""
}

func (j *judge) inputFault(n *html.Node) string {
	switch kind := strings.ToLower(tree.Attr(n, "type")); kind {
	case "hidden", "submit", "reset":
		return ""
	case "button":
		if !named(n) && strings.TrimSpace(tree.Attr(n, "value")) == "" {
			return "input-button-name: a button without a name"
		}
	case "image":
		if !named(n) && strings.TrimSpace(tree.Attr(n, "alt")) == "" {
			return "input-image-alt: a picture button without a name"
		}
	default:
		if !named(n) && !j.labelled(n) && tree.Attr(n, "placeholder") == "" {
			return "label: an input without a label"
		}
	}
	return ""
}

// labelled reports whether a label belongs to a control.
func (j *judge) labelled(n *html.Node) bool {
	if tree.Inside(n, atom.Label) {
		return true
	}
	id := tree.Attr(n, "id")
	for _, l := range tree.Find(j.doc, atom.Label) {
		if id != "" && tree.Attr(l, "for") == id && strings.TrimSpace(tree.Text(l)) != "" {
			return true
		}
	}
	return false
}

// roles are those of WAI-ARIA 1.2 that authors may use, and the graphics and
// publishing ones by their prefix.
func roles() []string {
	return strings.Fields(`alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
		complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading
		img image insertion link list listbox listitem log main marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter
		navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search
		searchbox separator slider spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel term textbox
		time timer toolbar tooltip tree treegrid treeitem`)
}

// required are the attributes that a role cannot do without.
func required() map[string][]string {
	return map[string][]string{"checkbox": {"aria-checked"}, "switch": {"aria-checked"}, "radio": {"aria-checked"}, "menuitemcheckbox": {"aria-checked"},
		"combobox": {"aria-expanded"}, "slider": {"aria-valuenow"}, "scrollbar": {"aria-valuenow", "aria-controls"}, "meter": {"aria-valuenow"}, "heading": {"aria-level"}}
}

// attributes are the aria- attributes of WAI-ARIA 1.2, without the prefix.
func attributes() []string {
	return strings.Fields(`activedescendant atomic autocomplete braillelabel brailleroledescription busy checked colcount colindex colindextext
		colspan controls current describedby description details disabled dropeffect errormessage expanded flowto grabbed haspopup hidden
		invalid keyshortcuts label labelledby level live modal multiline multiselectable orientation owns placeholder posinset pressed
		readonly relevant required roledescription rowcount rowindex rowindextext rowspan selected setsize sort valuemax valuemin valuenow valuetext`)
}

// ariaFault says which attribute of an element is wrong.
func ariaFault(n *html.Node, ids map[string]int) string {
	if tab, err := strconv.Atoi(tree.Attr(n, "tabindex")); err == nil && tab > 0 {
		return fmt.Sprintf("tabindex: an element with tabindex %d", tab)
	}
	for _, a := range n.Attr {
		if name, ok := strings.CutPrefix(a.Key, "aria-"); ok && !slices.Contains(attributes(), name) {
			return "aria-valid-attr: " + a.Key
		}
	}
	for _, key := range []string{"aria-labelledby", "aria-controls", "aria-describedby", "aria-owns"} {
		for id := range strings.FieldsSeq(tree.Attr(n, key)) {
			if ids[id] > 1 {
				return "duplicate-id-aria: " + id
			}
		}
	}
	role, _, _ := strings.Cut(strings.TrimSpace(tree.Attr(n, "role")), " ")
	if role == "" {
		return ""
	}
	if !slices.Contains(roles(), role) && !strings.HasPrefix(role, "doc-") && !strings.HasPrefix(role, "graphics-") {
		return "aria-roles: the role " + role
	}
	native := n.DataAtom == atom.Input || n.DataAtom == atom.Select || tree.Heading(n)
	for _, key := range required()[role] {
		if !tree.HasAttr(n, key) && !native {
			return "aria-required-attr: the role " + role + " without " + key
		}
	}
	switch role {
	case "button", "link", "menuitem", "treeitem", "tab", "tooltip", "switch", "checkbox", "radio", "option":
		if !named(n) && !worded(n) {
			return "aria-command-name: a " + role + " without a name"
		}
	case "dialog", "alertdialog", "meter", "progressbar", "searchbox", "textbox", "combobox", "slider":
		if !named(n) && n.DataAtom != atom.Dialog {
			return "aria names: a " + role + " without a name"
		}
	}
	return ""
}
