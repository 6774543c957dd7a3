package fetch

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"evergreen"
	"evergreen/internal/testkit"
)

// TestRefusedURLs holds every way to write an address that is not public, and
// what else no policy allows. Nothing may be dialled or resolved for them.
func TestRefusedURLs(t *testing.T) {
	opts := Defaults()
	opts.Resolver = testkit.NewNames(nil)
	opts.Dial = testkit.DialTo("127.0.0.1:1", func(address string) { t.Errorf("dialled %s", address) })
	client := New(opts)
	tests := map[string]evergreen.Kind{
		"http://127.0.0.1/":                            evergreen.Blocked,
		"http://127.0.0.1./":                           evergreen.Blocked,
		"http://localhost/":                            evergreen.Blocked,
		"http://LOCALHOST.:8080/":                      evergreen.Blocked,
		"http://a.localhost/":                          evergreen.Blocked,
		"http://2130706433/":                           evergreen.Blocked,
		"http://017700000001/":                         evergreen.Blocked,
		"http://0x7f000001/":                           evergreen.Blocked,
		"http://0x7f.1/":                               evergreen.Blocked,
		"http://0177.0.0.1/":                           evergreen.Blocked,
		"http://127.0.0.0x1/":                          evergreen.Blocked,
		"http://127.1/":                                evergreen.Blocked,
		"http://127.0.1/":                              evergreen.Blocked,
		"http://127.0.0.01/":                           evergreen.Blocked,
		"http://10.0.0.1.5/":                           evergreen.Blocked,
		"http://0/":                                    evergreen.Blocked,
		"http://１２７．０．０．１/":                            evergreen.Blocked,
		"http://127。0。0。1/":                            evergreen.Blocked,
		"http://①②⑦.0.0.1/":                            evergreen.Blocked,
		"http://10.1.2.3/":                             evergreen.Blocked,
		"http://192.168.1.1:8080/":                     evergreen.Blocked,
		"http://169.254.169.254/latest/meta-data/":     evergreen.Blocked,
		"http://[::1]/":                                evergreen.Blocked,
		"http://[::]/":                                 evergreen.Blocked,
		"http://[::ffff:127.0.0.1]/":                   evergreen.Blocked,
		"http://[::ffff:7f00:1]/":                      evergreen.Blocked,
		"http://[::FFFF:8.8.8.8]/":                     evergreen.Blocked,
		"http://[::127.0.0.1]/":                        evergreen.Blocked,
		"http://[64:ff9b::127.0.0.1]/":                 evergreen.Blocked,
		"http://[2002:7f00:1::]/":                      evergreen.Blocked,
		"http://[2001:0:7f00:1::]/":                    evergreen.Blocked,
		"http://[fe80::1%25eth0]/":                     evergreen.Blocked,
		"http://[fd00::1]/":                            evergreen.Blocked,
		"http://[ff02::1]/":                            evergreen.Blocked,
		"http://user@docs.example.com/":                evergreen.Blocked,
		"http://user:secret@docs.example.com/":         evergreen.Blocked,
		"http://docs.example.com@127.0.0.1/":           evergreen.Blocked,
		"file:///etc/passwd":                           evergreen.Blocked,
		"FILE:///etc/passwd":                           evergreen.Blocked,
		"ftp://docs.example.com/":                      evergreen.Blocked,
		"gopher://127.0.0.1/":                          evergreen.Blocked,
		"data:text/html,x":                             evergreen.Blocked,
		"/etc/passwd":                                  evergreen.Invalid,
		"docs.example.com":                             evergreen.Invalid,
		"":                                             evergreen.Invalid,
		"http://":                                      evergreen.Invalid,
		"http:///path":                                 evergreen.Invalid,
		"http://docs.example.com:0/":                   evergreen.Invalid,
		"http://docs.example.com:65536/":               evergreen.Invalid,
		"http://docs.example.com:http/":                evergreen.Invalid,
		"http://127%2e0%2e0%2e1/":                      evergreen.Invalid,
		`http://docs.example.com\@127.0.0.1/`:          evergreen.Invalid,
		"http://::1/":                                  evergreen.Invalid,
		"http://a b/":                                  evergreen.Invalid,
		"http://x/" + strings.Repeat("a", maxURLBytes): evergreen.Invalid,
	}
	for url, want := range tests {
		_, err := client.Get(t.Context(), Request{URL: url})
		if got := evergreen.KindOf(err); got != want {
			t.Errorf("%.60q: %q (%v), want %q", url, got, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the error tells the password: %v", err)
		}
	}
}

func TestNamesAreJudgedByTheirAddresses(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Write([]byte("hello"))
	}))
	defer server.Close()
	tests := []struct {
		name    string
		lists   [][]string
		blocked bool
		dialled string
	}{
		{"public", [][]string{{"93.184.216.34"}}, false, "93.184.216.34:80"},
		{"public, as resolvers hand IPv4 out", [][]string{{"::ffff:93.184.216.34"}}, false, "93.184.216.34:80"},
		{"private", [][]string{{"10.0.0.5"}}, true, ""},
		{"private in mapped form", [][]string{{"::ffff:10.0.0.5"}}, true, ""},
		{"NAT64 of a private address", [][]string{{"64:ff9b::a00:5"}}, true, ""},
		{"metadata service", [][]string{{"169.254.169.254"}}, true, ""},
		{"the public one of several", [][]string{{"127.0.0.1", "93.184.216.34", "::1"}}, false, "93.184.216.34:80"},
		{"bound again after the first question", [][]string{{"93.184.216.34"}, {"127.0.0.1"}}, false, "93.184.216.34:80"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var dialled atomic.Value
			dialled.Store("")
			opts := Defaults()
			opts.Retries = 0
			opts.Resolver = testkit.NewNames(map[string][][]string{"docs.example.com": tt.lists})
			opts.Dial = testkit.DialTo(server.Listener.Addr().String(), func(address string) { dialled.Store(address) })
			client := New(opts)
			defer client.CloseIdle()
			_, err := client.Get(t.Context(), Request{URL: "http://docs.example.com/"})
			if blocked := evergreen.KindOf(err) == evergreen.Blocked; blocked != tt.blocked || err != nil && !blocked {
				t.Errorf("err = %v, want blocked %v", err, tt.blocked)
			}
			if got := dialled.Load().(string); got != tt.dialled {
				t.Errorf("dialled %q, want %q", got, tt.dialled)
			}
			if len(tt.lists) < 2 {
				return
			}
			// The second connection meets the changed answer and is refused.
			client.CloseIdle()
			dialled.Store("")
			_, err = client.Get(t.Context(), Request{URL: "http://docs.example.com/again"})
			if evergreen.KindOf(err) != evergreen.Blocked || dialled.Load().(string) != "" {
				t.Errorf("after rebinding: err = %v, dialled %q", err, dialled.Load())
			}
		})
	}
}

func TestAllowPrivate(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("hello")) }))
	defer server.Close()
	opts := Defaults()
	if _, err := New(opts).Get(t.Context(), Request{URL: server.URL}); evergreen.KindOf(err) != evergreen.Blocked {
		t.Errorf("without: %v, want blocked", err)
	} else if len(evergreen.Hints(err)) == 0 {
		t.Error("the refusal does not say what to do")
	}
	opts.AllowPrivate = true
	client := New(opts)
	defer client.CloseIdle()
	if r, err := client.Get(t.Context(), Request{URL: server.URL}); err != nil || string(r.Body) != "hello" {
		t.Errorf("with: %v", err)
	}
	for _, url := range []string{"file:///etc/passwd", "http://user@127.0.0.1/", "http://2130706433/"} {
		if _, err := client.Get(t.Context(), Request{URL: url}); evergreen.KindOf(err) != evergreen.Blocked {
			t.Errorf("%s with private addresses allowed: %v, want blocked", url, err)
		}
	}
}
