package main

import (
	"errors"
	"testing"

	"evergreen"
)

func TestFallbackEndsWithTheFirstIndex(t *testing.T) {
	lib := &fakeLibrary{}
	own := newFake()
	opened := 0
	f := &fallback{library: lib, second: func() (library, error) { opened++; return own, nil }}
	if _, err := f.Ask(t.Context(), evergreen.Query{Topic: "a"}); err != nil || own.asked.Topic != "a" || opened != 1 {
		t.Errorf("an empty library: %v, own docs were asked %q", err, own.asked.Topic)
	}
	if _, err := f.Index(t.Context(), evergreen.IndexRequest{}, nil); err != nil || len(lib.indexed) != 1 {
		t.Errorf("indexing went elsewhere: %v", err)
	}
	lib.collections = []evergreen.Collection{{Name: "docs"}}
	if _, err := f.Search(t.Context(), evergreen.SearchRequest{Query: "b"}); err != nil || lib.searched.Query != "b" || opened != 1 {
		t.Errorf("a library with a collection: %v, it was asked %q", err, lib.searched.Query)
	}
	lib.err = errors.New("damaged")
	if _, err := f.Collections(t.Context()); err == nil {
		t.Error("a damaged library is taken for an empty one")
	}
}
