package fetch

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"evergreen/internal/testkit"

	"github.com/google/go-cmp/cmp"
)

const cachedSite = `
-- /page --
HTTP/1.1 200 OK
Content-Type: text/plain
ETag: "v1"

first
-- /old --
HTTP/1.1 301 Moved Permanently
Location: /page

-- /changing --
HTTP/1.1 200 OK
Content-Type: text/plain
ETag: "a"

one
-- /changing#2 --
HTTP/1.1 200 OK
Content-Type: text/plain
ETag: "b"

two
-- /secret --
HTTP/1.1 200 OK
Content-Type: text/plain
Cache-Control: private, no-store

x
-- /down --
HTTP/1.1 503 Service Unavailable

-- /forbidden --
HTTP/1.1 403 Forbidden

`

// cached serves the site to a client with a cache and a clock to turn.
func cached(t *testing.T, change ...func(*Options)) (base string, site *testkit.Site, client *Client, dir string, clock *time.Time) {
	site = testkit.NewSite(t, cachedSite)
	dir = t.TempDir()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	clock = &now
	base, client = serve(t, site, append([]func(*Options){func(o *Options) {
		o.CacheDir = dir
		o.CacheTTL = time.Hour
		o.Now = func() time.Time { return *clock }
		o.Platform = func(url, _ string, _ []byte) string { return "seen at " + url[strings.LastIndex(url, "/"):] }
	}}, change...)...)
	return base, site, client, dir, clock
}

func get(t *testing.T, c *Client, req Request) *Result {
	t.Helper()
	r, err := c.Get(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCacheHit(t *testing.T) {
	base, site, client, dir, _ := cached(t)
	fresh := get(t, client, Request{URL: base + "/old"})
	hit := get(t, client, Request{URL: base + "/old"})
	if !hit.FromCache || fresh.FromCache {
		t.Errorf("from cache: first %v, then %v", fresh.FromCache, hit.FromCache)
	}
	hit.FromCache = false
	if diff := cmp.Diff(fresh, hit); diff != "" {
		t.Error(diff)
	}
	if hit.FinalURL != base+"/page" || hit.Platform != "seen at /page" {
		t.Errorf("final URL %s, platform %q", hit.FinalURL, hit.Platform)
	}
	if diff := cmp.Diff([]string{"/old", "/page"}, site.Requests()); diff != "" {
		t.Error(diff)
	}
	sum := sha256.Sum256([]byte(base + "/old"))
	meta, err := os.ReadFile(filepath.Join(dir, "raw", hex.EncodeToString(sum[:])+".meta"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(meta), "final_url="+base+"/page\nstatus=200\ncontent_type=text/plain\n") {
		t.Errorf("meta:\n%s", meta)
	}
}

func TestCacheRenews(t *testing.T) {
	base, site, client, _, clock := cached(t)
	get(t, client, Request{URL: base + "/page"})
	get(t, client, Request{URL: base + "/changing"})
	*clock = clock.Add(time.Hour - time.Second)
	if r := get(t, client, Request{URL: base + "/page"}); !r.FromCache {
		t.Error("within its time the answer was not used")
	}
	*clock = clock.Add(time.Second)
	r := get(t, client, Request{URL: base + "/page"})
	if !r.FromCache || string(r.Body) != "first\n" || !r.FetchedAt.Equal(*clock) {
		t.Errorf("renewed: %+v", r)
	}
	if r := get(t, client, Request{URL: base + "/changing"}); r.FromCache || string(r.Body) != "two\n" {
		t.Errorf("changed: %+v", r)
	}
	site.Forget()
	*clock = clock.Add(time.Hour - time.Second)
	get(t, client, Request{URL: base + "/page"})
	get(t, client, Request{URL: base + "/page", Revalidate: true})
	if diff := cmp.Diff([]string{"/page if-none-match"}, site.Requests()); diff != "" {
		t.Error(diff)
	}
}

func TestCacheWithoutTime(t *testing.T) {
	base, site, client, dir, _ := cached(t, func(o *Options) { o.CacheTTL = 0 })
	get(t, client, Request{URL: base + "/changing"})
	if r := get(t, client, Request{URL: base + "/changing"}); string(r.Body) != "two\n" {
		t.Errorf("a cache that is only written was read: %q", r.Body)
	}
	if len(site.Requests()) != 2 {
		t.Errorf("requests %q", site.Requests())
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "raw", "*")); len(files) != 2 {
		t.Errorf("files %q, want one pair and nothing else", files)
	}
}

func TestWhatIsNotCached(t *testing.T) {
	base, site, client, _, _ := cached(t)
	for _, path := range []string{"/secret", "/down", "/forbidden"} {
		for range 2 {
			if r := get(t, client, Request{URL: base + path}); r.FromCache {
				t.Errorf("%s came from the cache", path)
			}
		}
	}
	for range 2 {
		get(t, client, Request{URL: base + "/gone"})
	}
	if n := strings.Count(strings.Join(site.Requests(), " "), "/gone"); n != 1 {
		t.Errorf("a 404 was asked for %d times", n)
	}
}

func TestCacheVariants(t *testing.T) {
	base, site, client, _, _ := cached(t)
	for range 2 {
		get(t, client, Request{URL: base + "/page"})
		get(t, client, Request{URL: base + "/page", Accept: "text/markdown"})
		get(t, client, Request{URL: base + "/page", Header: http.Header{"Authorization": {"a"}}})
	}
	if n := len(site.Requests()); n != 3 {
		t.Errorf("%d requests, want 3", n)
	}
}

func TestDamagedCacheIsAMiss(t *testing.T) {
	for name, damage := range map[string]func(bin, meta string) error{
		"body changed":     func(bin, _ string) error { return os.WriteFile(bin, []byte("other"), 0o644) },
		"body gone":        func(bin, _ string) error { return os.Remove(bin) },
		"meta gone":        func(_, meta string) error { return os.Remove(meta) },
		"meta empty":       func(_, meta string) error { return os.WriteFile(meta, nil, 0o644) },
		"meta empty line":  func(_, meta string) error { return os.WriteFile(meta, []byte("\n"), 0o644) },
		"status no number": func(_, meta string) error { return os.WriteFile(meta, []byte("status=ok\n"), 0o644) },
		"meta far too long": func(_, meta string) error {
			return os.WriteFile(meta, []byte("url="+strings.Repeat("x", maxMetaBytes)), 0o644)
		},
	} {
		base, site, client, dir, _ := cached(t)
		get(t, client, Request{URL: base + "/page"})
		bins, _ := filepath.Glob(filepath.Join(dir, "raw", "*.bin"))
		metas, _ := filepath.Glob(filepath.Join(dir, "raw", "*.meta"))
		if len(bins) != 1 || len(metas) != 1 {
			t.Fatal("no pair")
		}
		if err := damage(bins[0], metas[0]); err != nil {
			t.Fatal(err)
		}
		if r := get(t, client, Request{URL: base + "/page"}); r.FromCache || string(r.Body) != "first\n" {
			t.Errorf("%s: %+v", name, r)
		}
		if diff := cmp.Diff([]string{"/page", "/page"}, site.Requests()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestCacheNoticesEveryBit flips each byte of a stored answer's two files: it is
// a miss, never another answer.
func TestCacheNoticesEveryBit(t *testing.T) {
	c := &cache{dir: t.TempDir(), now: time.Now}
	key := strings.Repeat("ab", 32)
	want := &entry{url: "http://docs.example.com/", finalURL: "http://docs.example.com/a", status: 200, contentType: "text/html",
		etag: `"1"`, links: []string{"<b>; rel=next"}, redirects: []Redirect{{Status: 301, From: "http://a/", To: "http://b/"}}, body: []byte("<p>Body")}
	if err := c.save(key, want); err != nil {
		t.Fatal(err)
	}
	if got := c.load(key, false); got == nil || got.etag != want.etag {
		t.Fatalf("got %+v", got)
	}
	out := testkit.Outcome{Name: "cache", Detail: "each byte of a stored page's two files: a bit flipped, cut there, zeros from there on; every time a miss"}
	for _, ext := range []string{".bin", ".meta"} {
		good, err := os.ReadFile(c.path(key, ext))
		if err != nil {
			t.Fatal(err)
		}
		for i := range good {
			flipped, cut, torn := slices.Clone(good), good[:i], slices.Clone(good)
			flipped[i] ^= 1 << (i % 8)
			clear(torn[i:])
			for _, bad := range [][]byte{flipped, cut, torn} {
				if err := os.WriteFile(c.path(key, ext), bad, 0o644); err != nil {
					t.Fatal(err)
				}
				out.Tried++
				if got := c.load(key, false); got == nil {
					out.Survived++
				} else {
					out.Lost++
					t.Errorf("%s damaged at %d is read: %+v", ext, i, got)
				}
			}
		}
		if err := os.WriteFile(c.path(key, ext), good, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	testkit.Record(t, out)
}

func TestMetaWithoutFields(t *testing.T) {
	base, site, client, dir, _ := cached(t)
	get(t, client, Request{URL: base + "/page"})
	metas, _ := filepath.Glob(filepath.Join(dir, "raw", "*.meta"))
	if err := os.WriteFile(metas[0], []byte("url="+base+"/page\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := get(t, client, Request{URL: base + "/page"})
	if !r.FromCache || r.Status != 200 || r.FinalURL != base+"/page" || string(r.Body) != "first\n" || r.FetchedAt.IsZero() {
		t.Errorf("got %+v after %q", r, site.Requests())
	}
}

func TestCacheKeepsLimitsAndGuard(t *testing.T) {
	base, site, client, dir, clock := cached(t)
	get(t, client, Request{URL: base + "/page"})
	now := func() time.Time { return *clock }
	small := New(Options{CacheDir: dir, CacheTTL: time.Hour, Now: now, AllowPrivate: true, MaxBytes: int64(len("first\n")) - 1})
	if r, err := small.Get(t.Context(), Request{URL: base + "/page"}); err == nil {
		t.Errorf("a stored answer larger than allowed was used: %+v", r)
	}
	exact := New(Options{CacheDir: dir, CacheTTL: time.Hour, Now: now, AllowPrivate: true, MaxBytes: int64(len("first\n"))})
	if r, err := exact.Get(t.Context(), Request{URL: base + "/page"}); err != nil || !r.FromCache {
		t.Errorf("a stored answer of the size allowed: %+v, %v", r, err)
	}
	// What was fetched from a private network stays out of a public client's
	// sight, also under a public name.
	c := &cache{dir: dir, now: now}
	key := strings.Repeat("ab", 32)
	if err := c.save(key, &entry{url: "http://docs.example.com/", private: true, body: []byte("inside")}); err != nil {
		t.Fatal(err)
	}
	if c.load(key, false) != nil || c.load(key, true) == nil {
		t.Error("a private answer is not kept apart")
	}
	if !strings.Contains(readMeta(t, dir, base+"/page"), "private=true") {
		t.Errorf("an answer from this machine is not marked; requests %q", site.Requests())
	}
}

func readMeta(t *testing.T, dir, url string) string {
	t.Helper()
	sum := sha256.Sum256([]byte(url))
	meta, err := os.ReadFile(filepath.Join(dir, "raw", hex.EncodeToString(sum[:])+".meta"))
	if err != nil {
		t.Fatal(err)
	}
	return string(meta)
}

func TestUnwritableCacheIsNoError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	base, _, client, _, _ := cached(t, func(o *Options) { o.CacheDir = file })
	if r := get(t, client, Request{URL: base + "/page"}); string(r.Body) != "first\n" {
		t.Errorf("got %+v", r)
	}
}

func FuzzParseMeta(f *testing.F) {
	f.Add("url=a\nstatus=200\nredirect=301 a b\nfetched_at=2026-11-30T12:00:00Z\n")
	f.Fuzz(func(t *testing.T, text string) {
		e, _, err := parseMeta(text)
		if err != nil {
			return
		}
		again, _, err := parseMeta(string(e.meta()))
		if err != nil {
			t.Fatalf("cannot read what was written: %v\n%s", err, e.meta())
		}
		if again.status != e.status || again.finalURL != strings.NewReplacer("\r", " ", "\n", " ").Replace(e.finalURL) {
			t.Errorf("wrote %+v, read %+v", e, again)
		}
	})
}
