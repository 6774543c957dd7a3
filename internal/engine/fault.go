package engine

import (
	"runtime"
	"runtime/debug"
	"time"

	"evergreen/internal/store"
)

// Segments are mapped: where the file behind became shorter under the process, or
// its disk fails, reading is a fault of memory, which ends a program by signal.
// Every way to what is mapped therefore begins with
//
//	defer e.settle(debug.SetPanicOnFault(true), name, &err)
//
// on its own goroutine, and gives an error instead. name is the collection's where
// only one is read, else "".

// settle ends such a way: a fault within a segment becomes the caller's error, and
// the next answer is made from what can still be read.
func (e *Engine) settle(before bool, name string, err *error) {
	debug.SetPanicOnFault(before)
	if p := recover(); p != nil {
		*err = e.faultIn(p, name)
	}
}

// faultIn says which collection a fault was in. Any other panic goes on.
func (e *Engine) faultIn(p any, name string) error {
	address, ok := faultAddress(p)
	if !ok {
		panic(p)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for key, seg := range e.segments {
		if seg.Holds(address) {
			delete(e.segments, key) // opened, and so checked, anew
			e.looked = time.Time{}
			if e.current != nil {
				e.current.generation = "unreadable" // that of no library
			}
			return store.Vanished(seg.Name())
		}
	}
	return store.Vanished(name) // of a snapshot that others have given up
}

// faultAddress is where a fault of memory happened; ok is false for what is none.
// Nil pointers have no address.
func faultAddress(p any) (address uintptr, ok bool) {
	fault, ok := p.(interface {
		runtime.Error
		Addr() uintptr
	})
	if !ok {
		return 0, false
	}
	return fault.Addr(), true
}

// settleNamed is settle for who has opened segments of one collection.
func settleNamed(before bool, name string, err *error) {
	debug.SetPanicOnFault(before)
	p := recover()
	if p == nil {
		return
	}
	if _, ok := faultAddress(p); !ok {
		panic(p)
	}
	*err = store.Vanished(name)
}

// whole calls get, which reads what is mapped, for callers that take no error:
// they have it as a panic, whose value is the error.
func whole[T any](e *Engine, name string, get func() T) T {
	got, err := guarded(e, name, get)
	if err != nil {
		panic(err)
	}
	return got
}

func guarded[T any](e *Engine, name string, get func() T) (got T, err error) {
	defer e.settle(debug.SetPanicOnFault(true), name, &err)
	return get(), nil
}
