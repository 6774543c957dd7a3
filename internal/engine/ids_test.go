package engine

import (
	"os"
	"path/filepath"
	"testing"

	"evergreen"
)

// TestHasChain compares every section of a segment with every chain in it, and
// with what is nearly one.
func TestHasChain(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.md": "# A\n\n## B\n\n### C\n\ntext\n\n## B\n\n#### D\n\n# C\n\n## A\n",
		"b.md": "plain\n\n## B\n\ntext\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e, err := Open(Options{Root: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Index(t.Context(), evergreen.IndexRequest{Source: evergreen.Source{Location: dir}}, nil); err != nil {
		t.Fatal(err)
	}
	s, err := e.acquire()
	if err != nil {
		t.Fatal(err)
	}
	defer e.release(s)
	compared := 0
	for _, p := range s.collections[0].parts {
		for n := range p.Docs() {
			d := p.Doc(n)
			for i := d.First; i < d.First+d.Sections; i++ {
				own := chainOf(p.Segment, d, i)
				for j := d.First; j < d.First+d.Sections; j++ {
					other := chainOf(p.Segment, d, j)
					for _, chain := range []string{other, "/" + other, "x" + other, other + "0", other[:len(other)-1], other[1:]} {
						if compared++; hasChain(p.Segment, d, i, chain) != (chain == own) {
							t.Errorf("%s has chain %s: %v", own, chain, chain != own)
						}
					}
				}
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d comparisons", compared)
	}
}
