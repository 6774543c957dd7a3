package main

import (
	"bytes"
	"os"
	"testing"
)

func TestTheCommittedVocabularyIsTheEncodings(t *testing.T) {
	want, err := pack()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../internal/text/bpe/o200k.gz")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("run go generate ./internal/text/bpe")
	}
}
