// Command vocabulary writes the vocabulary of o200k_base in the form that
// package internal/text/bpe embeds.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"os"

	"github.com/tiktoken-go/tokenizer/codec"
)

// tokens is the number of tokens that o200k_base makes of text; what follows are
// special tokens.
const tokens = 199_998

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: vocabulary FILE")
		os.Exit(2)
	}
	packed, err := pack()
	if err == nil {
		err = os.WriteFile(os.Args[1], packed, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "vocabulary:", err)
		os.Exit(1)
	}
}

// pack is the number of tokens and every token after its length, by rank,
// compressed.
func pack() ([]byte, error) {
	c := codec.NewO200kBase()
	data := binary.AppendUvarint(nil, tokens)
	for id := range uint(tokens) {
		token, err := c.Decode([]uint{id})
		if err != nil {
			return nil, err
		}
		if len(token) > 255 {
			return nil, fmt.Errorf("token %d has %d bytes", id, len(token))
		}
		data = append(append(data, byte(len(token))), token...)
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
