package engine_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/testkit"
)

// TestClockJumps lets the clock jump by seconds, hours and years, back and
// forth, between edits that keep a file's size. Every edit is seen at the next
// run, by this process and by one that had the library open all the time.
func TestClockJumps(t *testing.T) {
	b := newBench(t, map[string]string{"a.md": "# A\n\nword00\n", "b.md": "# B\n\nother\n"})
	b.index()
	watching := b.open(b.e.Root())
	out := testkit.Outcome{Name: "clock", Detail: "jumps of the clock between edits that keep a file's size: every edit is seen"}
	for i, jump := range []time.Duration{-time.Second, -time.Hour, time.Hour, -24 * 365 * time.Hour, 0, 24 * 365 * 20 * time.Hour, time.Millisecond, -24 * 365 * 40 * time.Hour, time.Minute} {
		out.Tried++
		word := fmt.Sprintf("word%02d", i+1)
		b.write(map[string]string{"a.md": "# A\n\n" + word + "\n"})
		b.clock = b.clock.Add(jump)
		report, err := b.e.Index(context.Background(), evergreen.IndexRequest{Source: evergreen.Source{Location: b.source}}, nil)
		found := b.search(word)
		time.Sleep(20 * time.Millisecond) // longer than a snapshot serves unseen
		res, searched := watching.Search(context.Background(), evergreen.SearchRequest{Query: word})
		if err != nil || report.Documents.Indexed != 1 || len(found) != 1 || searched != nil || res.Total != 1 || len(b.search(fmt.Sprintf("word%02d", i))) != 0 {
			out.Lost++
			t.Errorf("after a jump of %s: %+v, %v; found %v, and %d by the other; %v", jump, report.Documents, err, found, res.Total, searched)
			continue
		}
		out.Survived++
	}
	testkit.Record(t, out)
}
