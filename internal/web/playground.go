package web

// This file answers the home page, with the answer to the question in its
// address.

import (
	"net/http"
	"strconv"
	"strings"

	"evergreen"
	"evergreen/internal/site"
)

// playground answers the home page as HTML. A question that cannot be answered
// is told of on the page: people come here to try.
func (s *Server) playground(w http.ResponseWriter, r *http.Request, at *served, p site.Page, res site.Resource) {
	tally(w, routePage)
	parameters, err := parseQuery(r)
	if err != nil {
		s.problem(w, r, s.problemOf(r, err))
		return
	}
	lang, vary := s.pageLang(r, at, p)
	query, asked, wrong := queryOf(parameters, lang)
	query.Topic, query.Mode, query.Limit, query.Lang = strings.TrimSpace(query.Topic), "", 0, ""
	query.Budget = min(max(asked, evergreen.MinBudget), evergreen.MaxBudget)
	ask := func(q evergreen.Query) (evergreen.Bundle, error) {
		if wrong != nil {
			return evergreen.Bundle{}, wrong
		}
		return s.options.Engine.Ask(r.Context(), q)
	}
	key := "home " + lang
	header := http.Header{"Link": {site.LinkHeader(at.Links(p))}, "Content-Security-Policy": {s.options.Pages.Policy()}}
	if r.URL.RawQuery != "" {
		key = strings.Join([]string{key, query.Topic, strconv.Itoa(query.Budget), query.Collection, query.Category, errorText(wrong)}, "\x00")
		header.Set("X-Robots-Tag", "noindex") // answers are not for search engines
	}
	s.kept(w, r, at, key, func() (answer, error) {
		body, err := s.options.Pages.Playground(at.Site, p, lang, query, ask)
		return answer{kind: typeHTML, body: body, cache: cachePublic, vary: vary, modified: res.Modified, header: header}, err
	})
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
