package web

// This file answers everything that the site holds: documents, mirrors, pages,
// and the assets that pages load.

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"evergreen"
	"evergreen/internal/httpguard"
	"evergreen/internal/kb"
	"evergreen/internal/site"
	"evergreen/internal/text"
)

// Pages makes what people read. It is safe for concurrent use.
type Pages interface {
	// Page writes a page of the site with its surroundings in a language.
	Page(s *site.Site, p site.Page, lang string) ([]byte, error)
	// Playground writes the home page around the answer that ask gives to a
	// question, or to an example when it has no topic.
	Playground(s *site.Site, p site.Page, lang string, q evergreen.Query,
		ask func(evergreen.Query) (evergreen.Bundle, error)) ([]byte, error)
	// Layers writes the page that shows the layers.
	Layers(s *site.Site, lang string) ([]byte, error)
	// Search writes the search page. find is asked for hits and for their number
	// in parts of the library; PathGlob of the request is a folder.
	Search(s *site.Site, lang string, r evergreen.SearchRequest,
		find func(evergreen.SearchRequest) (evergreen.SearchResult, error)) ([]byte, error)
	// Data writes the files under DataPrefix, from which pages answer without a
	// server. Of libraries with more than most tokens it writes less.
	Data(s *site.Site, most int, put func(path string, body []byte) error) error
	// Asset returns a file that pages load. Its path holds its hash, so that it
	// never changes, unless fixed says otherwise.
	Asset(path string) (body []byte, kind string, fixed, ok bool)
	// Policy is the Content-Security-Policy of pages.
	Policy() string
}

// Paths of pages that are no document's.
const (
	layersPath = "/layers"
	searchPath = "/search"
	dataPrefix = "/offline/"
)

// content answers a path that no route of the table has.
func (s *Server) content(w http.ResponseWriter, r *http.Request) {
	at, release, err := s.acquire(r)
	if err != nil {
		s.problem(w, r, s.problemOf(r, err))
		return
	}
	defer release()
	answer := s.find(at, r)
	switch {
	case answer == nil:
		s.notFound(w, r, at)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		s.wrongMethod(w, r, s.files)
	default:
		answer(w, r)
	}
}

// aliasOf is the key of the whole question: everything that an answer of the
// site depends on. It is "" for questions that are asked once.
func aliasOf(at *served, r *http.Request) string {
	if r.URL.RawQuery != "" || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return ""
	}
	accept, lang := acceptOf(r), joined(r.Header["Accept-Language"])
	if len(r.URL.Path)+len(accept)+len(lang) > maxAliasBytes || hidesSeparators(r.URL.EscapedPath()) {
		return ""
	}
	return "=" + at.base + "\x00" + r.URL.Path + "\x00" + accept + "\x00" + lang
}

// quick answers questions that have been answered before, where nothing depends
// on who asks: what everyone may read, asked without credentials.
func (s *Server) quick(next http.Handler) http.Handler {
	if s.options.Guard.closed() {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rt := s.routeOf(r)
		fresh := !rt.content && !rt.kept || len(r.Header["Authorization"]) > 0 || len(r.Header["Cookie"]) > 0
		if fresh || !s.again(w, r, rt) {
			next.ServeHTTP(w, r)
		}
	})
}

// again sends the answer that the same question had, if it is still there.
func (s *Server) again(w http.ResponseWriter, r *http.Request, rt *route) bool {
	began := time.Now()
	e, err := s.present()
	if err != nil {
		return false // told of on the long way
	}
	defer s.giveUp(e)
	key := keptKey(rt, r)
	if !rt.kept {
		at, err := e.at(s.base(r))
		if err != nil {
			return false
		}
		key = aliasOf(at, r)
	}
	st, ok := e.cache.get(key)
	if key == "" || !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	tally(w, st.route)
	s.setCommonHeaders(w.Header())
	if rt.timed {
		setTiming(w.Header(), time.Since(began))
	}
	for _, f := range s.public {
		w.Header()[f.name] = f.values
	}
	s.send(w, r, st)
	return true
}

// publicHeaders are what CORS says of answers that everyone may read.
func publicHeaders() []field {
	w := noWriter{http.Header{}}
	httpguard.CORS(httpguard.CORSOptions{Public: true})(http.NotFoundHandler()).ServeHTTP(w, &http.Request{Header: http.Header{}})
	kept := http.Header{}
	for name, values := range w.header {
		if strings.HasPrefix(name, "Access-Control-") {
			kept[name] = values
		}
	}
	return fieldsOf(kept)
}

// noWriter takes the headers of an answer only.
type noWriter struct{ header http.Header }

func (w noWriter) Header() http.Header         { return w.header }
func (w noWriter) Write(p []byte) (int, error) { return len(p), nil }
func (w noWriter) WriteHeader(int)             {}

// find returns what answers a path of the site, nil when nothing does.
func (s *Server) find(at *served, r *http.Request) http.HandlerFunc {
	path := r.URL.Path
	if hidesSeparators(r.URL.EscapedPath()) {
		return nil
	}
	if res, ok := at.Lookup(path); ok {
		return func(w http.ResponseWriter, r *http.Request) { s.resource(w, r, at, res) }
	}
	if p, _, ok := at.PageAt(path); ok {
		return func(w http.ResponseWriter, r *http.Request) { s.page(w, r, at, p) }
	}
	if s.options.Pages != nil {
		switch path {
		case layersPath:
			return func(w http.ResponseWriter, r *http.Request) { s.layers(w, r, at) }
		case searchPath:
			return func(w http.ResponseWriter, r *http.Request) { s.search(w, r, at) }
		}
		if strings.HasPrefix(path, dataPrefix) {
			return s.data(at, path)
		}
		if body, kind, fixed, ok := s.options.Pages.Asset(path); ok {
			return func(w http.ResponseWriter, r *http.Request) { s.asset(w, r, at, body, kind, fixed) }
		}
	}
	if to, ok := at.Moved(path); ok {
		return func(w http.ResponseWriter, r *http.Request) { s.moved(w, r, at, to) }
	}
	return nil
}

// kept sends the answer under a key from the edition's cache, making it first
// where it is missing.
func (s *Server) kept(w http.ResponseWriter, r *http.Request, at *served, key string, make func() (answer, error)) {
	key = at.base + "\x00" + key
	st, ok := at.cache.get(key)
	if !ok {
		a, err := make()
		if err != nil {
			s.problem(w, r, s.problemOf(r, err))
			return
		}
		st = s.finish(a)
		st.route = routeOf(w)
		at.cache.put(key, st)
	}
	if alias := aliasOf(at, r); alias != "" {
		at.cache.alias(alias, st)
	}
	s.send(w, r, st)
}

// resource answers a document or a mirror.
func (s *Server) resource(w http.ResponseWriter, r *http.Request, at *served, res site.Resource) {
	tally(w, routeResource)
	if res.Page != nil {
		tally(w, routeMirror)
		s.kept(w, r, at, "mirror "+res.Path, func() (answer, error) { return s.mirror(at, res, typeMarkdown) })
		return
	}
	a := answer{kind: res.Type, cache: cachePublic, modified: res.Modified, header: http.Header{}}
	if strings.Contains(res.Path, "server-card") {
		a.cache = cacheCard
	}
	if slices.Contains(res.Deprecated, r.URL.Path) {
		a.header.Set("Deprecation", deprecatedSince)
		a.header["Link"] = []string{`<` + at.Base() + res.Path + `>; rel="canonical"`}
	}
	if res.Named != "" {
		a.vary = "Accept"
		if acceptQuality(acceptOf(r), res.Named) > 0 {
			a.kind = res.Named
		}
	}
	if res.Streamed {
		s.stream(w, r, at, res, a)
		return
	}
	s.kept(w, r, at, "resource "+r.URL.Path+" "+a.kind, func() (answer, error) {
		var err error
		a.body, err = res.Bytes()
		return a, err
	})
}

// deprecatedSince is when the agent card got its present name (RFC 9745).
const deprecatedSince = "@1753920000"

// mirror is the Markdown of a page as kind.
func (s *Server) mirror(at *served, res site.Resource, kind string) (answer, error) {
	body, err := res.Bytes()
	count := s.options.Site.Count
	if count == nil {
		count = text.Tokens
	}
	header := http.Header{
		"Link":              {site.LinkHeader(at.MirrorLinks(*res.Page))},
		"X-Markdown-Tokens": {strconv.Itoa(count(string(body)))},
		"Content-Signal":    {at.ContentSignal()},
	}
	if s.options.Policy.NoIndexMirror {
		header.Set("X-Robots-Tag", "noindex")
	}
	return answer{kind: kind, body: body, cache: cachePublic, vary: "Accept", modified: res.Modified, header: header}, err
}

// page answers a page URL in the form that the client wants.
func (s *Server) page(w http.ResponseWriter, r *http.Request, at *served, p site.Page) {
	wanted := negotiate(acceptOf(r))
	res, ok := at.Lookup(p.Mirrors()[0])
	if !ok {
		s.notFound(w, r, at)
		return
	}
	kind := typeMarkdown
	switch {
	case wanted == formHTML && s.options.Pages != nil && p.Kind == site.KindHome:
		s.playground(w, r, at, p, res)
		return
	case wanted == formHTML && s.options.Pages != nil:
		tally(w, routePage)
		lang, vary := s.pageLang(r, at, p)
		s.kept(w, r, at, "page "+lang+" "+p.Path, func() (answer, error) {
			body, err := s.options.Pages.Page(at.Site, p, lang)
			return answer{kind: typeHTML, body: body, cache: cachePublic, vary: vary, modified: res.Modified, header: http.Header{
				"Link": {site.LinkHeader(at.Links(p))}, "Content-Security-Policy": {s.options.Pages.Policy()}}}, err
		})
		return
	case wanted == formPlain:
		kind = typeText
	}
	tally(w, routeMirror)
	s.kept(w, r, at, string(wanted)+" "+res.Path, func() (answer, error) { return s.mirror(at, res, kind) })
}

// pageLang is the language of what surrounds a page. A document is surrounded in
// its own unless asked otherwise; the other pages follow Accept-Language.
func (s *Server) pageLang(r *http.Request, at *served, p site.Page) (lang, vary string) {
	if asked := langAsked(r); asked != "" {
		return asked, "Accept"
	}
	if p.Kind == site.KindDocument {
		if strings.HasPrefix(at.Lang(p), evergreen.LangChinese) {
			return evergreen.LangChinese, "Accept"
		}
		return evergreen.LangEnglish, "Accept"
	}
	return acceptedLang(r), "Accept, Accept-Language"
}

// langAsked is the lang parameter, "" when it names no language of ours.
func langAsked(r *http.Request) string {
	if r.URL.RawQuery == "" {
		return ""
	}
	switch lang := r.URL.Query().Get("lang"); lang {
	case evergreen.LangEnglish, evergreen.LangChinese:
		return lang
	}
	return ""
}

func acceptedLang(r *http.Request) string {
	lang, err := kb.Lang("", "", joined(r.Header["Accept-Language"]))
	if err != nil {
		return evergreen.LangEnglish
	}
	return lang
}

// surroundings are the language and the headers of a page that is no document.
func (s *Server) surroundings(r *http.Request) (lang string, a answer) {
	a = answer{kind: typeHTML, cache: cachePublic, header: http.Header{"Content-Security-Policy": {s.options.Pages.Policy()}}}
	if lang = langAsked(r); lang == "" {
		lang, a.vary = acceptedLang(r), "Accept-Language"
	}
	return lang, a
}

func (s *Server) layers(w http.ResponseWriter, r *http.Request, at *served) {
	tally(w, routePage)
	lang, a := s.surroundings(r)
	s.kept(w, r, at, "layers "+lang, func() (answer, error) {
		var err error
		a.body, err = s.options.Pages.Layers(at.Site, lang)
		return a, err
	})
}

// search answers the search page. Its results are not for search engines.
func (s *Server) search(w http.ResponseWriter, r *http.Request, at *served) {
	tally(w, routePage)
	p, err := parseQuery(r)
	if err != nil {
		s.problem(w, r, s.problemOf(r, err))
		return
	}
	lang, a := s.surroundings(r)
	request := evergreen.SearchRequest{Query: strings.TrimSpace(p["q"]), Collection: p["collection"], PathGlob: strings.Trim(p["path"], "/")}
	if request.Query != "" {
		a.header.Set("X-Robots-Tag", "noindex")
	}
	key := strings.Join([]string{"search", lang, request.Collection, request.PathGlob, request.Query}, "\x00")
	s.kept(w, r, at, key, func() (answer, error) {
		find := func(f evergreen.SearchRequest) (evergreen.SearchResult, error) {
			return s.options.Engine.Search(r.Context(), f)
		}
		a.body, err = s.options.Pages.Search(at.Site, lang, request, find)
		return a, err
	})
}

func (s *Server) asset(w http.ResponseWriter, r *http.Request, at *served, body []byte, kind string, fixed bool) {
	tally(w, routeAsset)
	a := answer{kind: kind, body: body, cache: cacheForever}
	if !fixed {
		a.cache = cachePublic
	}
	s.kept(w, r, at, "asset "+r.URL.Path, func() (answer, error) { return a, nil })
}

// moved sends a client to the page's own address.
func (s *Server) moved(w http.ResponseWriter, r *http.Request, at *served, to string) {
	tally(w, routePage)
	location := (&url.URL{Path: to}).EscapedPath()
	if base, err := url.Parse(at.Base()); err == nil {
		location = strings.TrimSuffix(base.EscapedPath(), "/") + location
	}
	if r.URL.RawQuery != "" {
		location += "?" + r.URL.RawQuery
	}
	s.write(w, r, answer{status: http.StatusMovedPermanently, kind: typeText, body: []byte("Moved to " + location + "\n"),
		cache: cachePublic, vary: "Accept", header: http.Header{"Location": {location}}})
}

// stream answers a document that is not held in memory. Its validator is made
// of what it is written from.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, at *served, res site.Resource, a answer) {
	write := func(w io.Writer) error { _, err := res.WriteTo(w); return err }
	part := ""
	if res.Path == "/llms-full.txt" {
		want, err := fullOf(r)
		if err != nil {
			s.problem(w, r, s.problemOf(r, err))
			return
		}
		if want != (site.Full{}) {
			part = want.Section + "\x00" + strconv.Itoa(want.Budget)
			write = func(w io.Writer) error { return at.WriteFull(w, want) }
		}
	}
	tag := contentTag([]byte(strings.Join([]string{s.options.Version, at.revision, at.Base(), res.Path, part}, "\x00")))
	key := at.base + "\x00stream " + r.URL.Path + "\x00" + part
	if st, ok := at.cache.get(key); ok {
		if alias := aliasOf(at, r); alias != "" {
			at.cache.alias(alias, st)
		}
		s.send(w, r, st)
		return
	}
	out := &streamed{server: s, w: w, r: r, answer: a, tag: tag, key: key + "\x00", clear: func() {}}
	if part == "" { // parts are asked for once
		out.large = at.large
	}
	defer func() { out.clear() }()
	sent, err := out.again()
	if !sent {
		err = write(out)
	}
	if errors.Is(err, errEnough) || sent && err == nil {
		return
	}
	if err != nil {
		out.giveUp()
	}
	if err != nil && out.begun {
		if r.Context().Err() == nil {
			s.log.Error("stream ended early", "path", r.URL.Path, "error", err)
		}
		panic(http.ErrAbortHandler) // nobody may take half of it for the whole
	}
	if err != nil {
		s.problem(w, r, s.problemOf(r, err))
		return
	}
	out.close(func(st *stored) {
		st.route = routeResource
		at.cache.put(key, st)
	})
}

// fullOf reads which part of the whole text is wanted.
func fullOf(r *http.Request) (site.Full, error) {
	p, err := parseQuery(r)
	if err != nil {
		return site.Full{}, err
	}
	const example = "a whole number of tokens above 0, for example budget=50000"
	budget, given, err := p.number("budget", example)
	if err == nil && given && budget < 1 {
		err = &paramError{name: "budget", detail: "budget must be " + example + "."}
	}
	return site.Full{Section: p["section"], Budget: budget}, err
}
