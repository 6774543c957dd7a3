package web

// This file keeps large documents on disk once they were sent whole, so that the
// next client costs no more than reading a file. Memory holds none of it. The
// files have no name where the system allows that, and end with their snapshot.

import (
	"io"
	"os"
	"sync"
)

// spools are the kept documents of one edition, by key. They are safe for
// concurrent use. The zero value, without a folder, keeps nothing.
type spools struct {
	dir  string
	most int64 // bytes of all together

	mu    sync.Mutex
	bytes int64
	files map[string]*spool
}

// spool is one document as it goes over the wire, coding included.
type spool struct {
	file *os.File
	size int64
}

// get finds a document.
func (k *spools) get(key string) (*spool, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s, ok := k.files[key]
	return s, ok
}

// open begins a document; nil when it cannot be kept.
func (k *spools) open() *spool {
	if k.dir == "" || k.full() || os.MkdirAll(k.dir, 0o755) != nil {
		return nil
	}
	f, err := os.CreateTemp(k.dir, "served-*")
	if err != nil {
		return nil
	}
	_ = os.Remove(f.Name()) // some systems keep it until it is closed
	return &spool{file: f}
}

func (k *spools) full() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.bytes >= k.most
}

// keep takes a finished document, unless there is one or no room.
func (k *spools) keep(key string, s *spool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.files[key] != nil || k.bytes+s.size > k.most {
		s.drop()
		return
	}
	if k.files == nil {
		k.files = map[string]*spool{}
	}
	k.files[key] = s
	k.bytes += s.size
}

// close gives all files up. Nobody may read them any more.
func (k *spools) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, s := range k.files {
		s.drop()
	}
	clear(k.files)
	k.bytes = 0
}

func (s *spool) drop() {
	_ = s.file.Close() // it was only a copy
	_ = os.Remove(s.file.Name())
}

// tee writes to a client and to a spool. What goes wrong on disk is no fault of
// the answer.
type tee struct {
	to    io.Writer
	spool *spool // nil once it failed
}

func (t *tee) Write(p []byte) (int, error) {
	n, err := t.to.Write(p)
	if t.spool != nil {
		if _, failed := t.spool.file.Write(p[:n]); failed != nil {
			t.spool.drop()
			t.spool = nil
		} else {
			t.spool.size += int64(n)
		}
	}
	return n, err
}

// copyTo sends the whole document.
func (s *spool) copyTo(w io.Writer) error {
	buffer, ok := spoolBuffers.Get().(*[]byte)
	if !ok {
		buffer = new([]byte)
		*buffer = make([]byte, spoolBuffer)
	}
	defer spoolBuffers.Put(buffer)
	_, err := io.CopyBuffer(writerOnly{w}, io.NewSectionReader(s.file, 0, s.size), *buffer)
	return err
}

// spoolBuffers holds what files are read into.
var spoolBuffers sync.Pool

// writerOnly hides how else a response could be written: with buffers of its own.
type writerOnly struct{ io.Writer }
