package testkit_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"evergreen/internal/testkit"

	"github.com/google/go-cmp/cmp"
)

func TestSite(t *testing.T) {
	site := testkit.NewSite(t, `
-- /a --
HTTP/1.1 200 OK
Content-Type: text/plain
ETag: "1"

at {{origin}}
-- /a#3 --
HTTP/1.1 410 Gone

-- //other.example/a --
HTTP/1.1 204 No Content

`)
	server := httptest.NewServer(site)
	defer server.Close()
	ask := func(host, target, tag string) (int, string) {
		req, err := http.NewRequest("GET", server.URL+target, nil)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			req.Host = host
		}
		if tag != "" {
			req.Header.Set("If-None-Match", tag)
		}
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(body)
	}
	for i, want := range []struct {
		host, target, tag string
		status            int
		body              string
	}{
		{"", "/a", "", 200, "at " + server.URL + "\n"},
		{"", "/a", `"1"`, 304, ""},
		{"", "/a", "", 410, ""},
		{"", "/a", "", 410, ""},
		{"other.example", "/a", "", 204, ""},
		{"", "/a?b", "", 404, ""},
	} {
		status, body := ask(want.host, want.target, want.tag)
		if status != want.status || want.status != 404 && body != want.body {
			t.Errorf("request %d: %d %q, want %d %q", i, status, body, want.status, want.body)
		}
	}
	if diff := cmp.Diff([]string{"/a", "/a if-none-match", "/a", "/a", "/a", "/a?b"}, site.Requests()); diff != "" {
		t.Error(diff)
	}
}

func TestDialStaysOnThisMachine(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	c, err := testkit.Dial(t.Context(), "tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	for _, address := range []string{"93.184.216.34:80", "10.0.0.1:80", "docs.example.com:80", "localhost:80", "[2606:4700::1111]:443"} {
		if c, err := testkit.Dial(t.Context(), "tcp", address); err == nil {
			c.Close()
			t.Errorf("%s was dialled", address)
		} else if !strings.Contains(err.Error(), "not on this machine") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestNames(t *testing.T) {
	names := testkit.NewNames(map[string][][]string{"a.example": {{"1.1.1.1"}, {"127.0.0.1", "::1"}}})
	for _, want := range []int{1, 2, 2} {
		addrs, err := names.LookupNetIP(t.Context(), "ip", "a.example")
		if err != nil || len(addrs) != want {
			t.Errorf("%v, %v, want %d", addrs, err, want)
		}
	}
	if _, err := names.LookupNetIP(t.Context(), "ip", "b.example"); err == nil {
		t.Error("an unknown name has addresses")
	}
}
