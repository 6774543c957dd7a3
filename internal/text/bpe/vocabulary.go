package bpe

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

//go:generate go -C ../../../tools run ./vocabulary ../internal/text/bpe/o200k.gz

// o200k is the vocabulary of o200k_base as the program tools/vocabulary writes
// it: the tokens by rank, each after its length.
//
//go:embed o200k.gz
var o200k []byte

// readVocabulary unpacks a vocabulary.
func readVocabulary(packed []byte) (map[string]uint32, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("vocabulary: %w", err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("vocabulary: %w", err)
	}
	count, n := binary.Uvarint(data)
	if n <= 0 || count > uint64(len(data)) {
		return nil, errors.New("vocabulary: no number of tokens")
	}
	all := string(data[n:]) // the tokens are parts of it
	ranks := make(map[string]uint32, count)
	for rank := range uint32(count) {
		if len(all) == 0 || int(all[0]) >= len(all) {
			return nil, fmt.Errorf("vocabulary: ends at token %d of %d", rank, count)
		}
		end := 1 + int(all[0])
		ranks[all[1:end]] = rank
		all = all[end:]
	}
	return ranks, nil
}
