package main

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestHowMuchTheHeapMayGrow(t *testing.T) {
	for _, c := range []struct {
		answers int64
		d       time.Duration
		want    int
	}{
		{0, time.Second, idleGCPercent},
		{0, 0, idleGCPercent},
		{busyAnswers - 1, time.Millisecond, idleGCPercent},
		{busyAnswers, time.Millisecond, busyGCPercent},
		{busyPerSecond, time.Second, busyGCPercent},
		{busyPerSecond - 1, time.Second, idleGCPercent},
		{7, 25 * time.Millisecond, idleGCPercent}, // large answers
		{100_000, 2 * time.Minute, idleGCPercent},
	} {
		if got := gcPercent(c.answers, c.d); got != c.want {
			t.Errorf("%d answers in %s: %d, want %d", c.answers, c.d, got, c.want)
		}
	}
}

// The collector follows what is answered, until it is stopped.
func TestCollectorFollowsTheTraffic(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	var answered int64
	now := time.Unix(0, 0)
	c := &collector{answered: func() int64 { return answered }, now: func() time.Time { return now }, at: now, percent: idleGCPercent}
	for _, step := range []struct {
		answers int64
		d       time.Duration
		want    int
	}{{900, 100 * time.Millisecond, busyGCPercent}, {900, 100 * time.Millisecond, busyGCPercent}, {5, 2 * time.Minute, idleGCPercent}} {
		answered, now = answered+step.answers, now.Add(step.d)
		if !c.collected() || c.percent != step.want {
			t.Errorf("after %d answers in %s: %d, want %d", step.answers, step.d, c.percent, step.want)
		}
	}
	c.stopped, answered = true, answered+1<<40
	if c.collected() || c.percent != idleGCPercent {
		t.Error("the collector goes on after its end")
	}
}

// A collection is noticed, again and again, and an operator's wish stands.
func TestCollectionsAreNoticed(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	t.Setenv("GOGC", "")
	looks := make(chan bool, 1)
	stop := collect(func() int64 {
		select {
		case looks <- true:
		default:
		}
		return 0
	})
	for range 3 {
		for seen := false; !seen; {
			runtime.GC()
			select {
			case seen = <-looks:
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	stop()
	t.Setenv("GOGC", "50")
	debug.SetGCPercent(50)
	collect(func() int64 { return 0 })()
	if debug.SetGCPercent(100) != 50 {
		t.Error("the environment's wish was overruled")
	}
}
