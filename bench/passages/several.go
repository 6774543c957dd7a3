package main

// This file asks several servers of a kind at once: nothing here is timed, and
// the answers do not depend on who gives them.

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"evergreen/bench/internal/peer"
)

// several asks n things of as many servers as there are processors. The first
// thing is asked alone, so that what a server sets up once is there for all.
func several(n int, serve func() (*peer.Server, error), ask func(server *peer.Server, i int) error) error {
	if n == 0 {
		return nil
	}
	first, err := serve()
	if err != nil {
		return err
	}
	if err := ask(first, 0); err != nil {
		return err
	}
	var next atomic.Int64 // the last one that was taken
	work := func(server *peer.Server) error {
		for i := int(next.Add(1)); i < n; i = int(next.Add(1)) {
			if err := ask(server, i); err != nil {
				next.Store(int64(n))
				return err
			}
		}
		_, err := server.Stop()
		return err
	}
	failed := make([]error, runtime.NumCPU())
	var done sync.WaitGroup
	done.Go(func() { failed[0] = work(first) })
	for w := 1; w < len(failed); w++ {
		done.Go(func() {
			server, err := serve()
			if err == nil {
				err = work(server)
			}
			failed[w] = err
		})
	}
	done.Wait()
	return errors.Join(failed...)
}
