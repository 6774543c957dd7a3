// Package job keeps track of work that outlives the call which began it: its
// state, its progress, its outcome, and how to end it early. It knows no work,
// stores nothing on disk and forgets all when the process ends.
package job

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"evergreen"
)

// State is where a job stands.
type State string

// The states. Waiting and Running are open, the others final.
const (
	Waiting  State = "waiting" // for its turn
	Running  State = "running"
	Done     State = "done"
	Failed   State = "failed"
	Canceled State = "canceled"
)

// Ended tells whether a state is final.
func (s State) Ended() bool { return s != Waiting && s != Running }

// Work is what a job does. It must end soon after ctx does, and report what
// it has done so far through progress, from any goroutine.
type Work func(ctx context.Context, progress evergreen.Progress) (result any, err error)

// Task describes work to start.
type Task struct {
	Title string // for people and agents
	// Key names what the work is about: as long as a job is open, a task with
	// the same key joins it instead of starting another. "" joins nothing.
	Key  string
	Work Work
	// Owner is who started it, "" is nobody in particular; Most is how many jobs of
	// one owner may be open, 0 is no bound.
	Owner string
	Most  int
}

// Job is a job as it stood at one moment.
type Job struct {
	ID      string // job-1, job-2, ... in the order of Start
	Title   string
	State   State
	Stage   string    // as last reported
	Since   time.Time // when the stage was first reported; zero before any
	Done    int
	Total   int       // 0 while unknown
	Started time.Time // when Start was called
	Ended   time.Time // zero while open
	Result  any       // of a job that is Done
	Err     error     // why it Failed or was Canceled
}

// Pace is how fast the job's stage goes, in units of Done a second, and how long
// what is left of Total takes at that pace. Both are 0 while unknown: before
// anything was done, and of a job that has ended; the second also while Total is
// unknown or less than what is done.
func (j Job) Pace(now time.Time) (rate float64, left time.Duration) {
	took := now.Sub(j.Since).Seconds()
	if j.State != Running || j.Since.IsZero() || j.Done <= 0 || took <= 0 {
		return 0, 0
	}
	rate = float64(j.Done) / took
	if j.Total > j.Done {
		left = time.Duration(float64(j.Total-j.Done) / rate * float64(time.Second))
	}
	return rate, left
}

// Registry holds the jobs of one process. It is safe for concurrent use.
type Registry struct {
	now   func() time.Time
	turns chan struct{} // holds one token for each running job
	group sync.WaitGroup

	mu     sync.Mutex
	jobs   []*entry // in the order of Start
	count  int      // jobs ever started
	closed bool
}

// entry is a job and what it is steered by. The mutex of the registry guards
// Job and changed.
type entry struct {
	Job
	key     string
	owner   string
	cancel  context.CancelFunc
	changed chan struct{} // closed at the next change; nil while nobody waits for one
}

// New makes an empty registry. now is the clock; nil is time.Now.
func New(now func() time.Time) *Registry {
	if now == nil {
		now = time.Now
	}
	return &Registry{now: now, turns: make(chan struct{}, maxRunning)}
}

// Start begins a task and returns at once. The job ends when its work does;
// ctx, Cancel and Close ask it to end earlier. joined tells that an open job
// with the same key stands for the task. The error is of kind Exhausted when
// too much is open, Conflict after Close.
func (r *Registry) Start(ctx context.Context, t Task) (id string, joined bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return "", false, evergreen.Errorf(evergreen.Conflict, "%s: nothing more is started, the process is ending", t.Title)
	}
	open, own := 0, 0
	for _, e := range r.jobs {
		if e.State.Ended() {
			continue
		}
		if open++; t.Key != "" && e.key == t.Key {
			return e.ID, true, nil
		}
		if e.owner == t.Owner {
			own++
		}
	}
	if t.Most > 0 && own >= t.Most {
		return "", false, evergreen.Errorf(evergreen.Exhausted, "you have %d jobs open, which is all that one client may have", own).
			Fix("wait until one has ended").
			Fix("raise limits.jobs in evergreen.json")
	}
	if open >= maxOpen {
		return "", false, evergreen.Errorf(evergreen.Exhausted, "%d jobs are open already, no more are taken", open).
			Fix("wait until some have ended")
	}
	r.count++
	ctx, cancel := context.WithCancel(ctx)
	e := &entry{key: t.Key, owner: t.Owner, cancel: cancel, Job: Job{
		ID: "job-" + strconv.Itoa(r.count), Title: t.Title, State: Waiting, Started: r.now()}}
	r.jobs = append(r.jobs, e)
	r.group.Go(func() { r.run(ctx, e, t.Work) })
	return e.ID, false, nil
}

// run waits for the job's turn, does the work and keeps the outcome.
func (r *Registry) run(ctx context.Context, e *entry, work Work) {
	defer e.cancel()
	select {
	case r.turns <- struct{}{}:
		defer func() { <-r.turns }()
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		r.end(ctx, e, nil, ctx.Err())
		return
	}
	r.change(e, func() { e.State = Running })
	result, err := guarded(ctx, work, func(stage string, done, total int) {
		r.change(e, func() {
			if e.Stage != stage || e.Since.IsZero() {
				e.Since = r.now()
			}
			e.Stage, e.Done, e.Total = stage, done, total
		})
	})
	r.end(ctx, e, result, err)
}

// guarded turns a panic of the work into its error.
func guarded(ctx context.Context, work Work, progress evergreen.Progress) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, evergreen.Errorf(evergreen.Internal, "the work broke off: %s", fmt.Sprint(p))
		}
	}()
	return work(ctx, progress)
}

func (r *Registry) end(ctx context.Context, e *entry, result any, err error) {
	r.change(e, func() {
		switch {
		case err == nil:
			e.State, e.Result = Done, result
		case ctx.Err() != nil:
			e.State, e.Err = Canceled, err
		default:
			e.State, e.Err = Failed, err
		}
		e.Ended = r.now()
		r.forget()
	})
}

// forget drops the oldest ended jobs beyond what is remembered.
func (r *Registry) forget() {
	ended := 0
	for _, e := range r.jobs {
		if e.State.Ended() {
			ended++
		}
	}
	r.jobs = slices.DeleteFunc(r.jobs, func(e *entry) bool {
		drop := e.State.Ended() && ended > maxEnded
		if drop {
			ended--
		}
		return drop
	})
}

// change alters a job and wakes who waits for that. What comes after the end
// changes nothing: work may leave goroutines that still report.
func (r *Registry) change(e *entry, alter func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.State.Ended() {
		return
	}
	alter()
	if e.changed != nil {
		close(e.changed)
		e.changed = nil
	}
}

// Get returns a job as it stands.
func (r *Registry) Get(id string) (Job, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.find(id); e != nil {
		return e.Job, true
	}
	return Job{}, false
}

func (r *Registry) find(id string) *entry {
	if i := slices.IndexFunc(r.jobs, func(e *entry) bool { return e.ID == id }); i >= 0 {
		return r.jobs[i]
	}
	return nil
}

// List returns the jobs that are remembered, the newest first.
func (r *Registry) List() []Job {
	r.mu.Lock()
	defer r.mu.Unlock()
	jobs := make([]Job, 0, len(r.jobs))
	for _, e := range slices.Backward(r.jobs) {
		jobs = append(jobs, e.Job)
	}
	return jobs
}

// Cancel asks a job to end and tells whether there was an open one.
func (r *Registry) Cancel(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.find(id)
	if e == nil || e.State.Ended() {
		return false
	}
	e.cancel()
	return true
}

// Wait returns when the job has ended, or ctx has: then with the job as it
// stands and ctx's error. Until then it passes progress on; a slow receiver
// misses steps, and never holds the work up. An id that is not remembered is
// an error of kind NotFound.
func (r *Registry) Wait(ctx context.Context, id string, progress evergreen.Progress) (Job, error) {
	var told Job
	for {
		now, changed, ok := r.watch(id)
		if !ok {
			return Job{}, evergreen.Errorf(evergreen.NotFound, "there is no job %q", id)
		}
		if progress != nil && now.Stage != "" && (now.Stage != told.Stage || now.Done != told.Done || now.Total != told.Total) {
			progress(now.Stage, now.Done, now.Total)
			told = now
		}
		if now.State.Ended() {
			return now, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return now, ctx.Err()
		}
	}
}

// watch returns a job and what is closed at its next change.
func (r *Registry) watch(id string) (Job, <-chan struct{}, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.find(id)
	if e == nil {
		return Job{}, nil, false
	}
	if e.changed == nil {
		e.changed = make(chan struct{})
	}
	return e.Job, e.changed, true
}

// Close asks all jobs to end, waits until they have, and lets none start any
// more.
func (r *Registry) Close() {
	r.mu.Lock()
	r.closed = true
	for _, e := range r.jobs {
		e.cancel()
	}
	r.mu.Unlock()
	r.group.Wait()
}
