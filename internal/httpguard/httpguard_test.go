// Chaining, refusals, body cap and panics.
package httpguard

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"evergreen"
)

// ok answers 200 with the caller's access.
func ok(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "public, max-age=900")
	io.WriteString(w, AccessOf(r.Context()).String()+" "+r.Header.Get(AccessHeader))
}

// serve sends a request with header lines "Name: value"; Host and Peer are read
// as the request's host and the peer's address.
func serve(h http.Handler, method, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost:4173/x", strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:5000"
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		switch name {
		case "Host":
			r.Host = value
		case "Peer":
			r.RemoteAddr = value
		default:
			r.Header.Set(name, value)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestChainOrder(t *testing.T) {
	var order []string
	mark := func(name string) Middleware {
		return func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				order = append(order, name)
				next.ServeHTTP(w, r)
			})
		}
	}
	serve(Chain(http.HandlerFunc(ok), mark("first"), mark("second")), "GET", "")
	if got := strings.Join(order, " "); got != "first second" {
		t.Errorf("order %q", got)
	}
}

func TestDefaultRefusal(t *testing.T) {
	h := Host(HostOptions{})(http.HandlerFunc(ok))
	w := serve(h, "GET", "", "Host: evil.example")
	want := "the host \"evil.example\" is not served here\nuse http://localhost, or add the name to the configured hosts\n"
	if w.Code != http.StatusForbidden || w.Body.String() != want || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("status %d, header %v, body %q", w.Code, w.Header(), w.Body)
	}
	if w := serve(h, "HEAD", "", "Host: evil.example"); w.Body.Len() != 0 {
		t.Errorf("HEAD has the body %q", w.Body)
	}
}

func TestRefusalInTheFacesDialect(t *testing.T) {
	deny := func(w http.ResponseWriter, _ *http.Request, status int, err *evergreen.Error) {
		w.WriteHeader(status)
		io.WriteString(w, "kind "+string(err.Kind))
	}
	w := serve(Host(HostOptions{Deny: deny})(http.HandlerFunc(ok)), "GET", "", "Host: evil.example")
	if w.Code != http.StatusForbidden || w.Body.String() != "kind blocked" {
		t.Errorf("status %d, body %q", w.Code, w.Body)
	}
}

func TestBodyCap(t *testing.T) {
	reader := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
			w.WriteHeader(http.StatusTeapot)
		}
	})
	h := Body(BodyOptions{})(reader)
	if w := serve(h, "POST", strings.Repeat("x", MaxBody)); w.Code != http.StatusOK {
		t.Errorf("at the cap: status %d", w.Code)
	}
	if w := serve(h, "POST", strings.Repeat("x", MaxBody+1)); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("above the cap: status %d", w.Code)
	}

	r := httptest.NewRequest("POST", "/x", io.MultiReader(strings.NewReader("123"), strings.NewReader("45")))
	r.ContentLength = -1
	w := httptest.NewRecorder()
	Body(BodyOptions{Max: 4})(reader).ServeHTTP(w, r)
	if w.Code != http.StatusTeapot {
		t.Errorf("undeclared length above the cap: status %d", w.Code)
	}
}

func TestRecover(t *testing.T) {
	var log strings.Builder
	m := Recover(RecoverOptions{Log: slog.New(slog.NewTextHandler(&log, nil))})
	w := serve(m(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("ETag", "x")
		panic("boom")
	})), "GET", "")
	if w.Code != http.StatusInternalServerError || w.Header().Get("ETag") != "" || !strings.Contains(w.Body.String(), "internal error") {
		t.Errorf("status %d, header %v, body %q", w.Code, w.Header(), w.Body)
	}
	if !strings.Contains(log.String(), "boom") || !strings.Contains(log.String(), "path=/x") {
		t.Errorf("log %q", log.String())
	}
}

// TestRecoverTells: a panic whose value is an error of ours is told as that.
func TestRecoverTells(t *testing.T) {
	var log strings.Builder
	m := Recover(RecoverOptions{Log: slog.New(slog.NewTextHandler(&log, nil))})
	w := serve(m(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		panic(evergreen.Errorf(evergreen.Damaged, "it cannot be read").Fix("index it again"))
	})), "GET", "")
	if w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "it cannot be read") || !strings.Contains(w.Body.String(), "index it again") {
		t.Errorf("status %d, body %q", w.Code, w.Body)
	}
	if !strings.Contains(log.String(), "it cannot be read") || strings.Contains(log.String(), "stack=") {
		t.Errorf("log %q", log.String())
	}
}

// TestRecoverAfterBeginning: half of an answer is cut off, not completed.
func TestRecoverAfterBeginning(t *testing.T) {
	begin := map[string]func(http.ResponseWriter){
		"header": func(w http.ResponseWriter) { w.WriteHeader(http.StatusOK) },
		"body":   func(w http.ResponseWriter) { io.WriteString(w, "half") },
		"flush":  func(w http.ResponseWriter) { http.NewResponseController(w).Flush() },
	}
	for name, f := range begin {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if p := recover(); p != http.ErrAbortHandler {
					t.Errorf("panic %v, want http.ErrAbortHandler", p)
				}
			}()
			serve(Recover(RecoverOptions{})(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				f(w)
				panic("boom")
			})), "GET", "")
		})
	}
}

// TestRecoverAfterAnEarlyHint: an informational answer is no beginning.
func TestRecoverAfterAnEarlyHint(t *testing.T) {
	srv := httptest.NewServer(Recover(RecoverOptions{})(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusEarlyHints)
		panic("boom")
	})))
	defer srv.Close()
	res, err := http.Get(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusInternalServerError {
		t.Errorf("status %d", res.StatusCode)
	}
}
