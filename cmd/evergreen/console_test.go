package main

import (
	"strings"
	"testing"

	"evergreen/internal/config"
	"evergreen/internal/console"
	"evergreen/internal/gateway"
	"evergreen/internal/mcp"
	"evergreen/internal/repair"
)

// TestExamplesOfTheLab holds each example to what its button says, with the
// tools that a server really has.
func TestExamplesOfTheLab(t *testing.T) {
	served := mcp.Tools(mcp.SetKB, mcp.SetDocs, mcp.SetAdmin)
	g, err := gateway.New(gateway.Options{})
	if err != nil {
		t.Fatal(err)
	}
	face, err := g.Face(faceOptions(config.Settings{}, served))
	if err != nil {
		t.Fatal(err)
	}
	cat, err := face.Catalogue("")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"name": "repaired name", "envelope": "repaired envelope", "text": "repaired container", "key": "repaired key",
		"value": "repaired value", "message": "repaired envelope name key value", "unclear": "refused", "canonical": "exact"}
	for _, e := range console.Examples() {
		call := e.Call
		if e.Shape == "message" {
			_, params, _ := strings.Cut(call, `"params": `)
			call = strings.TrimSuffix(params, "}")
		}
		res, steps := repair.Trace([]byte(call), cat)
		got := string(res.Outcome)
		for _, s := range steps {
			got += " " + s.Stage
		}
		if got != want[e.Shape] {
			t.Errorf("%s: %s is %s, want %s\n%s", e.Shape, e.Call, got, want[e.Shape], res.Refusal)
		}
	}
}

func TestOnlyHere(t *testing.T) {
	for _, c := range []struct {
		change func(*config.Settings)
		want   bool
	}{
		{func(*config.Settings) {}, true},
		{func(s *config.Settings) { s.Server.Listen = "0.0.0.0:80" }, false},
		{func(s *config.Settings) { s.Site.BaseURL = "https://docs.example.com" }, false},
		{func(s *config.Settings) { s.Server.Hosts = []string{"docs.internal"} }, false},
		{func(s *config.Settings) { s.Server.TrustedProxies = []string{"127.0.0.1/32"} }, false},
	} {
		s := config.Settings{}
		s.Server.Listen = "127.0.0.1:4173"
		c.change(&s)
		if got := onlyHere(s); got != c.want {
			t.Errorf("%+v: %v", s.Server, got)
		}
	}
}
