package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"evergreen"
	"evergreen/internal/engine"
	"evergreen/internal/testkit"
)

// Environment of a reading process.
const (
	readerLibrary = "EVERGREEN_TEST_READER_LIBRARY"
	readerUntil   = "EVERGREEN_TEST_READER_UNTIL" // Unix nanoseconds
)

const (
	writers = 2
	readers = 10
	// reopenEvery is how many answers a reader gives before it opens the library
	// anew.
	reopenEvery = 10
)

// reading is what a reading process prints at its end.
type reading struct {
	Answers int
	States  int // different ones seen
	Faults  []string
}

// TestWritersAndReaders lets two processes at a time index one library, again
// and again, while ten others read it. Every single answer is of one state.
func TestWritersAndReaders(t *testing.T) {
	span := time.Duration(testkit.Times(t, "EVERGREEN_READ_SECONDS", 3, 2)) * time.Second
	library := filepath.Join(t.TempDir(), "library")
	beds := make([]*bed, writers)
	for i := range beds {
		beds[i] = newBed(t, 30)
		beds[i].library = library
		beds[i].write(i)
		beds[i].must("index", beds[i].source, "--name", collectionOf(i))
	}
	until := time.Now().Add(span)
	var all sync.WaitGroup
	runs := make([]int, writers)
	for i, b := range beds {
		all.Go(func() {
			for state := writers + i; time.Now().Before(until); state += writers {
				b.write(state)
				b.must("index", b.source, "--name", collectionOf(i))
				runs[i]++
			}
		})
	}
	got := make([]reading, readers)
	for i := range readers {
		all.Go(func() { got[i] = readBeside(t, library, until) })
	}
	all.Wait()
	out := testkit.Outcome{Name: "writers"}
	states := 0
	for _, r := range got {
		out.Tried += r.Answers
		out.Lost += len(r.Faults)
		states = max(states, r.States)
		for _, f := range r.Faults {
			t.Error(f)
		}
	}
	out.Survived = out.Tried - out.Lost
	out.Detail = fmt.Sprintf("answers of %d reading processes in %s beside %d writing ones, which committed %d times; one reader saw up to %d states", readers, span, writers, runs[0]+runs[1], states)
	testkit.Record(t, out)
}

func collectionOf(i int) string { return fmt.Sprintf("w%d", i) }

func readBeside(t *testing.T, library string, until time.Time) (r reading) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), readerLibrary+"="+library, fmt.Sprintf("%s=%d", readerUntil, until.UnixNano()))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	if err != nil {
		t.Errorf("a reader: %v %s", err, out)
	}
	return r
}

// readerProcess asks until its time is over: every page of hits must be of one
// state, and complete.
func readerProcess() int {
	var nanos int64
	if _, err := fmt.Sscan(os.Getenv(readerUntil), &nanos); err != nil {
		return 1
	}
	var r reading
	var e *engine.Engine
	seen := map[string]bool{}
	for i := 0; time.Now().Before(time.Unix(0, nanos)) && len(r.Faults) < 5; i++ {
		if i%reopenEvery == 0 { // commands come and go, servers stay for a while
			if e != nil {
				_ = e.Close()
			}
			var err error
			if e, err = engine.Open(engine.Options{Root: os.Getenv(readerLibrary)}); err != nil {
				return 1
			}
		}
		state, err := oneState(e, collectionOf(i%writers))
		if err != nil {
			r.Faults = append(r.Faults, err.Error())
		}
		r.Answers++
		seen[state] = true
	}
	_ = e.Close()
	r.States = len(seen)
	if json.NewEncoder(os.Stdout).Encode(r) != nil {
		return 1
	}
	return 0
}

func oneState(e *engine.Engine, collection string) (state string, err error) {
	res, err := e.Search(context.Background(), evergreen.SearchRequest{Collection: collection, Query: "filler text", Limit: 100})
	if err != nil {
		return "", err
	}
	if res.Total != 29 || len(res.Hits) != 29 {
		return "", fmt.Errorf("%s: %d hits, want 29", collection, res.Total)
	}
	for _, h := range res.Hits {
		i := strings.Index(h.Snippet, "state")
		if i < 0 {
			return "", fmt.Errorf("%s: no state in %q", h.ID, h.Snippet)
		}
		here := h.Snippet[i : i+len(word(0))]
		if state == "" {
			state = here
		}
		if here != state {
			return "", fmt.Errorf("%s: %s and %s in one answer", collection, state, here)
		}
	}
	return state, nil
}
