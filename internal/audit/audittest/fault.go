package audittest

// This file breaks a site in one place.

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strconv"
)

// Fault changes how a server answers.
type Fault func(next http.Handler) http.Handler

// Broken is a server with a fault.
func Broken(h http.Handler, faults ...Fault) http.Handler {
	for _, f := range faults {
		h = f(h)
	}
	return h
}

// Gone answers a path with a page that says 404, whatever the method.
func Gone(path string) Fault {
	return Instead(path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte("<!doctype html><title>Not found</title><p>There is no such page."))
	})
}

// Instead answers a path with another handler.
func Instead(path string, with http.HandlerFunc) Fault {
	return When(func(r *http.Request) bool { return r.URL.Path == path }, with)
}

// When answers the requests that match with another handler.
func When(matches func(*http.Request) bool, with http.HandlerFunc) Fault {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if matches(r) {
				with(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// Edit changes the answers to requests that match before they are sent.
func Edit(matches func(*http.Request) bool, edit func(status int, h http.Header, body []byte) (int, []byte)) Fault {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !matches(r) {
				next.ServeHTTP(w, r)
				return
			}
			r.Header.Del("Accept-Encoding") // edits are of text
			rec := httptest.NewRecorder()
			next.ServeHTTP(rec, r)
			for name, values := range rec.Header() {
				w.Header()[name] = values
			}
			status, body := edit(rec.Code, w.Header(), rec.Body.Bytes())
			if len(body) > 0 {
				w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			}
			w.WriteHeader(status)
			_, _ = w.Write(body)
		})
	}
}

// Replace changes text in the body of a path.
func Replace(path, old, with string) Fault {
	return Edit(At(path), func(status int, _ http.Header, body []byte) (int, []byte) {
		return status, bytes.ReplaceAll(body, []byte(old), []byte(with))
	})
}

// Header sets a header on the answers of a path; "" removes it.
func Header(path, name, value string) Fault {
	return Edit(At(path), func(status int, h http.Header, body []byte) (int, []byte) {
		if h.Del(name); value != "" {
			h.Set(name, value)
		}
		return status, body
	})
}

// At matches a path.
func At(path string) func(*http.Request) bool {
	return func(r *http.Request) bool { return r.URL.Path == path }
}

// Anywhere matches every request.
func Anywhere(*http.Request) bool { return true }
