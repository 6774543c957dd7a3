package web

// This file serves pages that somebody else makes, in the frame of the site and
// behind the guards of all others.

import (
	"net/http"
	"strings"

	"evergreen/internal/site"
)

// Extra is a page that is made anew for each request, by whoever serves more
// than the library's content. Requests of web pages of other origins are refused.
type Extra struct {
	Path    string
	Below   bool     // what lies below the path is its own, too
	Methods []string // GET stands for GET and HEAD
	Name    string   // in the metrics
	// Open answers everybody: the page itself decides who may see what.
	Open bool
	// Metered counts requests with the calls of the API.
	Metered bool
	Answer  func(r *http.Request, at View) (Reply, error)
}

// View is the site as a request addresses it.
type View struct {
	*site.Site
	Lang string // of the interface
}

// Reply is the whole answer to a request. It is never cached.
type Reply struct {
	Status int // 0 is 200
	Type   string
	Body   []byte
	Header http.Header
}

// extras are the routes of the pages that were handed in.
func (s *Server) extras() []route {
	var routes []route
	for _, x := range s.options.Extras {
		routes = append(routes, route{path: x.Path, below: x.Below, name: x.Name, methods: x.Methods, cache: cacheNever,
			vary: "Accept, Accept-Language", open: x.Open, own: true, answer: func(r *http.Request) (answer, error) { return s.extra(r, x) }})
	}
	return routes
}

func (s *Server) extra(r *http.Request, x Extra) (answer, error) {
	at, release, err := s.acquire(r)
	if err != nil {
		return answer{}, err
	}
	defer release()
	lang := langAsked(r)
	if lang == "" {
		lang = acceptedLang(r)
	}
	reply, err := x.Answer(r, View{Site: at.Site, Lang: lang})
	if err != nil {
		return answer{}, err
	}
	a := answer{status: reply.Status, kind: reply.Type, body: reply.Body, header: reply.Header}
	if a.header == nil {
		a.header = http.Header{}
	}
	a.header.Set("X-Robots-Tag", "noindex")
	if strings.HasPrefix(a.kind, "text/html") && s.options.Pages != nil {
		a.header.Set("Content-Security-Policy", s.options.Pages.Policy())
	}
	return a, nil
}

// metered reports whether requests of a path count with the calls of the API.
func (s *Server) metered(path string) bool {
	for _, x := range s.options.Extras {
		if x.Metered && x.Path == path {
			return true
		}
	}
	return false
}
