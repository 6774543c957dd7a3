package web

// This file answers an unknown path with the way to what is there, in the type
// and language of the client.

import (
	"net/http"
	"strings"

	"evergreen"
	"evergreen/internal/kb"
	"evergreen/internal/site"
)

// notFound answers 404.
func (s *Server) notFound(w http.ResponseWriter, r *http.Request, at *served) {
	tally(w, routeMissing)
	n := at.NotFound(r.URL.Path, missingLang(r, at))
	a := answer{status: http.StatusNotFound, cache: cacheMissing, vary: "Accept, Accept-Language"}
	switch missingType(r) {
	case "text/html":
		a.kind, a.body = typeHTML, []byte(n.HTML())
		if s.options.Pages != nil {
			a.header = http.Header{"Content-Security-Policy": {s.options.Pages.Policy()}}
		}
	case "text/markdown":
		a.kind, a.body = typeMarkdown, []byte(n.Markdown())
	case "text/plain":
		a.kind, a.body = typeText, []byte(n.Text())
	default:
		body, err := n.Problem()
		if err != nil {
			s.log.Error("encode problem", "error", err)
		}
		a.kind, a.body = typeProblem, body
	}
	s.write(w, r, a)
}

// missingType is the type of the 404 body: what Accept prefers, else text, and
// a problem on the API.
func missingType(r *http.Request) string {
	accept := acceptOf(r)
	if strings.HasPrefix(r.URL.Path, "/api/") {
		return prefer(accept, typeProblem, "text/plain", "text/markdown", "text/html", "application/json")
	}
	return prefer(accept, "text/plain", "text/markdown", "text/html", "application/json", typeProblem)
}

// missingLang is the language of the 404 body: what Accept-Language prefers,
// else the site's first language.
func missingLang(r *http.Request, at *served) string {
	header := joined(r.Header["Accept-Language"])
	lower := strings.ToLower(header)
	if !strings.Contains(lower, "zh") && !strings.Contains(lower, "en") {
		header = at.Lang(site.Page{})
	}
	lang, err := kb.Lang("", "", header)
	if err != nil {
		return evergreen.LangEnglish
	}
	return lang
}
