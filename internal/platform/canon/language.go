package canon

// The language of a code block: where generators write it, and its name.

import (
	"strings"

	"evergreen/internal/platform/tree"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// languageNear looks for the language on pre, on the code inside it, then on
// up to four wrappers that hold only this block.
func languageNear(pre *html.Node) string {
	if l := language(pre); l != "" {
		return l
	}
	for _, c := range tree.Find(pre, atom.Code) {
		if l := language(c); l != "" {
			return l
		}
	}
	for up, p := 0, pre.Parent; up < 4 && p != nil && p.Type == html.ElementNode; up, p = up+1, p.Parent {
		if tree.Is(p, atom.Body, atom.Main, atom.Article, atom.Li, atom.Td, atom.Blockquote) || tree.Is(p, atom.Section) && !tree.HasAttr(p, AttrTab) || !oneBlock(p) {
			break
		}
		if l := language(p); l != "" {
			return l
		}
	}
	return ""
}

// oneBlock reports whether n holds one code block, with blocks inside it as
// part of it. It looks no further than the second.
func oneBlock(n *html.Node) bool { return blocksUpTo2(n, 0) == 1 }

func blocksUpTo2(n *html.Node, k int) int {
	for c := n.FirstChild; c != nil && k < 2; c = c.NextSibling {
		if tree.Is(c, atom.Pre) {
			k++
		} else {
			k = blocksUpTo2(c, k)
		}
	}
	return k
}

// language reads the language that an element names by attribute or class.
func language(n *html.Node) string {
	for _, key := range [...]string{"data-lang", "data-language", "data-code-language", "data-enlighter-language", "language", "lang"} {
		if v := tree.Attr(n, key); v != "" && (key != "lang" || knownLanguage(strings.ToLower(v)) && len(v) > 2) {
			if l := cleanLanguage(v); l != "" {
				return l
			}
		}
	}
	classes := strings.Fields(tree.Attr(n, "class"))
	for i, c := range classes {
		if l := classLanguage(c, classes[i+1:]); l != "" {
			return l
		}
	}
	if v := tree.Attr(n, "data-syntaxhighlighter-params"); v != "" {
		if _, rest, ok := strings.Cut(v, "brush:"); ok {
			name, _, _ := strings.Cut(rest, ";")
			return cleanLanguage(name)
		}
	}
	marked := tree.Is(n, atom.Pre, atom.Code)
	for _, c := range classes {
		marked = marked || c == "highlight" || c == "hljs" || c == "sourceCode" || c == "src" || c == "chroma" || c == "codehilite" || c == "code"
	}
	for _, c := range classes {
		if marked && knownLanguage(strings.ToLower(c)) {
			return cleanLanguage(c)
		}
	}
	return ""
}

// classLanguage reads one class; rest are the classes after it.
func classLanguage(c string, rest []string) string {
	for _, prefix := range [...]string{"language-", "lang-", "highlight-source-", "highlight-text-", "brush:", "src-", "code-lang-"} {
		if len(c) > len(prefix) && strings.EqualFold(c[:len(prefix)], prefix) {
			name := c[len(prefix):]
			if prefix == "src-" && !knownLanguage(strings.ToLower(name)) {
				continue
			}
			if prefix == "highlight-text-" {
				name, _, _ = strings.Cut(name, "-")
			}
			return cleanLanguage(name)
		}
	}
	if strings.EqualFold(c, "brush:") && len(rest) > 0 {
		return cleanLanguage(rest[0])
	}
	if name, ok := strings.CutPrefix(c, "highlight-"); ok {
		switch name {
		case "default", "none", "block", "wrapper", "lines", "wrap", "toolbar", "container", "text":
			return map[string]string{"text": "text"}[name]
		}
		if knownLanguage(strings.ToLower(name)) || len(rest) > 0 && rest[0] == "notranslate" {
			return cleanLanguage(name)
		}
	}
	return ""
}

// cleanLanguage makes a name fit for the info string of a fence: lower case,
// one word; "" when it is none.
func cleanLanguage(s string) string {
	s = strings.ToLower(strings.TrimSpace(strings.Trim(s, `;"' `)))
	if i := strings.IndexAny(s, " ,{;"); i > 0 {
		s = s[:i]
	}
	switch s {
	case "none", "plain", "plaintext", "undefined", "unknown", "nohighlight", "no-highlight", "txt", "raw", "auto", "null":
		return "text"
	case "default", "wrapper", "":
		return ""
	}
	if len(s) > languageLimit || strings.ContainsAny(s, "`<>\\&=\"'") {
		return ""
	}
	return s
}

// sameLanguage reports whether a label names lang in another spelling.
func sameLanguage(label, lang string) bool {
	a, b := canonicalName(strings.ToLower(label)), canonicalName(lang)
	return a == b
}

// canonicalName folds the common aliases that a label and a class differ by.
func canonicalName(l string) string {
	switch l {
	case "javascript", "js", "node", "nodejs", "node.js":
		return "js"
	case "typescript", "ts":
		return "ts"
	case "sh", "shell", "bash", "console", "terminal", "shell-session", "zsh":
		return "sh"
	case "yaml", "yml":
		return "yaml"
	case "py", "python", "python3":
		return "py"
	case "golang", "go":
		return "go"
	case "rust", "rs":
		return "rs"
	case "c++", "cpp":
		return "cpp"
	case "c#", "csharp", "cs":
		return "cs"
	case "markdown", "md":
		return "md"
	case "html", "markup", "xml":
		return "html"
	case "ruby", "rb":
		return "rb"
	}
	return l
}

// knownLanguage reports whether a bare word is the name of a language. It
// guards class names and labels that carry no prefix.
func knownLanguage(s string) bool {
	switch s {
	case "abap", "ada", "apache", "apl", "arduino", "asm", "awk", "bash", "basic", "bat", "batch", "c", "c#", "c++",
		"clojure", "cmake", "cobol", "coffeescript", "console", "cpp", "crystal", "cs", "csharp", "css", "csv", "cuda",
		"cython", "d", "dart", "diff", "docker", "dockerfile", "elixir", "elm", "erlang", "fortran", "fsharp", "gdscript",
		"git", "glsl", "go", "golang", "gradle", "graphql", "groovy", "haskell", "hcl", "hlsl", "html", "http", "ini",
		"ipython", "ipython3", "java", "javascript", "jinja", "json", "json5", "jsonc", "jsx", "julia", "kotlin", "latex", "lean",
		"less", "lisp", "lua", "make", "makefile", "markdown", "matlab", "md", "mdx", "mermaid", "nginx", "nim", "nix", "node.js",
		"objective-c", "objectivec", "ocaml", "pascal", "perl", "php", "plsql", "powershell", "proto", "protobuf", "prolog",
		"ps1", "puppet", "py", "pycon", "python", "python3", "pytb", "r", "racket", "rb", "rest", "rs", "rst", "ruby", "rust",
		"sas", "sass", "scala", "scheme", "scss", "sh", "shell", "shell-session", "solidity", "sparql", "sql", "svelte",
		"swift", "tcl", "terminal", "terraform", "tex", "toml", "ts", "tsx", "typescript", "vb", "vbnet", "verilog", "vhdl", "vim",
		"vue", "wasm", "xml", "xquery", "yaml", "yml", "zig", "zsh":
		return true
	}
	return false
}
