package fetch

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"net/url"
	"testing"

	"evergreen"
)

func TestTooLarge(t *testing.T) {
	const most = 64 << 10
	zeros := func(n int) []byte { return bytes.Repeat([]byte("x"), n) }
	pack := func(data []byte) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write(data)
		w.Close()
		return b.Bytes()
	}
	bodies := map[string]struct {
		coding string
		body   []byte
		large  bool
	}{
		"/exact":      {"", zeros(most), false},
		"/over":       {"", zeros(most + 1), true},
		"/exact-gzip": {"gzip", pack(zeros(most)), false},
		"/bomb":       {"gzip", pack(zeros(most + 1)), true},
		"/bomb2":      {"gzip, gzip", pack(pack(zeros(10 << 20))), true},
		"/hidden":     {"gzip, gzip", pack(bytes.Repeat(pack(nil), 10_000)), true}, // nothing in much in little
	}
	base, client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		b, ok := bodies[r.URL.Path]
		if !ok { // endless, and without a length
			for r.Context().Err() == nil {
				if _, err := w.Write(zeros(4 << 10)); err != nil {
					return
				}
			}
		}
		if b.coding != "" {
			w.Header().Set("Content-Encoding", b.coding)
		}
		w.Write(b.body)
	}), func(o *Options) { o.MaxBytes = most })
	for path, b := range bodies {
		r, err := client.Get(t.Context(), Request{URL: base + path})
		if large := evergreen.KindOf(err) == evergreen.TooLarge; large != b.large || err != nil && !large {
			t.Errorf("%s: %v, want too large %v", path, err, b.large)
		}
		if err == nil && len(r.Body) != most {
			t.Errorf("%s: %d bytes", path, len(r.Body))
		}
	}
	if _, err := client.Get(t.Context(), Request{URL: base + "/endless"}); evergreen.KindOf(err) != evergreen.TooLarge {
		t.Errorf("endless body: %v", err)
	}
}

func TestContentCodings(t *testing.T) {
	var zlibbed, deflated bytes.Buffer
	zw := zlib.NewWriter(&zlibbed)
	zw.Write([]byte("hello"))
	zw.Close()
	deflated.Write(zlibbed.Bytes()[2 : zlibbed.Len()-4]) // zlib's head and sum around raw deflate
	bodies := map[string]struct {
		coding, body, want string
		kind               evergreen.Kind
	}{
		"/zlib":     {"deflate", zlibbed.String(), "hello", ""},
		"/deflate":  {"deflate", deflated.String(), "hello", ""},
		"/identity": {"identity", "hello", "hello", ""},
		"/empty":    {"gzip", "", "", ""},
		"/brotli":   {"br", "hello", "", evergreen.Upstream},
		"/not-gzip": {"gzip", "hello, this is no gzip at all", "", evergreen.Upstream},
		"/too-many": {"gzip, gzip, gzip", "x", "", evergreen.Upstream},
		"/bad-zlib": {"deflate", "\x78\x9c\xff\xff\xff\xff\xff\xff", "", evergreen.Upstream},
	}
	base, client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b := bodies[r.URL.Path]
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Encoding", b.coding)
		io.WriteString(w, b.body)
	}))
	for path, b := range bodies {
		r, err := client.Get(t.Context(), Request{URL: base + path})
		if evergreen.KindOf(err) != b.kind {
			t.Errorf("%s: %v, want %q", path, err, b.kind)
		}
		if err == nil && string(r.Body) != b.want {
			t.Errorf("%s: %q", path, r.Body)
		}
	}
}

func TestTypes(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00"
	tests := []struct {
		path, declared, body string
		want                 string // content type; "" is refused
		text                 bool
	}{
		{"/a", "text/html; charset=utf-8", "<p>x", "text/html; charset=utf-8", true},
		{"/a", "application/xhtml+xml", "<p/>", "application/xhtml+xml", true},
		{"/a", "application/json", "{}", "application/json", true},
		{"/a", "application/atom+xml", "<feed/>", "application/atom+xml", true},
		{"/a.md", "application/octet-stream", "# T", "text/markdown", true},
		{"/a.md", "", "# T", "text/markdown", true},
		{"/a.yaml", "binary/octet-stream", "a: b", "application/yaml", true},
		{"/a", "application/octet-stream", "<!doctype html><p>x", "text/html", true},
		{"/a", "application/octet-stream", "plain words", "text/plain", true},
		{"/a", "application/octet-stream", png, "", false},
		{"/a", "text/html", "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "application/pdf", false},
		{"/a", "application/pdf", "%PDF-1.4", "application/pdf", false},
		{"/a", "application/pdf", "<p>not found", "", false},
		{"/a", "text/html", png, "", false},
		{"/a", "image/png", png, "", false},
		{"/a", "application/zip", "PK\x03\x04", "", false},
		{"/a", "application/javascript", "x()", "", false},
		{"/a", "text/plain", "BM25 ranks by terms", "text/plain", true}, // "BM" begins a bitmap
		{"/a", "text/html", "<p>one odd \x0b character", "text/html", true},
		{"/a", "text/html; charset=utf-16le", "<\x00p\x00>\x00x\x00", "text/html; charset=utf-16le", true},
		{"/a", "text/plain", "\xff\xfex\x00", "text/plain", true},
	}
	for _, tt := range tests {
		got, text, err := judge(tt.declared, tt.path, []byte(tt.body))
		if got != tt.want || text != tt.text || (err == nil) != (tt.want != "") {
			t.Errorf("%s %q %.20q: %q, text %v, %v; want %q, text %v", tt.path, tt.declared, tt.body, got, text, err, tt.want, tt.text)
		}
		if err != nil && evergreen.KindOf(err) != evergreen.Blocked {
			t.Errorf("%s: kind %q", tt.declared, evergreen.KindOf(err))
		}
	}
}

func TestRefusedTypesAreNotRead(t *testing.T) {
	base, client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "video/mp4")
		w.Write([]byte("\x00\x00"))
	}))
	if _, err := client.Get(t.Context(), Request{URL: base}); evergreen.KindOf(err) != evergreen.Blocked {
		t.Errorf("got %v", err)
	}
	r, err := client.Get(t.Context(), Request{URL: base, AnyType: true})
	if err != nil || string(r.Body) != "\x00\x00" {
		t.Errorf("any type: %+v, %v", r, err)
	}
}

func TestCharsets(t *testing.T) {
	base, client := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", r.URL.Query().Get("type"))
		w.Write([]byte("<title>\xd6\xd0\xce\xc4</title>")) // 中文 in GBK
	}))
	for declared, warned := range map[string]bool{"text/html; charset=gb2312": false, `text/html; charset="GBK"`: false, "text/html; charset=nonsense": true} {
		r, err := client.Get(t.Context(), Request{URL: base + "/?type=" + url.QueryEscape(declared)})
		if err != nil {
			t.Fatal(err)
		}
		if (r.CharsetWarning != "") != warned {
			t.Errorf("%s: warning %q", declared, r.CharsetWarning)
		}
		if !warned && string(r.Body) != "<title>中文</title>" {
			t.Errorf("%s: %q in %s", declared, r.Body, r.Charset)
		}
		if r.Bytes != 19 {
			t.Errorf("%d bytes, want those received", r.Bytes)
		}
	}
}
