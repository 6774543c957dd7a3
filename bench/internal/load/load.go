// Package load asks a server over many kept-alive connections as fast as it
// answers. It does as little as it can beside that, since on a small machine the
// two share the processors: requests are written as they are given, and of
// answers only what tells that they are whole and right is read.
package load

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"evergreen/bench/internal/report"
)

// Answer is what is looked at in an answer.
type Answer struct {
	Status int
	Header map[string]string // by name in lower case; the last one of a name
	Bytes  int64             // of the body, as sent
}

// Result is what all clients together got.
type Result struct {
	Answers int
	Wall    time.Duration
	Bytes   int64 // of bodies
	Waits   report.Sample
}

// PerSecond is the throughput in answers.
func (r Result) PerSecond() float64 { return float64(r.Answers) / r.Wall.Seconds() }

// Job is one request, sent again and again.
type Job struct {
	Address  string   // host and port
	Requests [][]byte // as on the wire; client i sends number i, around
	Clients  int      // connections, each with one request under way
	Check    func(Answer) error
}

// patience bounds one answer: what takes longer is an error, not a figure.
const patience = 30 * time.Second

// For runs the job for a time. The first error of any client ends it.
func (j Job) For(ctx context.Context, d time.Duration) (Result, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var wg sync.WaitGroup
	results, faults := make([]Result, j.Clients), make([]error, j.Clients)
	began := time.Now()
	for i := range j.Clients {
		wg.Go(func() {
			if faults[i] = j.client(ctx, j.Requests[i%len(j.Requests)], began.Add(d), &results[i]); faults[i] != nil {
				stop()
			}
		})
	}
	wg.Wait()
	all := Result{Wall: time.Since(began)}
	for _, r := range results {
		all.Answers, all.Bytes, all.Waits = all.Answers+r.Answers, all.Bytes+r.Bytes, append(all.Waits, r.Waits...)
	}
	err := errors.Join(faults...)
	if err == nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	return all, err
}

// Once sends the first request a single time and returns the body with the answer.
func (j Job) Once() (Answer, []byte, error) {
	c, err := net.DialTimeout("tcp", j.Address, patience)
	if err != nil {
		return Answer{}, nil, err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		return Answer{}, nil, err
	}
	if _, err := c.Write(j.Requests[0]); err != nil {
		return Answer{}, nil, err
	}
	var body strings.Builder
	a, err := read(bufio.NewReaderSize(c, readBuffer), &body)
	return a, []byte(body.String()), err
}

const readBuffer = 64 << 10

// client asks over one connection until the end.
func (j Job) client(ctx context.Context, request []byte, end time.Time, into *Result) error {
	c, err := net.DialTimeout("tcp", j.Address, patience)
	if err != nil {
		return err
	}
	defer c.Close()
	in := bufio.NewReaderSize(c, readBuffer)
	for now := time.Now(); now.Before(end) && ctx.Err() == nil; {
		if err := c.SetDeadline(now.Add(patience)); err != nil {
			return err
		}
		if _, err := c.Write(request); err != nil {
			return err
		}
		a, err := read(in, io.Discard)
		if err == nil {
			err = j.Check(a)
		}
		if err != nil {
			return err
		}
		then := time.Now()
		into.Waits = append(into.Waits, report.Milliseconds(then.Sub(now)))
		into.Answers, into.Bytes, now = into.Answers+1, into.Bytes+a.Bytes, then
	}
	return nil
}

// Ok is a check: the status is 200 and the body as long as it was.
func Ok(first Answer) func(Answer) error {
	return func(a Answer) error {
		if a.Status != 200 || a.Bytes != first.Bytes {
			return fmt.Errorf("status %d and %d bytes after status %d and %d bytes", a.Status, a.Bytes, first.Status, first.Bytes)
		}
		return nil
	}
}
