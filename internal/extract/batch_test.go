package extract

import (
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPackedPagesAreBounded reads a compressed page up to its bound, and no bomb.
func TestPackedPagesAreBounded(t *testing.T) {
	const most = 1 << 10
	for name, tc := range map[string]struct {
		bytes int
		says  string
	}{"exact": {most, ""}, "bomb": {most << 10, "more than 1024 bytes"}} {
		file := filepath.Join(t.TempDir(), name+".html.gz")
		f, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		z := gzip.NewWriter(f)
		_, err = z.Write([]byte(strings.Repeat("x", tc.bytes)))
		if err := errors.Join(err, z.Close(), f.Close()); err != nil {
			t.Fatal(err)
		}
		page, err := readFile(file, most)
		if tc.says == "" && (err != nil || len(page) != tc.bytes) || tc.says != "" && (err == nil || !strings.Contains(err.Error(), tc.says)) {
			t.Errorf("%s: %d bytes, %v", name, len(page), err)
		}
	}
}
