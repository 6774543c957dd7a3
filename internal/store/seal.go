package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Small files of JSON are sealed: they begin {"sum":"HEX", where HEX is the
// first half of the sha256 of all that follows. JSON hides damage well: a digit
// that flipped is still a number.
const sealStart = `{"sum":"`

const sealDigits = sha256.Size // half the digits of a sum

// seal encodes an object with its sum.
func seal(object any) ([]byte, error) {
	b, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	rest := append(b[1:], '\n')
	return append([]byte(sealStart+sumOf(rest)+`",`), rest...), nil
}

// sealed tells whether a file has a sum at all, and whether it is right.
func sealed(b []byte) (has, right bool) {
	after, ok := bytes.CutPrefix(b, []byte(sealStart))
	if !ok || len(after) < sealDigits+2 {
		return false, false
	}
	return true, string(after[:sealDigits+2]) == sumOf(after[sealDigits+2:])+`",`
}

func sumOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:sealDigits/2])
}
