package engine

import "context"

// Delete removes a collection. ok tells whether it was there; an absent one is
// no error.
func (e *Engine) Delete(ctx context.Context, name string) (ok bool, err error) {
	e.writing.Lock()
	defer e.writing.Unlock()
	w, err := e.lib.Lock(ctx)
	if err != nil {
		return false, err
	}
	defer w.Unlock()
	if ok, err = w.Delete(name); err != nil {
		return ok, err
	}
	if ok {
		e.notify()
	}
	return ok, nil
}
