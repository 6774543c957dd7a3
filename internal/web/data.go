package web

// This file serves the files from which pages answer without a server.

import (
	"net/http"
	"path"

	"evergreen/internal/site"
)

// collectData makes the files of an edition, citing as the API does.
func (s *Server) collectData(first func() (*site.Site, error)) (map[string][]byte, error) {
	at, err := first()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	err = s.options.Pages.Data(at, maxDataTokens, func(path string, body []byte) error {
		files[path] = body
		return nil
	})
	return files, err
}

// data answers one of the files, nil when there is none at the path.
func (s *Server) data(at *served, name string) http.HandlerFunc {
	files, err := at.data()
	body, ok := files[name]
	if err == nil && !ok {
		return nil
	}
	return func(w http.ResponseWriter, r *http.Request) {
		tally(w, routeAsset)
		if err != nil {
			s.problem(w, r, s.problemOf(r, err))
			return
		}
		kind := typeJSON
		if path.Ext(name) != ".json" {
			kind = "application/octet-stream"
		}
		s.kept(w, r, at, "data "+name, func() (answer, error) { return answer{kind: kind, body: body, cache: cachePublic}, nil })
	}
}
