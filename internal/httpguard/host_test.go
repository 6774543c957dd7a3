// Who the server answers to, and who counts as a local caller.
package httpguard

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestHost(t *testing.T) {
	h := Host(HostOptions{Hosts: []string{"docs.example.com", "intern.example:8080"}})(http.HandlerFunc(ok))
	tests := []struct {
		host string
		want int
	}{
		{"localhost", 200}, {"localhost:1", 200}, {"LOCALHOST:80", 200}, {"localhost.", 200},
		{"127.0.0.1", 200}, {"127.0.0.1:4173", 200}, {"[::1]", 200}, {"[::1]:4173", 200}, {"[0:0:0:0:0:0:0:1]:80", 200},
		{"docs.example.com", 200}, {"Docs.Example.Com:8443", 200}, {"docs.example.com.", 200},
		{"intern.example:8080", 200}, {"intern.example:8081", 403}, {"intern.example", 403},
		{"", 403}, {"evil.example", 403}, {"localhost.evil.example", 403}, {"127.0.0.1.evil.example", 403},
		{"127.0.0.2", 403}, {"0.0.0.0:4173", 403}, {"[::]:80", 403}, {"192.168.1.7", 403}, {"docs.example.com.evil.example", 403},
	}
	for _, tt := range tests {
		if w := serve(h, "GET", "", "Host: "+tt.host); w.Code != tt.want {
			t.Errorf("host %q: status %d, want %d", tt.host, w.Code, tt.want)
		}
	}
}

func TestLoopback(t *testing.T) {
	tests := []struct {
		name       string
		peer, host string
		header     string
		want       bool
	}{
		{"local", "127.0.0.1:9", "localhost:4173", "", true},
		{"local, other loopback address", "127.9.9.9:9", "127.0.0.1:4173", "", true},
		{"local, version 6", "[::1]:9", "[::1]:4173", "", true},
		{"local, mapped", "[::ffff:127.0.0.1]:9", "localhost", "", true},
		{"remote", "192.0.2.1:9", "localhost", "", false},
		{"public name through a proxy on this machine", "127.0.0.1:9", "docs.example.com", "", false},
		{"proxy that rewrites the host", "127.0.0.1:9", "localhost", "X-Forwarded-For", false},
		{"proxy that follows the standard", "127.0.0.1:9", "localhost", "Forwarded", false},
		{"no address", "@", "localhost", "", false},
	}
	for _, tt := range tests {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr, r.Host = tt.peer, tt.host
		if tt.header != "" {
			r.Header.Set(tt.header, "192.0.2.1")
		}
		if got := Loopback(r); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestLoopbackAddr(t *testing.T) {
	for addr, want := range map[string]bool{
		"127.0.0.1:80": true, "127.0.0.5:80": true, "[::1]:80": true, "localhost:80": true,
		":80": false, "0.0.0.0:80": false, "[::]:80": false, "192.168.0.1:80": false, "example.com:80": false,
	} {
		if got := LoopbackAddr(addr); got != want {
			t.Errorf("%s: %v", addr, got)
		}
	}
}
