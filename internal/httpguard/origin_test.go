// Which web pages are let in, and what CORS tells browsers.
package httpguard

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOrigin(t *testing.T) {
	guard := Origin(OriginOptions{Allowed: []string{"http://localhost:6274/"}})(http.HandlerFunc(ok))
	tests := []struct {
		name    string
		method  string
		headers []string
		want    int
	}{
		{"no browser", "POST", nil, 200},
		{"same origin", "POST", []string{"Origin: http://localhost:4173", "Sec-Fetch-Site: same-origin"}, 200},
		{"same host behind tls", "POST", []string{"Origin: https://localhost:4173"}, 200},
		{"allowed", "POST", []string{"Origin: http://localhost:6274", "Sec-Fetch-Site: same-site"}, 200},
		{"address bar", "GET", []string{"Sec-Fetch-Site: none"}, 200},
		{"same origin without header", "GET", []string{"Sec-Fetch-Site: same-origin"}, 200},
		{"another port", "POST", []string{"Origin: http://localhost:9999"}, 403},
		{"foreign", "POST", []string{"Origin: https://evil.example"}, 403},
		{"foreign reader", "GET", []string{"Origin: https://evil.example"}, 403},
		{"prefix of the own host", "POST", []string{"Origin: http://localhost:4173.evil.example"}, 403},
		{"null", "POST", []string{"Origin: null"}, 403},
		{"cross-site without origin", "GET", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"}, 403},
		{"same-site without origin", "GET", []string{"Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: no-cors"}, 403},
		{"followed link", "GET", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}, 200},
		{"foreign frame", "GET", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"}, 403},
		{"foreign form", "POST", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}, 403},
	}
	for _, tt := range tests {
		if w := serve(guard, tt.method, "", tt.headers...); w.Code != tt.want {
			t.Errorf("%s: status %d, want %d", tt.name, w.Code, tt.want)
		}
	}
	any := Origin(OriginOptions{Allowed: []string{"*"}})(http.HandlerFunc(ok))
	if w := serve(any, "POST", "", "Origin: https://anyone.example"); w.Code != http.StatusOK {
		t.Errorf("wildcard: status %d", w.Code)
	}
}

// cors keeps the CORS part of a header, and Vary.
func cors(h http.Header) map[string]string {
	out := map[string]string{}
	for name, values := range h {
		if short, ok := strings.CutPrefix(name, "Access-Control-"); ok || name == "Vary" {
			out[short] = strings.Join(values, ", ")
		}
	}
	return out
}

func TestCORS(t *testing.T) {
	allowed := []string{"http://localhost:6274"}
	public := CORS(CORSOptions{Public: true})(http.HandlerFunc(ok))
	guarded := CORS(CORSOptions{Allowed: allowed})(http.HandlerFunc(ok))
	const origin = "Origin: http://localhost:6274"
	tests := []struct {
		name    string
		h       http.Handler
		method  string
		headers []string
		status  int
		want    map[string]string
	}{
		{"public read", public, "GET", nil, 200, map[string]string{"Allow-Origin": "*", "Expose-Headers": exposeHeaders}},
		{"public preflight", public, "OPTIONS", []string{"Origin: https://a.example"}, 204, map[string]string{
			"Allow-Origin": "*", "Expose-Headers": exposeHeaders, "Allow-Methods": "GET, HEAD, POST, OPTIONS", "Allow-Headers": allowHeaders, "Max-Age": "86400"}},
		{"guarded, allowed", guarded, "POST", []string{origin}, 200, map[string]string{
			"Allow-Origin": "http://localhost:6274", "Expose-Headers": exposeHeaders, "Vary": "Origin"}},
		{"guarded preflight", guarded, "OPTIONS", []string{origin, "Access-Control-Request-Headers: content-type, Mcp-Param-Region"}, 204, map[string]string{
			"Allow-Origin": "http://localhost:6274", "Expose-Headers": exposeHeaders, "Vary": "Origin",
			"Allow-Methods": "GET, HEAD, POST, DELETE, OPTIONS", "Allow-Headers": allowHeaders + ", Mcp-Param-Region", "Max-Age": "86400"}},
		{"guarded, foreign preflight", guarded, "OPTIONS", []string{"Origin: https://evil.example"}, 204, map[string]string{"Vary": "Origin"}},
		{"guarded, no browser", guarded, "POST", nil, 200, map[string]string{"Vary": "Origin"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := serve(tt.h, tt.method, "", tt.headers...)
			if w.Code != tt.status {
				t.Errorf("status %d, want %d", w.Code, tt.status)
			}
			if diff := cmp.Diff(tt.want, cors(w.Header())); diff != "" {
				t.Errorf("headers (-want +got):\n%s", diff)
			}
		})
	}
}
