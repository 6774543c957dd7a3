package job

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"evergreen"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// start begins work under no key.
func start(t *testing.T, r *Registry, title string, w Work) string {
	t.Helper()
	id, joined, err := r.Start(context.Background(), Task{Title: title, Work: w})
	if err != nil || joined {
		t.Fatalf("%s: joined %v, %v", title, joined, err)
	}
	return id
}

// untilCanceled is work that ends when it is asked to.
func untilCanceled(ctx context.Context, _ evergreen.Progress) (any, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestAJobRunsFromStartToResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(nil)
		began := time.Now()
		id := start(t, r, "crawl", func(_ context.Context, progress evergreen.Progress) (any, error) {
			time.Sleep(time.Second)
			progress("fetch", 3, 10)
			time.Sleep(time.Second)
			return "report", nil
		})
		var seen []Job
		for range 3 {
			synctest.Wait()
			j, ok := r.Get(id)
			if !ok {
				t.Fatal("the job is not known")
			}
			seen = append(seen, j)
			time.Sleep(time.Second)
		}
		want := []Job{
			{ID: "job-1", Title: "crawl", State: Running, Started: began},
			{ID: "job-1", Title: "crawl", State: Running, Stage: "fetch", Since: began.Add(time.Second), Done: 3, Total: 10, Started: began},
			{ID: "job-1", Title: "crawl", State: Done, Stage: "fetch", Since: began.Add(time.Second), Done: 3, Total: 10, Started: began,
				Ended: began.Add(2 * time.Second), Result: "report"},
		}
		if diff := cmp.Diff(want, seen); diff != "" {
			t.Error(diff)
		}
	})
}

func TestHowJobsEnd(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		name  string
		work  Work
		steer func(*Registry, string, context.CancelFunc)
		state State
		err   error
	}{
		{name: "well", work: func(context.Context, evergreen.Progress) (any, error) { return 1, nil }, state: Done},
		{name: "with an error", work: func(context.Context, evergreen.Progress) (any, error) { return 1, broken }, state: Failed, err: broken},
		{name: "in a panic", work: func(context.Context, evergreen.Progress) (any, error) { panic("boom") }, state: Failed, err: cmpopts.AnyError},
		{name: "canceled", work: untilCanceled, state: Canceled, err: context.Canceled,
			steer: func(r *Registry, id string, _ context.CancelFunc) { r.Cancel(id) }},
		{name: "by the context", work: untilCanceled, state: Canceled, err: context.Canceled,
			steer: func(_ *Registry, _ string, cancel context.CancelFunc) { cancel() }},
		{name: "by Close", work: untilCanceled, state: Canceled, err: context.Canceled,
			steer: func(r *Registry, _ string, _ context.CancelFunc) { r.Close() }},
		{name: "well although canceled", state: Done,
			work:  func(ctx context.Context, _ evergreen.Progress) (any, error) { <-ctx.Done(); return 1, nil },
			steer: func(r *Registry, id string, _ context.CancelFunc) { r.Cancel(id) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := New(nil)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				id, _, err := r.Start(ctx, Task{Title: "x", Work: c.work})
				if err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if c.steer != nil {
					c.steer(r, id, cancel)
				}
				j, err := r.Wait(t.Context(), id, nil)
				if err != nil || j.State != c.state || !cmp.Equal(j.Err, c.err, cmpopts.EquateErrors()) || (j.Result != nil) != (c.state == Done) {
					t.Errorf("%+v, %v", j, err)
				}
				if r.Cancel(id) {
					t.Error("an ended job can be canceled")
				}
			})
		})
	}
}

func TestWaitPassesProgressOnAndEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(nil)
		id := start(t, r, "slow", func(_ context.Context, progress evergreen.Progress) (any, error) {
			for i := range 3 {
				time.Sleep(2 * time.Second)
				progress("fetch", i+1, 3)
			}
			return nil, nil
		})
		var told []string
		report := func(stage string, done, total int) { told = append(told, fmt.Sprint(stage, done, "/", total)) }
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		j, err := r.Wait(ctx, id, report)
		if !errors.Is(err, context.DeadlineExceeded) || j.State != Running || j.Done != 2 {
			t.Errorf("after 5 s: %+v, %v", j, err)
		}
		if j, err = r.Wait(t.Context(), id, report); err != nil || j.State != Done {
			t.Errorf("at the end: %+v, %v", j, err)
		}
		want := []string{"fetch1/3", "fetch2/3", "fetch2/3", "fetch3/3"} // the second Wait begins with where things are
		if diff := cmp.Diff(want, told); diff != "" {
			t.Error(diff)
		}
	})
}

func TestASlowReceiverHoldsNoWorkUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(nil)
		id := start(t, r, "quick", func(_ context.Context, progress evergreen.Progress) (any, error) {
			for i := range 1000 {
				progress("fetch", i, 1000)
			}
			return nil, nil
		})
		calls := 0
		began := time.Now()
		_, err := r.Wait(t.Context(), id, func(string, int, int) { calls++; time.Sleep(time.Hour) })
		j, _ := r.Get(id)
		if err != nil || calls == 0 || calls > 3 || !j.Ended.Equal(began) {
			t.Errorf("%d calls, the job ended after %v, %v", calls, j.Ended.Sub(began), err)
		}
	})
}

func TestTheSameKeyJoinsAnOpenJob(t *testing.T) {
	r := New(nil)
	defer r.Close()
	task := Task{Title: "a", Key: "https://docs.example.com/", Work: untilCanceled}
	first, _, err := r.Start(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	if id, joined, err := r.Start(t.Context(), task); id != first || !joined || err != nil {
		t.Errorf("again: %s, joined %v, %v", id, joined, err)
	}
	r.Cancel(first)
	if _, err := r.Wait(t.Context(), first, nil); err != nil {
		t.Fatal(err)
	}
	if id, joined, err := r.Start(t.Context(), task); id != "job-2" || joined || err != nil {
		t.Errorf("after its end: %s, joined %v, %v", id, joined, err)
	}
}

func TestAtMostSoManyRunAndTheRestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(nil)
		for range maxRunning + 2 {
			start(t, r, "x", untilCanceled)
		}
		synctest.Wait()
		states := map[State]int{}
		for _, j := range r.List() {
			states[j.State]++
		}
		if states[Running] != maxRunning || states[Waiting] != 2 {
			t.Errorf("states %v", states)
		}
		last := r.List()[0]
		for _, j := range r.List() {
			if j.State == Waiting {
				r.Cancel(j.ID) // a waiting one ends at once
				break
			}
		}
		for _, j := range r.List() {
			if j.State == Running {
				r.Cancel(j.ID) // its turn goes to the next
				break
			}
		}
		synctest.Wait()
		states = map[State]int{}
		for _, j := range r.List() {
			states[j.State]++
		}
		if states[Running] != maxRunning || states[Canceled] != 2 {
			t.Errorf("after two were canceled: %v, last %+v", states, last)
		}
		r.Close()
	})
}

func TestOpenWorkIsBounded(t *testing.T) {
	r := New(nil)
	for range maxOpen {
		start(t, r, "x", untilCanceled)
	}
	if _, _, err := r.Start(t.Context(), Task{Title: "one more", Work: untilCanceled}); evergreen.KindOf(err) != evergreen.Exhausted {
		t.Errorf("beyond the bound: %v", err)
	}
	r.Close()
	if _, _, err := r.Start(t.Context(), Task{Title: "late", Work: untilCanceled}); evergreen.KindOf(err) != evergreen.Conflict {
		t.Errorf("after Close: %v", err)
	}
}

func TestHistoryIsBoundedAndNewestFirst(t *testing.T) {
	r := New(nil)
	open := start(t, r, "open", untilCanceled)
	for i := range maxEnded + 1 {
		id := start(t, r, fmt.Sprint(i), func(context.Context, evergreen.Progress) (any, error) { return nil, nil })
		if _, err := r.Wait(t.Context(), id, nil); err != nil {
			t.Fatal(err)
		}
	}
	jobs := r.List()
	if len(jobs) != maxEnded+1 || jobs[0].Title != fmt.Sprint(maxEnded) || jobs[len(jobs)-1].ID != open {
		t.Errorf("%d jobs, from %+v to %+v", len(jobs), jobs[0], jobs[len(jobs)-1])
	}
	if _, ok := r.Get("job-2"); ok {
		t.Error("the oldest ended job is remembered")
	}
	r.Close()
}

func TestUnknownJobs(t *testing.T) {
	r := New(nil)
	if _, ok := r.Get("job-1"); ok || r.Cancel("job-1") || len(r.List()) != 0 {
		t.Error("an empty registry knows a job")
	}
	if _, err := r.Wait(t.Context(), "job-1", nil); evergreen.KindOf(err) != evergreen.NotFound {
		t.Errorf("waiting for nothing: %v", err)
	}
}

// Many hands at once: for the race detector.
func TestConcurrentUse(t *testing.T) {
	r := New(nil)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			id, _, err := r.Start(context.Background(), Task{Title: "x", Work: func(ctx context.Context, progress evergreen.Progress) (any, error) {
				var inner sync.WaitGroup
				for i := range 4 {
					inner.Go(func() { progress("fetch", i, 4); runtime.Gosched() })
				}
				inner.Wait()
				return nil, ctx.Err()
			}})
			if err != nil {
				t.Error(err)
			}
			group.Go(func() { r.List(); r.Cancel(id) })
			if j, err := r.Wait(context.Background(), id, func(string, int, int) {}); err != nil || !j.State.Ended() {
				t.Errorf("%+v, %v", j, err)
			}
		})
	}
	group.Wait()
	r.Close()
}

func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(nil)
		next := make(chan struct{})
		id := start(t, r, "read", func(_ context.Context, progress evergreen.Progress) (any, error) {
			<-next
			progress("walk", 0, 0)
			time.Sleep(time.Minute)
			progress("read", 0, 100)
			time.Sleep(10 * time.Second)
			progress("read", 20, 100)
			<-next
			return nil, nil
		})
		pace := func() (float64, time.Duration) {
			synctest.Wait()
			j, _ := r.Get(id)
			return j.Pace(time.Now())
		}
		if rate, left := pace(); rate != 0 || left != 0 {
			t.Errorf("before anything: %v, %v", rate, left)
		}
		next <- struct{}{}
		time.Sleep(70 * time.Second)
		if rate, left := pace(); rate != 2 || left != 40*time.Second {
			t.Errorf("20 of 100 in ten seconds: %v a second, %v left; want 2, 40s: the stage before does not count", rate, left)
		}
		next <- struct{}{}
		if rate, left := pace(); rate != 0 || left != 0 {
			t.Errorf("ended: %v, %v", rate, left)
		}
	})
}

// TestEachClientHasItsOwnJobs: one that has all it may have does not keep
// others from starting.
func TestEachClientHasItsOwnJobs(t *testing.T) {
	r := New(nil)
	defer r.Close()
	begin := func(owner string, most int) (string, error) {
		id, _, err := r.Start(t.Context(), Task{Title: "crawl", Work: untilCanceled, Owner: owner, Most: most})
		return id, err
	}
	var first string
	for i := range 2 {
		id, err := begin("ada", 2)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = id
		}
	}
	if _, err := begin("ada", 2); evergreen.KindOf(err) != evergreen.Exhausted || len(evergreen.Hints(err)) != 2 {
		t.Errorf("a third one: %v %q", err, evergreen.Hints(err))
	}
	if _, err := begin("bob", 2); err != nil {
		t.Errorf("of another client: %v", err)
	}
	if _, err := begin("ada", 0); err != nil {
		t.Errorf("without a bound: %v", err)
	}
	r.Cancel(first)
	if _, err := r.Wait(t.Context(), first, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := begin("ada", 3); err != nil {
		t.Errorf("after one has ended: %v", err)
	}
}
