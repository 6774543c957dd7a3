package engine_test

import (
	"strings"
	"testing"

	"evergreen"
)

// TestRunsBeyondTheirBoundsChangeNothing: at the bound a run passes, beyond it
// the library stays as it was.
func TestRunsBeyondTheirBoundsChangeNothing(t *testing.T) {
	text := "# Walrus\n\n" + strings.Repeat("word ", 100) + "\n"
	b := newBench(t, map[string]string{"a.md": text})
	run := func(r evergreen.IndexRequest) error {
		r.Source = evergreen.Source{Location: b.source}
		_, err := b.e.Index(t.Context(), r, nil)
		return err
	}
	if err := run(evergreen.IndexRequest{MaxText: int64(len(text)), MaxLibrary: 1 << 20}); err != nil {
		t.Fatalf("at the bound: %v", err)
	}
	b.write(map[string]string{"b.md": "# Narwhal\n\nA second document.\n"})
	for name, r := range map[string]evergreen.IndexRequest{
		"text": {MaxText: int64(len(text)), Verify: true}, "disk": {MaxLibrary: 100, Verify: true},
	} {
		err := run(r)
		if evergreen.KindOf(err) != evergreen.Exhausted || len(evergreen.Hints(err)) != 2 {
			t.Errorf("%s: %v %q", name, err, evergreen.Hints(err))
		}
		if got := b.search("narwhal"); len(got) != 0 {
			t.Errorf("%s: the refused run left %q", name, got)
		}
		if got := b.search("walrus"); len(got) != 1 {
			t.Errorf("%s: what was there is gone: %q", name, got)
		}
	}
	if err := run(evergreen.IndexRequest{Verify: true}); err != nil {
		t.Fatal(err)
	}
	if err := run(evergreen.IndexRequest{MaxText: 1, MaxLibrary: 1}); err != nil {
		t.Errorf("a run that adds nothing: %v", err)
	}
	if got := b.search("narwhal"); len(got) != 1 {
		t.Errorf("without bounds: %q", got)
	}
}
