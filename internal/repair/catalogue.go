package repair

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"evergreen"

	"evergreen/internal/repair/shape"
	"evergreen/internal/repair/spelling"
)

// Tool is one tool as its server lists it, with the operator's word on it.
type Tool struct {
	Name        string
	Schema      json.RawMessage // JSON Schema of the arguments; empty: any object
	ReadOnly    *bool           // annotation readOnlyHint, nil when not said
	Destructive *bool           // annotation destructiveHint, nil when not said

	Class    Class  // operator's word; empty: derived from annotations and name
	Policy   Policy // operator's word; empty: by class
	Primary  string // parameter that a bare value is for; set for our own search tool only
	Own      bool   // served by us, not by an upstream
	Hidden   bool   // not listed, or disabled: matched, but never called
	Upstream string // prefix of a proxied tool; empty: x of a name x__y
	Aliases  []string
	// Keys maps further names of parameters, in any case and separators, to the
	// declared ones. The tool accepts them as its own: they are renamed without a
	// hint.
	Keys map[string]string
}

// Options are the settings of a catalogue.
type Options struct {
	// Server is our own server's name, which clients put in front of tool
	// names. Empty: "evergreen".
	Server string
	// Aliases maps further names to tool names.
	Aliases map[string]string
}

// Catalogue is the set of all tools that calls are matched against. It is
// immutable and safe for concurrent use.
type Catalogue struct {
	server  string
	tools   []*tool // sorted by name
	byName  map[string]*tool
	words   map[string]bool    // every token of every name
	spelt   map[string][]*tool // by letters of the whole name
	bare    map[string][]*tool // by letters of the name without its upstream
	aliases map[string]*tool   // by letters of the alias
	servers [][]string         // names to strip: tokens of our own
	verbs   map[string]bool

	ungated bool // tests only: nothing is validated
}

// tool is a Tool with everything resolved.
type tool struct {
	Tool
	bare   string // name without the upstream's prefix
	class  Class
	ladder ladder
	root   *shape.Shape
	keys   map[string]string // Keys by letters
	// tokens of name, bare name, upstream
	nameTokens, bareTokens, upstreamTokens []string
}

// vendorNames are the names under which agents know other web search tools.
// They stand for our own search tool, unless a tool of that name is served.
func vendorNames() []string {
	return []string{
		"search_web", "brave_web_search", "tavily_search", "web_search_exa", "searxng_web_search",
		"web_search_prime", "google_search", "internet_search", "websearch",
	}
}

// NewCatalogue resolves the tools' schemas. It fails with evergreen.Invalid on
// a tool without a name, two tools of one name, an unknown class or policy, an
// alias of nothing, and a further key of no parameter. A schema that cannot be resolved is no fault: calls of
// that tool are repaired in name and container only.
func NewCatalogue(tools []Tool, opt Options) (*Catalogue, error) {
	c := &Catalogue{
		server: opt.Server, byName: map[string]*tool{}, words: map[string]bool{}, spelt: map[string][]*tool{},
		bare: map[string][]*tool{}, aliases: map[string]*tool{}, verbs: map[string]bool{},
	}
	if c.server == "" {
		c.server = "evergreen"
	}
	c.servers = [][]string{{"mcp"}, {"1mcp"}, spelling.Tokens(c.server)}
	for _, v := range knownVerbs() {
		c.verbs[v] = true
	}
	shapes := map[string]*shape.Shape{}
	for i := range tools {
		if err := c.add(&tools[i], shapes); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(c.tools, func(a, b *tool) int { return strings.Compare(a.Name, b.Name) })
	for _, t := range c.tools {
		c.spelt[spelling.Letters(t.Name)] = append(c.spelt[spelling.Letters(t.Name)], t)
		if t.bare != t.Name {
			c.bare[spelling.Letters(t.bare)] = append(c.bare[spelling.Letters(t.bare)], t)
		}
		for _, w := range t.nameTokens {
			c.words[w] = true
		}
	}
	return c, c.addAliases(opt.Aliases)
}

// add enters one tool. Tools with the same schema share its shape.
func (c *Catalogue) add(in *Tool, shapes map[string]*shape.Shape) error {
	switch {
	case in.Name == "":
		return evergreen.Errorf(evergreen.Invalid, "a tool has no name").Fix("give every tool of the registry a name")
	case c.byName[in.Name] != nil:
		return evergreen.Errorf(evergreen.Invalid, "two tools are called %q", in.Name).Fix("rename one of them or give its upstream a prefix")
	case !slices.Contains([]Class{"", Read, Write, Destructive}, in.Class):
		return evergreen.Errorf(evergreen.Invalid, "tool %q has an unknown class %q", in.Name, in.Class).Fix("use read, write or destructive")
	case !slices.Contains([]Policy{"", PolicyOff, PolicyHintOnly, PolicySafe, PolicyFull}, in.Policy):
		return evergreen.Errorf(evergreen.Invalid, "tool %q has an unknown repair policy %q", in.Name, in.Policy).Fix("use off, hint-only, safe or full")
	}
	t := &tool{Tool: *in, bare: in.Name, nameTokens: spelling.Tokens(in.Name)}
	if t.Upstream == "" {
		if x, y, ok := strings.Cut(in.Name, "__"); ok && x != "" && y != "" {
			t.Upstream, t.bare = x, y
		}
	} else if rest, ok := strings.CutPrefix(in.Name, t.Upstream); ok {
		if rest = strings.TrimLeft(rest, "_-./:"); rest != "" {
			t.bare = rest
		}
	}
	t.bareTokens, t.upstreamTokens = spelling.Tokens(t.bare), spelling.Tokens(t.Upstream)
	t.class = classOf(in, t.bare)
	t.ladder = ladderOf(t.class, in.Policy)
	if t.root = shapes[string(in.Schema)]; t.root == nil {
		t.root = shape.Compile(in.Schema)
		shapes[string(in.Schema)] = t.root
	}
	if err := t.furtherKeys(in); err != nil {
		return err
	}
	c.byName[in.Name] = t
	c.tools = append(c.tools, t)
	return nil
}

// addAliases enters the configured aliases and, for our own search tool, the
// vendors' names. An alias that spells a served tool's name is none.
func (c *Catalogue) addAliases(configured map[string]string) error {
	enter := func(alias string, t *tool) {
		key := spelling.Letters(alias)
		if c.spelt[key] == nil && c.bare[key] == nil && c.aliases[key] == nil {
			c.aliases[key] = t
		}
	}
	for _, alias := range slices.Sorted(maps.Keys(configured)) {
		t := c.byName[configured[alias]]
		if t == nil {
			return evergreen.Errorf(evergreen.Invalid, "alias %q stands for %q, which is no tool", alias, configured[alias]).
				Near(c.rank(configured[alias])...)
		}
		enter(alias, t)
	}
	for _, t := range c.tools {
		for _, alias := range t.Aliases {
			enter(alias, t)
		}
	}
	if t := c.byName["web_search"]; t != nil && t.Primary != "" {
		for _, alias := range vendorNames() {
			enter(alias, t)
		}
	}
	return nil
}

// ClassOf returns the class of a tool, and false for an unknown name.
func (c *Catalogue) ClassOf(name string) (Class, bool) {
	t := c.byName[name]
	if t == nil {
		return "", false
	}
	return t.class, true
}
