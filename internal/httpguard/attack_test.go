// Clients that are slow on purpose, and callers that only look local.
package httpguard

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

// TestSlowBodiesAreCut: a body that comes byte by byte ends at its deadline,
// and one that came in time has none any more.
func TestSlowBodiesAreCut(t *testing.T) {
	read := make(chan error, 1)
	h := Patience(PatienceOptions{Body: 100 * time.Millisecond, Answer: time.Minute})(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		if err == nil {
			select { // longer than the deadline of the body
			case <-r.Context().Done():
				err = r.Context().Err()
			case <-time.After(200 * time.Millisecond):
			}
		}
		read <- err
	}))
	server := httptest.NewServer(h)
	defer server.Close()

	c, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nx"); err != nil {
		t.Fatal(err)
	}
	if err := <-read; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the slow body ended with %v", err)
	}
	r, err := http.Post(server.URL, "text/plain", strings.NewReader("fast"))
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if err := <-read; err != nil {
		t.Errorf("the fast one: %v", err)
	}
}

// TestSlowReadersAreCut: an answer that nobody takes does not hold its handler.
func TestSlowReadersAreCut(t *testing.T) {
	wrote := make(chan error, 1)
	h := Patience(PatienceOptions{Body: time.Minute, Answer: 100 * time.Millisecond})(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		block := make([]byte, 1<<20)
		for range 64 { // more than the buffers of any system
			if _, err := w.Write(block); err != nil {
				wrote <- err
				return
			}
		}
		wrote <- nil
	}))
	server := httptest.NewServer(h)
	defer server.Close()
	c, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := <-wrote; err == nil {
		t.Error("64 MiB were written to a client that reads nothing")
	}
}

func TestForeign(t *testing.T) {
	for origin, want := range map[string]bool{
		"": false, "http://localhost:4173": false, "https://localhost:4173": false, "https://app.example.com": false,
		"https://evil.example": true, "null": true, "http://localhost:80": true, "localhost:4173": true, "http://localhost:4173.evil.example": true,
	} {
		r := httptest.NewRequest(http.MethodGet, "http://localhost:4173/", nil)
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		if got := Foreign(r, []string{"https://app.example.com/"}); got != want {
			t.Errorf("%q: %v", origin, got)
		}
	}
}
