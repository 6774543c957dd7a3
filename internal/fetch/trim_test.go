package fetch

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fill fetches n pages of size bytes each, a minute apart.
func fill(t *testing.T, max int64, n, size int) (dir string, client *Client, base string) {
	t.Helper()
	dir = t.TempDir()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, strings.Repeat("x", size))
	}))
	t.Cleanup(server.Close)
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	o := Defaults()
	o.CacheDir, o.CacheMax, o.AllowPrivate = dir, max, true
	o.Now = func() time.Time { return now }
	client = New(o)
	t.Cleanup(client.CloseIdle)
	for i := range n {
		if _, err := client.Get(t.Context(), Request{URL: fmt.Sprintf("%s/%d", server.URL, i)}); err != nil {
			t.Fatal(err)
		}
		now = now.Add(time.Minute)
	}
	return dir, client, server.URL
}

func size(t *testing.T, dir string) (total int64) {
	t.Helper()
	files, err := os.ReadDir(filepath.Join(dir, "raw"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	return total
}

func TestCacheStaysWithinItsBound(t *testing.T) {
	const max, each = 64 << 10, 4 << 10
	dir, client, base := fill(t, max, 40, each)
	if got := size(t, dir); got > max+max/trimParts+2*each || got < max/2 {
		t.Errorf("%d bytes of at most %d", got, max)
	}
	for i, want := range map[int]bool{0: false, 39: true} { // the oldest goes first
		r, err := client.Get(t.Context(), Request{URL: fmt.Sprintf("%s/%d", base, i)})
		if err != nil || r.FromCache != want {
			t.Errorf("page %d: from the cache %v, %v", i, r.FromCache, err)
		}
	}
}

// Many short runs are looked after like a long one.
func TestEachRunLooksAtTheCacheOnce(t *testing.T) {
	dir, _, base := fill(t, -1, 8, 4<<10)
	o := Defaults()
	o.CacheDir, o.CacheMax, o.AllowPrivate = dir, 16<<10, true
	client := New(o)
	defer client.CloseIdle()
	if _, err := client.Get(t.Context(), Request{URL: base + "/new"}); err != nil {
		t.Fatal(err)
	}
	if got := size(t, dir); got > 16<<10 {
		t.Errorf("%d bytes", got)
	}
}

func TestCacheWithoutABound(t *testing.T) {
	if dir, _, _ := fill(t, -1, 40, 4<<10); size(t, dir) < 40*4<<10 {
		t.Error("something is gone")
	}
}

// Half-written files that were left behind go, those of a writer at work stay.
func TestTrimRemovesWhatWritersLeft(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	c := &cache{dir: dir, now: func() time.Time { return now }, max: 1 << 20}
	if err := os.MkdirAll(filepath.Join(dir, "raw", "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, age := range map[string]time.Duration{"a.tmp": abandonedAfter + time.Second, "b.tmp": abandonedAfter, "c.bin": 48 * time.Hour} {
		file := filepath.Join(dir, "raw", name)
		if err := os.WriteFile(file, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.trim(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"a.tmp": false, "b.tmp": true, "c.bin": true, "folder": true} {
		if _, err := os.Stat(filepath.Join(dir, "raw", name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
