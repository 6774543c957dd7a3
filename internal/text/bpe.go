package text

import (
	"sync"

	"evergreen/internal/text/bpe"
)

// NewBPE returns an estimator that counts exactly as the byte-pair encoding
// o200k_base does, offline: an alternative to Tokens for agents whose model
// uses it. Markers of special tokens are counted as the plain text they are,
// invalid UTF-8 as U+FFFD.
//
// The vocabulary (1 MB of the binary) is read at the first count, once per
// estimator. The estimator is safe for concurrent use.
func NewBPE() Estimator {
	build := sync.OnceValues(bpe.O200k)
	return func(s string) int {
		e, err := build()
		if err != nil {
			// The vocabulary is part of the program and tested to be whole. Every
			// token holds at least one byte, so the length never counts too little.
			return len(s)
		}
		return e.Count(s)
	}
}
