package web

// This file sends what is too large to hold: headers at the first byte, so that
// an error before it is still a whole answer, then compressed piece by piece.

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// errEnough ends the writing of a document that nobody reads further.
var errEnough = errors.New("enough")

// streamed is the way of a document to its client. What turns out to be small is
// held, sent as other answers are, and kept.
type streamed struct {
	server *Server
	w      http.ResponseWriter
	r      *http.Request
	answer answer
	tag    string
	large  *spools // keeps the document; nil does not
	key    string  // of it there, less its coding

	held   []byte // before it has begun
	begun  bool
	buffer *bufio.Writer
	coder  io.WriteCloser
	coding string
	copied *tee   // nil: not kept
	clear  func() // ends the watch over a slow client
}

// Write sends a piece. It returns errEnough when the client wants no body.
func (s *streamed) Write(p []byte) (int, error) {
	if err := s.r.Context().Err(); err != nil {
		return 0, err
	}
	if !s.begun && len(s.held)+len(p) <= maxHeldStream {
		s.held = append(s.held, p...)
		return len(p), nil
	}
	if !s.begun {
		if err := s.begin(); err != nil {
			return 0, err
		}
		if _, err := s.buffer.Write(s.held); err != nil {
			return 0, err
		}
		s.held = nil
	}
	return s.buffer.Write(p)
}

// begin sends the headers.
func (s *streamed) begin() error {
	s.begun = true
	if err := s.head(-1); err != nil {
		return err
	}
	out := io.Writer(s.w)
	if s.large != nil {
		if sp := s.large.open(); sp != nil {
			s.copied = &tee{s.w, sp}
			out = s.copied
		}
	}
	coder, err := streamCoder(out, s.coding)
	s.coder, s.buffer = coder, bufio.NewWriterSize(coder, streamBuffer)
	return err
}

// head sends the headers of a body of size bytes, -1 when that is not known. It
// returns errEnough when no body follows.
func (s *streamed) head(size int64) error {
	h := s.w.Header()
	for name, values := range s.answer.header {
		h[name] = values
	}
	s.coding = codingFor(joined(s.r.Header["Accept-Encoding"]), s.answer.kind)
	h.Set("Vary", strings.TrimPrefix(s.answer.vary+", Accept-Encoding", ", "))
	h.Set("Cache-Control", s.answer.cache)
	h.Set("Etag", etag(s.tag, s.coding))
	if !s.answer.modified.IsZero() {
		h.Set("Last-Modified", s.answer.modified.UTC().Format(http.TimeFormat))
	}
	if notModified(s.r, etag(s.tag, s.coding), s.answer.modified) {
		s.w.WriteHeader(http.StatusNotModified)
		return errEnough
	}
	h.Set("Content-Type", s.answer.kind)
	if s.coding != codingNone {
		h.Set("Content-Encoding", s.coding)
	}
	if size >= 0 {
		h.Set("Content-Length", strconv.FormatInt(size, 10))
	}
	s.clear = until(s.w, s.server.now().Add(streamTimeout)) // who reads nothing must not hold the snapshot for ever
	s.w.WriteHeader(http.StatusOK)
	if s.r.Method == http.MethodHead {
		return errEnough
	}
	return nil
}

// again sends the document as it was sent before, if it was kept.
func (s *streamed) again() (sent bool, err error) {
	if s.large == nil {
		return false, nil
	}
	sp, ok := s.large.get(s.key + codingFor(joined(s.r.Header["Accept-Encoding"]), s.answer.kind))
	if !ok {
		return false, nil
	}
	s.begun = true
	if err := s.head(sp.size); err != nil {
		return true, err
	}
	return true, sp.copyTo(s.w)
}

// close ends the document; keep takes it when it was small.
func (s *streamed) close(keep func(*stored)) {
	if !s.begun {
		s.answer.body = s.held
		st := s.server.finish(s.answer)
		keep(st)
		s.server.send(s.w, s.r, st)
		return
	}
	err := s.buffer.Flush()
	if err == nil {
		err = s.coder.Close()
	}
	if s.copied == nil || s.copied.spool == nil {
		return // a client that went away is no error of ours
	}
	if err != nil {
		s.copied.spool.drop()
		return
	}
	s.large.keep(s.key+s.coding, s.copied.spool)
}

// giveUp drops a copy that will not become whole.
func (s *streamed) giveUp() {
	if s.copied != nil && s.copied.spool != nil {
		s.copied.spool.drop()
	}
}
