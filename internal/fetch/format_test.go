package fetch

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestEarlierCache wants what an earlier version has kept fetched again: its
// descriptions had no sum of their own and cannot be told from damaged ones.
func TestEarlierCache(t *testing.T) {
	c := &cache{dir: t.TempDir(), now: time.Now}
	if err := os.CopyFS(filepath.Join(c.dir, "raw"), os.DirFS("testdata/format-1")); err != nil {
		t.Fatal(err)
	}
	keys, err := filepath.Glob(filepath.Join(c.dir, "raw", "*.meta"))
	if err != nil || len(keys) != 1 {
		t.Fatal(keys, err)
	}
	key := filepath.Base(keys[0])[:64]
	if e := c.load(key, true); e != nil {
		t.Errorf("read: %+v", e)
	}
	fresh := &entry{url: "http://127.0.0.1:18473/page", status: 200, private: true, body: []byte("new")}
	if err := c.save(key, fresh); err != nil {
		t.Fatal(err)
	}
	if e := c.load(key, true); e == nil || string(e.body) != "new" {
		t.Errorf("after it was fetched again: %+v", e)
	}
}
