package fetch

// This file keeps the cache within its bounds.

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// stored is one answer on disk: a body, a description, or both.
type stored struct {
	files   []string
	bytes   int64
	written time.Time // of the newer file
}

// spent counts what was written and trims the cache each time that a part of its
// bound was. Who trims already is left to it: the cache may be a little over.
func (c *cache) spent(bytes int) error {
	if c.max <= 0 || c.unseen.Add(int64(bytes)) < c.max/trimParts || !c.trimming.TryLock() {
		return nil
	}
	defer c.trimming.Unlock()
	c.unseen.Store(0)
	return c.trim()
}

// trim removes the answers that were stored or confirmed longest ago until a
// part of the bound is free, and what writers left behind that are gone. Another
// process may remove the same files.
func (c *cache) trim() error {
	all, total, err := c.list()
	if err != nil || total <= c.max {
		return err
	}
	slices.SortFunc(all, func(a, b *stored) int { return a.written.Compare(b.written) })
	for _, s := range all {
		if total <= c.max-c.max/trimParts {
			break
		}
		for _, file := range s.files {
			if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
				return err
			}
		}
		total -= s.bytes
	}
	return nil
}

// list returns the answers on disk with the bytes of all together.
func (c *cache) list() (all []*stored, total int64, err error) {
	files, err := os.ReadDir(filepath.Join(c.dir, "raw"))
	if err != nil {
		return nil, 0, err
	}
	byKey := map[string]*stored{}
	for _, f := range files {
		info, err := f.Info()
		if err != nil || !f.Type().IsRegular() {
			continue // gone since
		}
		file := filepath.Join(c.dir, "raw", f.Name())
		if strings.HasSuffix(f.Name(), ".tmp") {
			c.forget(file, info)
			continue
		}
		key := strings.TrimSuffix(strings.TrimSuffix(f.Name(), ".bin"), ".meta")
		s := byKey[key]
		if s == nil {
			s = &stored{}
			byKey[key] = s
			all = append(all, s)
		}
		s.files, s.bytes = append(s.files, file), s.bytes+info.Size()
		if info.ModTime().After(s.written) {
			s.written = info.ModTime()
		}
		total += info.Size()
	}
	return all, total, nil
}

// forget removes a half-written file that nobody writes any more.
func (c *cache) forget(file string, info fs.FileInfo) {
	if c.now().Sub(info.ModTime()) > abandonedAfter {
		_ = os.Remove(file) // it is no answer either way
	}
}
