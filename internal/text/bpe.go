package text

import (
	"sync"

	"github.com/tiktoken-go/tokenizer/codec"
)

// NewBPE returns an estimator that counts exactly as the byte-pair encoding
// o200k_base does, offline: an alternative to Tokens for agents whose model
// uses it. Markers of special tokens are counted as the plain text they are,
// invalid UTF-8 as U+FFFD.
//
// The vocabulary (about 7 MB of the binary) is read at the first count, once
// per estimator. The estimator is safe for concurrent use.
func NewBPE() Estimator {
	build := sync.OnceValue(func() *codec.Codec {
		c := codec.NewO200kBase()
		c.SetErrorMode(codec.ErrorModeReplace)
		return c
	})
	return func(s string) int {
		n, err := build().Count(s)
		if err != nil {
			// No text is known to fail. Every token holds at least one byte,
			// so the length never counts too little.
			return len(s)
		}
		return n
	}
}
