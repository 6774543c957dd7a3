package web

// This file compresses: which coding a client takes, whole bodies, streams.

import (
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Content codings; the empty one is the body as it is.
const (
	codingNone = ""
	codingGzip = "gzip"
	codingZstd = "zstd"
)

// compressible reports whether a media type gets smaller.
func compressible(kind string) bool {
	name, _, _ := strings.Cut(kind, ";")
	switch {
	case strings.HasPrefix(name, "text/"), strings.HasSuffix(name, "+json"), strings.HasSuffix(name, "+xml"):
		return true
	}
	return name == "application/json" || name == "application/xml"
}

// codingFor chooses the coding of an answer from Accept-Encoding (RFC 9110,
// 12.5.3): the one with the highest weight, zstd when level.
func codingFor(accept, kind string) string {
	if accept == "" || !compressible(kind) {
		return codingNone
	}
	best, quality := codingNone, 0.0
	for _, coding := range []string{codingZstd, codingGzip} {
		q, named := weightOf(accept, coding)
		if !named {
			q, _ = weightOf(accept, "*")
		}
		if q > quality {
			best, quality = coding, q
		}
	}
	if q, named := weightOf(accept, "identity"); named && q > quality {
		return codingNone
	}
	return best
}

// coder compresses whole bodies. It is safe for concurrent use.
type coder struct{ zstd *zstd.Encoder }

func newCoder() *coder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(codingWindow), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return &coder{} // the options are constants; without it bodies go as they are
	}
	return &coder{zstd: e}
}

// compress returns the body in a coding; ok is false when that is no gain.
func (c *coder) compress(body []byte, coding string) (coded []byte, ok bool) {
	switch {
	case coding == codingZstd && c.zstd != nil:
		coded = c.zstd.EncodeAll(body, nil)
	case coding == codingGzip:
		var b strings.Builder
		w := gzip.NewWriter(&b)
		if _, err := w.Write(body); err != nil || w.Close() != nil {
			return nil, false
		}
		coded = []byte(b.String())
	default:
		return nil, false
	}
	return coded, len(coded) < len(body)
}

// streamCoder compresses what is written to it on the way to w. Close ends the
// coding and leaves w open.
func streamCoder(w io.Writer, coding string) (io.WriteCloser, error) {
	switch coding {
	case codingZstd:
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(codingWindow),
			zstd.WithLowerEncoderMem(true), zstd.WithEncoderLevel(zstd.SpeedFastest))
	case codingGzip:
		return gzip.NewWriterLevel(w, gzip.BestSpeed)
	}
	return plainCoder{w}, nil
}

type plainCoder struct{ io.Writer }

func (plainCoder) Close() error { return nil }
