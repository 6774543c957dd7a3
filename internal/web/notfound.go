package web

// This file writes the 404 that shows the way: the list of entry points, made
// from the route table, so that it holds only what is served.

import (
	"fmt"
	"html"
	"net/http"
	"strings"
	"unicode"

	"evergreen"
	"evergreen/internal/kb"
)

// entryColumn is the width of the path column of the text form.
const entryColumn = 38

// entry is one line of the list.
type entry struct {
	Path, kind, title, English, chinese string
}

// entryPoints collects the routes that the list names, in table order.
func (s *Server) entryPoints() []entry {
	var entries []entry
	for _, r := range append(s.table(), s.documents()...) {
		if r.english == "" {
			continue
		}
		e := entry{Path: r.path, kind: strings.TrimSuffix(r.kind, "; charset=utf-8"), title: r.title,
			English: r.english, chinese: r.chinese}
		if r.shown != "" {
			e.Path = r.shown
		}
		entries = append(entries, e)
	}
	return entries
}

// notFound answers an unknown path, in the type and language of the client.
func (s *Server) notFound(w http.ResponseWriter, r *http.Request) {
	shown := shownPath(r.URL.Path)
	lang, err := kb.Lang("", "", r.Header.Get("Accept-Language"))
	if err != nil {
		lang = evergreen.LangEnglish
	}
	a := answer{status: http.StatusNotFound, cache: cacheMissing, vary: "Accept, Accept-Language"}
	accept := r.Header.Get("Accept")
	kind := prefer(accept, "text/plain", "text/markdown", "text/html", "application/json", "application/problem+json")
	if strings.HasPrefix(r.URL.Path, "/api/") {
		kind = prefer(accept, "application/problem+json", "text/plain", "text/markdown", "text/html", "application/json")
	}
	switch kind {
	case "text/html":
		a.kind, a.body = typeHTML, []byte(s.notFoundHTML(shown, lang))
	case "text/markdown":
		a.kind, a.body = typeMarkdown, []byte(s.notFoundMarkdown(shown, lang))
	case "text/plain":
		a.kind, a.body = typeText, []byte(s.notFoundText(shown, lang))
	default:
		p := problem{Type: "about:blank", Title: "Not Found", Status: http.StatusNotFound, Instance: shown,
			Detail: fmt.Sprintf("The path %s does not exist. Start at %s.", shown, s.start())}
		for _, e := range s.entries {
			p.EntryPoints = append(p.EntryPoints, entryPointDoc{Path: e.Path, Type: e.kind, Title: e.title})
		}
		body, err := Encode(p, "  ")
		if err != nil {
			s.log.Error("encode problem", "error", err)
		}
		a.kind, a.body = typeProblem, body
	}
	s.write(w, r, a)
}

// start is the path a lost client should begin at.
func (s *Server) start() string {
	if s.serves("/llms.txt") {
		return "/llms.txt"
	}
	return "/"
}

// words returns the sentence and the headline of the list in a language.
func (s *Server) words(shown, lang string) (sentence, headline string) {
	if lang == evergreen.LangChinese {
		return "请求的路径 " + shown + " 不存在。", s.options.Site.Name + " 的机读入口："
	}
	return "The path " + shown + " does not exist.", "Machine-readable entry points of " + s.options.Site.Name + ":"
}

func (e entry) in(lang string) string {
	if lang == evergreen.LangChinese {
		return e.chinese
	}
	return e.English
}

func (s *Server) notFoundText(shown, lang string) string {
	sentence, headline := s.words(shown, lang)
	var b strings.Builder
	fmt.Fprintf(&b, "404 — Not Found\n\n%s\n\n%s\n", sentence, headline)
	for _, e := range s.entries {
		gap := max(entryColumn-len(e.Path), 2)
		fmt.Fprintf(&b, "  %s%s%s\n", e.Path, strings.Repeat(" ", gap), e.in(lang))
	}
	return b.String()
}

func (s *Server) notFoundMarkdown(shown, lang string) string {
	sentence, headline := s.words("`"+strings.ReplaceAll(shown, "`", "'")+"`", lang)
	var b strings.Builder
	fmt.Fprintf(&b, "# 404 — Not Found\n\n%s\n\n%s\n\n", sentence, headline)
	for _, e := range s.entries {
		fmt.Fprintf(&b, "- `%s`: %s\n", e.Path, e.in(lang))
	}
	return b.String()
}

func (s *Server) notFoundHTML(shown, lang string) string {
	sentence, headline := s.words(shown, lang)
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html>\n<html lang=%q>\n<head><meta charset=\"utf-8\">"+
		"<meta name=\"viewport\" content=\"width=device-width\"><title>404 — Not Found</title></head>\n<body>\n"+
		"<h1>404 — Not Found</h1>\n<p>%s</p>\n<p>%s</p>\n<ul>\n", lang, html.EscapeString(sentence), html.EscapeString(headline))
	for _, e := range s.entries {
		fmt.Fprintf(&b, "<li><code>%s</code> %s</li>\n", html.EscapeString(e.Path), html.EscapeString(e.in(lang)))
	}
	b.WriteString("</ul>\n</body>\n</html>\n")
	return b.String()
}

// shownPath is a decoded path that is safe to repeat: no control characters,
// at most maxShownPath characters.
func shownPath(path string) string {
	shown := []rune(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, path))
	if len(shown) > maxShownPath {
		shown = shown[:maxShownPath]
	}
	return string(shown)
}
