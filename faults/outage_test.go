package faults

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"evergreen/internal/testkit"
)

// outages are ways in which a site is down.
var outages = map[string]http.HandlerFunc{
	"refuses": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	"500":     status(http.StatusInternalServerError),
	"502":     status(http.StatusBadGateway),
	"503":     status(http.StatusServiceUnavailable),
	"403":     status(http.StatusForbidden),
	"429":     status(http.StatusTooManyRequests),
	"breaks off": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Length", "100000")
		fmt.Fprint(w, "<title>Half</title><p>Half of a page")
	},
	"asks to log in": func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/login" {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<title>Log in</title><form action=/login><input type=password name=p></form>`)
			return
		}
		http.Redirect(w, r, "/login?next="+r.URL.Path, http.StatusFound)
	},
	"is not HTTP": func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			fmt.Fprint(connection, "+OK POP3 ready\r\n")
			_ = connection.Close()
		}
	},
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, http.StatusText(code), code) }
}

// TestOriginDown refreshes a site that is down in every way: its pages stay as
// they were, and the next refresh takes the new ones.
func TestOriginDown(t *testing.T) {
	k := &killer{bed: newBed(t, 1)}
	var down atomic.Pointer[http.HandlerFunc]
	k.site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if f := down.Load(); f != nil {
			(*f)(w, r)
			return
		}
		k.servePage(w, r)
	}))
	k.site.Config.ErrorLog = nil
	t.Cleanup(k.site.Close)
	k.must(k.refresh()...)
	out := testkit.Outcome{Name: "outage", Detail: "a site that is down in nine ways is refreshed: its pages stay, and the next refresh takes the new ones"}
	for name, outage := range outages {
		out.Tried++
		after := int(k.page.Add(1))
		down.Store(&outage)
		stdout, stderr, code := k.run(k.refresh()...)
		kept, err := k.siteState(after)
		down.Store(nil)
		k.must(k.refresh()...)
		back, backErr := k.siteState(after)
		said := code != 0 || strings.Contains(stderr, "is kept")
		if err != nil || kept != after-1 || backErr != nil || back != after || !said {
			out.Lost++
			t.Errorf("%s: during it state %d, %v; after it %d, %v; exit %d\n%s%s", name, kept-after+1, err, back-after, backErr, code, stdout, stderr)
			continue
		}
		out.Survived++
	}
	testkit.Record(t, out)
}
