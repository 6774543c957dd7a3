package web

import (
	"errors"
	"net/http"
	"net/url"
	"testing"
	"unicode/utf8"
)

// FuzzQuery reads any query string: an error that can be shown, or parameters
// that survive being written and read again.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{"", "topic=a+b&budget=2000", "topic=%E5%B9%BB", "a=%zz", "%zz=a", "&&=&a", "a=1&a=2", "a;b", "=%ff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		p, err := parseQuery(&http.Request{URL: &url.URL{RawQuery: raw}})
		if err != nil {
			if e, ok := errors.AsType[*paramError](err); !ok || e.detail == "" {
				t.Fatalf("%q: error %v says nothing", raw, err)
			}
			return
		}
		again := url.Values{}
		for name, value := range p {
			if !utf8.ValidString(name) || !utf8.ValidString(value) {
				t.Fatalf("%q: %q=%q is no UTF-8", raw, name, value)
			}
			again.Set(name, value)
		}
		encoded := again.Encode()
		if len(encoded) > maxQueryBytes {
			return
		}
		q, err := parseQuery(&http.Request{URL: &url.URL{RawQuery: encoded}})
		if err != nil || len(q) != len(p) {
			t.Fatalf("%q: %v, %d of %d parameters survive", raw, err, len(q), len(p))
		}
		for name, value := range p {
			if q[name] != value {
				t.Fatalf("%q: %q became %q", raw, value, q[name])
			}
		}
	})
}

func TestPrefer(t *testing.T) {
	for accept, want := range map[string]string{
		"":                              "text/plain",
		"*/*":                           "text/plain",
		"text/html":                     "text/html",
		"text/html;q=0.5, text/plain":   "text/plain",
		"TEXT/HTML; q=0.9; level=1":     "text/html",
		"text/html;q=x":                 "text/html",
		"text/html;q=0":                 "text/plain",
		"text/html, text/plain":         "text/plain",
		"application/json;q=2,text/*":   "application/json",
		"text/html;q=0.1,text/html;q=1": "text/html",
	} {
		if got := prefer(accept, "text/plain", "text/html", "application/json"); got != want {
			t.Errorf("prefer(%q) = %s, want %s", accept, got, want)
		}
	}
}
