package main

import (
	"net/http"
	"slices"
	"testing"

	"evergreen/internal/config"
)

// TestServersVerifyThemselves asks a real server in its own process: every
// layer has a mark, and all promises are kept.
func TestServersVerifyThemselves(t *testing.T) {
	v := &selfVerifier{}
	if marks, err := v.marks("http://127.0.0.1:4173"); err != nil || marks != nil {
		t.Errorf("without a handler: %v, %v", marks, err)
	}
	s := config.Settings{Config: config.Config{Library: t.TempDir()}}
	lib, err := disk{}.embedded(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lib.Close() }) // the folder goes anyway
	handler, err := ownHandler(t.Context(), lib, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(handler.Close)
	v.answeredBy(handler)
	marks, err := v.marks("http://127.0.0.1:4173")
	if err != nil {
		t.Fatal(err)
	}
	layers := []string{}
	for _, m := range marks {
		if !m.OK {
			t.Errorf("%s: %s", m.Layer, m.Detail)
		}
		layers = append(layers, m.Layer)
	}
	for _, layer := range []string{"L1", "L2", "L3", "L4", "L5", "L6", "L7", ""} {
		if !slices.Contains(layers, layer) {
			t.Errorf("nothing was asked of %q", layer)
		}
	}
}

// A server whose page of layers is asked for while it verifies itself does not
// wait for itself.
func TestVerificationsDoNotNest(t *testing.T) {
	v := &selfVerifier{}
	nested := 0
	v.answeredBy(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if marks, err := v.marks("http://" + r.Host); marks == nil && err == nil {
			nested++
		}
		http.NotFound(w, r)
	}))
	if marks, err := v.marks("http://127.0.0.1:4173"); err != nil || len(marks) == 0 || marks[0].OK || nested == 0 {
		t.Errorf("%d marks, %d nested, %v", len(marks), nested, err)
	}
}
