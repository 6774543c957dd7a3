package ui

// This file colours code, as classes that the stylesheet knows.

import (
	"html"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// highlight returns code as HTML with spans around what has a colour. ok is
// false for languages that are not known and for code too long to wait for.
func highlight(code, language string) (highlighted string, ok bool) {
	if language == "" || len(code) > maxHighlighted {
		return "", false
	}
	lexer := lexers.Get(language)
	if lexer == nil {
		return "", false
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(&chroma.TokeniseOptions{State: "root"}, code)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	for _, t := range tokens.Tokens() {
		class := classOf(t.Type)
		if class == "" {
			b.WriteString(html.EscapeString(t.Value))
			continue
		}
		b.WriteString(`<span class="` + class + `">` + html.EscapeString(t.Value) + "</span>")
	}
	return b.String(), true
}

// classOf names the few kinds of token that get a colour.
func classOf(t chroma.TokenType) string {
	switch {
	case t.InCategory(chroma.Comment):
		return "c"
	case t.InCategory(chroma.Keyword), t == chroma.NameTag:
		return "k"
	case t.InSubCategory(chroma.LiteralString):
		return "s"
	case t.InSubCategory(chroma.LiteralNumber):
		return "m"
	case t == chroma.NameFunction, t == chroma.NameClass, t == chroma.NameBuiltin, t == chroma.NameAttribute, t == chroma.NameDecorator:
		return "n"
	case t == chroma.GenericDeleted, t == chroma.Error:
		return "d"
	case t == chroma.GenericInserted:
		return "i"
	}
	return ""
}
