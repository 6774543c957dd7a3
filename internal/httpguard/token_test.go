// Who gets which access with which token.
package httpguard

import (
	"net/http"
	"testing"
)

func TestToken(t *testing.T) {
	const remote, local = "Peer: 192.0.2.1:9", "Peer: 127.0.0.1:9"
	auth := func(token string) string { return "Authorization: Bearer " + token }
	open, admin := TokenOptions{}, TokenOptions{Admin: "adm"}
	both := TokenOptions{Read: "rd", Admin: "adm"}
	tests := []struct {
		name    string
		o       TokenOptions
		headers []string
		want    string // "" means 401
	}{
		{"local, nothing set up", open, []string{local}, "admin"},
		{"local, tokens set up", both, []string{local}, "admin"},
		{"local, somebody else's token", both, []string{local, auth("upstream")}, "admin"},
		{"remote, nothing set up", open, []string{remote}, "read"},
		{"remote, nothing set up, token for an upstream", open, []string{remote, auth("upstream")}, "read"},
		{"remote, empty token", open, []string{remote, auth("")}, "read"},
		{"remote, reading is open", admin, []string{remote}, "read"},
		{"remote, admin", admin, []string{remote, auth("adm")}, "admin"},
		{"remote, scheme in small letters", admin, []string{remote, "Authorization: bearer adm"}, "admin"},
		{"remote, wrong token", admin, []string{remote, auth("nope")}, ""},
		{"remote, empty token against a missing read token", admin, []string{remote, auth("")}, ""},
		{"remote, other scheme", admin, []string{remote, "Authorization: Basic YWRt"}, "read"},
		{"remote, no token", both, []string{remote}, "none"},
		{"remote, read token", both, []string{remote, auth("rd")}, "read"},
		{"remote, admin token", both, []string{remote, auth("adm")}, "admin"},
		{"remote, forged access header", both, []string{remote, AccessHeader + ": admin"}, "none"},
		{"proxy on this machine", both, []string{local, "Host: docs.example.com"}, "none"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := serve(Token(tt.o)(http.HandlerFunc(ok)), "POST", "", tt.headers...)
			status, body := http.StatusOK, tt.want+" "+tt.want
			if tt.want == "" {
				status = http.StatusUnauthorized
			}
			if w.Code != status || status == http.StatusOK && w.Body.String() != body {
				t.Errorf("status %d, body %q; want %d, %q", w.Code, w.Body, status, body)
			}
			if status == http.StatusUnauthorized && w.Header().Get("WWW-Authenticate") == "" {
				t.Error("401 without a challenge")
			}
		})
	}
}

func TestAnswersToCredentialsAreNotKept(t *testing.T) {
	h := Token(TokenOptions{Admin: "adm"})(http.HandlerFunc(ok))
	for header, want := range map[string]string{
		"Accept: */*":                "public, max-age=900",
		"Authorization: Bearer adm":  "private, no-store",
		"Authorization: Bearer nope": "private, no-store",
		"Cookie: a=b":                "private, no-store",
	} {
		if got := serve(h, "GET", "", header).Header().Get("Cache-Control"); got != want {
			t.Errorf("%s: Cache-Control %q, want %q", header, got, want)
		}
		if got := serve(h, "GET", "", header, "Peer: 192.0.2.1:9").Header().Get("Cache-Control"); got != want {
			t.Errorf("remote, %s: Cache-Control %q, want %q", header, got, want)
		}
	}
}

func TestRequire(t *testing.T) {
	chain := func(need Access) http.Handler {
		return Chain(http.HandlerFunc(ok), Token(TokenOptions{Read: "rd", Admin: "adm"}), Require(RequireOptions{Access: need}))
	}
	tests := []struct {
		need  Access
		token string
		want  int
	}{
		{Read, "rd", 200}, {Read, "adm", 200}, {Read, "", 401}, {Read, "nope", 401},
		{Admin, "adm", 200}, {Admin, "rd", 403}, {Admin, "", 401},
	}
	for _, tt := range tests {
		headers := []string{"Peer: 192.0.2.1:9"}
		if tt.token != "" {
			headers = append(headers, "Authorization: Bearer "+tt.token)
		}
		if w := serve(chain(tt.need), "GET", "", headers...); w.Code != tt.want {
			t.Errorf("%v with token %q: status %d, want %d", tt.need, tt.token, w.Code, tt.want)
		}
	}
	open := Chain(http.HandlerFunc(ok), Token(TokenOptions{Admin: "adm"}), Require(RequireOptions{Access: Admin}))
	if w := serve(open, "GET", "", "Peer: 192.0.2.1:9"); w.Code != http.StatusUnauthorized {
		t.Errorf("open reading is no admin access: status %d", w.Code)
	}
	if w := serve(Require(RequireOptions{Access: Read})(http.HandlerFunc(ok)), "GET", ""); w.Code != http.StatusUnauthorized {
		t.Errorf("without Token: status %d", w.Code)
	}
}
