package web

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"evergreen"
	"evergreen/internal/kb"
)

// context answers /api/context: a bundle of the entries that answer a topic,
// within a budget of tokens.
func (s *Server) context(r *http.Request) (answer, error) {
	p, err := parseQuery(r)
	if err != nil {
		return answer{}, err
	}
	query, asked, err := queryOf(p, r.Header.Get("Accept-Language"))
	if err != nil {
		return answer{}, err
	}
	bundle, err := s.options.Engine.Ask(r.Context(), query)
	if err != nil {
		return answer{}, askError(err, query)
	}
	bundle.Query.Budget = asked
	body, err := Encode(bundle, "")
	modified, _ := time.Parse(time.RFC3339, bundle.GeneratedAt)
	return answer{kind: typeJSON, body: body, modified: modified}, err
}

// queryOf reads the parameters of /api/context; what other search services call
// the topic is one. asked is the budget to repeat
// in the answer.
func queryOf(p params, acceptLanguage string) (query evergreen.Query, asked int, err error) {
	query = evergreen.Query{Topic: p.first("topic", "query", "q"), Category: p["category"], Collection: p["collection"],
		AcceptLang: acceptLanguage}
	asked, given, err := p.number("budget", "a whole number of tokens between 200 and 8000, for example budget=2000")
	if err != nil {
		return query, 0, err
	}
	if !given {
		asked = evergreen.DefaultBudget
	}
	query.Budget = max(asked, 1) // 0 would mean the default
	limit, given, err := p.number("limit", "a whole number of entries above 0, for example limit=5")
	if err != nil {
		return query, 0, err
	}
	if given && limit < 1 {
		return query, 0, &paramError{name: "limit", detail: "limit must be a whole number of entries above 0, for example limit=5."}
	}
	query.Limit = limit
	if query.Mode, err = p.choice("mode", evergreen.ModeAuto, evergreen.ModeBM25, evergreen.ModeWeighted); err != nil {
		return query, 0, err
	}
	query.Lang, err = p.choice("lang", evergreen.LangAuto, evergreen.LangEnglish, evergreen.LangChinese)
	return query, asked, err
}

// askError names the parameter behind an error of the engine: of those that
// were given, only category and collection can name something unknown.
func askError(err error, q evergreen.Query) error {
	e, ok := errors.AsType[*evergreen.Error](err)
	if !ok || (e.Kind != evergreen.Invalid && e.Kind != evergreen.NotFound) {
		return err
	}
	name := ""
	switch {
	case q.Collection != "" && strings.Contains(e.Message, "collection"):
		name = "collection"
	case q.Category != "" && strings.Contains(e.Message, "category"):
		name = "category"
	}
	if name == "" {
		return err
	}
	return &paramError{name: name, detail: sentences(e), nearest: e.Nearest}
}

// promptPack answers /api/prompt-pack: the rules for one way of working.
func (s *Server) promptPack(r *http.Request) (answer, error) {
	p, err := parseQuery(r)
	if err != nil {
		return answer{}, err
	}
	lang, err := p.choice("lang", evergreen.LangAuto, evergreen.LangEnglish, evergreen.LangChinese)
	if err != nil {
		return answer{}, err
	}
	if lang, err = kb.Lang(lang, "", r.Header.Get("Accept-Language")); err != nil {
		return answer{}, err
	}
	var known []string
	for _, s := range kb.Scenarios(lang) {
		known = append(known, s.Name)
	}
	scenario, err := p.choice("scenario", known...)
	if e, ok := errors.AsType[*paramError](err); ok {
		e.urn = "unknown-scenario"
		return answer{}, e
	}
	if scenario == "" {
		scenario = kb.DefaultScenario
	}
	text, err := s.options.Engine.PromptPack(r.Context(), scenario, lang)
	return answer{kind: typeText, body: []byte(text)}, err
}

// figures answers /metrics.json with the figures of the library as it is now.
func (s *Server) figures(r *http.Request) (answer, error) {
	body, err := s.options.Engine.Metrics(r.Context())
	if err == nil && !slices.Equal(body[max(0, len(body)-1):], []byte("\n")) {
		body = append(slices.Clone(body), '\n')
	}
	return answer{kind: typeJSON, body: body}, err
}

// health answers /healthz and touches nothing else.
func (s *Server) health(*http.Request) (answer, error) {
	body, err := Encode(struct {
		OK      bool   `json:"ok"`
		Version string `json:"version"`
	}{true, s.options.Version}, "")
	return answer{kind: typeJSON, body: body}, err
}
