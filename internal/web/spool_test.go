package web

import (
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"evergreen"
)

// largeSite is a server whose whole text is streamed.
func largeSite(engine *fakeEngine, scratch string) *Server {
	return newServer(engine, func(o *Options) {
		o.Scratch = scratch
		o.Publish = func() (Snapshot, error) {
			n := exampleDocs(engine.Revision())
			n.add("large.md", "# Large\n\n"+strings.Repeat("A sentence of a large document.\n", maxHeldStream/30)+"\n", evergreen.Meta{})
			return n, nil
		}
	})
}

// A large document is written once and read from disk from then on, in every
// coding, with the same headers but for its length.
func TestLargeDocumentsAreKeptOnDisk(t *testing.T) {
	scratch := filepath.Join(t.TempDir(), "not", "there", "yet")
	s := largeSite(&fakeEngine{}, scratch)
	for _, coding := range []string{"identity", "gzip", "zstd"} {
		first := ask(s, "GET", "/llms-full.txt", "Accept-Encoding: "+coding)
		want := body(t, first)
		again := ask(s, "GET", "/llms-full.txt", "Accept-Encoding: "+coding)
		if got := body(t, again); got != want || again.Header.Get("Content-Length") != strconv.Itoa(len(want)) {
			t.Errorf("%s: %d bytes of %d, %v", coding, len(got), len(want), again.Header)
		}
		for _, name := range []string{"Etag", "Vary", "Cache-Control", "Content-Type", "Content-Encoding", "Last-Modified", "Link"} {
			if again.Header.Get(name) != first.Header.Get(name) {
				t.Errorf("%s: %s is %q and then %q", coding, name, first.Header.Get(name), again.Header.Get(name))
			}
		}
		if r := ask(s, "GET", "/llms-full.txt", "Accept-Encoding: "+coding, "If-None-Match: "+first.Header.Get("Etag")); r.StatusCode != 304 || body(t, r) != "" {
			t.Errorf("%s: status %d", coding, r.StatusCode)
		}
		if r := ask(s, "HEAD", "/llms-full.txt", "Accept-Encoding: "+coding); r.StatusCode != 200 || body(t, r) != "" {
			t.Errorf("%s: HEAD: status %d", coding, r.StatusCode)
		}
	}
	if n := len(s.current.large.files); n != 3 {
		t.Errorf("%d documents are kept, not one in each coding", n)
	}
	s.Close()
	if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
		t.Errorf("files stay: %v, %v", left, err)
	}
}

// Without a folder, and with one that cannot be written, documents are sent anew.
func TestLargeDocumentsNeedNoDisk(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, scratch := range []string{"", file} {
		s := largeSite(&fakeEngine{}, scratch)
		first := body(t, ask(s, "GET", "/llms-full.txt"))
		if again := body(t, ask(s, "GET", "/llms-full.txt")); again != first || len(s.current.large.files) > 0 {
			t.Errorf("scratch %q: %d bytes and then %d", scratch, len(first), len(again))
		}
	}
}

// A client that goes away leaves no half of a document behind.
func TestHalfADocumentIsNotKept(t *testing.T) {
	s := largeSite(&fakeEngine{}, t.TempDir())
	func() {
		defer func() { _ = recover() }() // the connection is cut
		s.ServeHTTP(&goneWriter{httptest.NewRecorder()}, httptest.NewRequest("GET", "http://localhost/llms-full.txt", nil))
	}()
	if n := len(s.current.large.files); n > 0 {
		t.Errorf("%d documents are kept", n)
	}
}

type goneWriter struct{ *httptest.ResponseRecorder }

func (*goneWriter) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestSpoolsEndAtTheirBound(t *testing.T) {
	k := &spools{dir: t.TempDir(), most: 10}
	keep := func(key string, bytes int) {
		if s := k.open(); s != nil {
			if n, err := (&tee{io.Discard, s}).Write(make([]byte, bytes)); n != bytes || err != nil {
				t.Fatal(n, err)
			}
			k.keep(key, s)
		}
	}
	for _, step := range []struct {
		key   string
		bytes int
		kept  bool
	}{{"a", 6, true}, {"b", 5, false}, {"a", 1, true}, {"c", 4, true}, {"d", 0, false}} {
		keep(step.key, step.bytes)
		if _, kept := k.get(step.key); kept != step.kept {
			t.Errorf("%s with %d bytes: kept %v", step.key, step.bytes, kept)
		}
	}
	if k.bytes != 10 {
		t.Errorf("%d bytes are kept", k.bytes)
	}
	k.close()
	if _, kept := k.get("a"); kept || k.bytes != 0 {
		t.Error("a document outlives its snapshot")
	}
}
