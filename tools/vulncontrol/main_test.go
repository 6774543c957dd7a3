package main

import (
	"slices"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	said := `{"config":{"go_version":"go1.26.8","db":"file:///db"}}
{"progress":{"message":"Scanning"}}
{"osv":{"id":"GO-1"}}
{"finding":{"osv":"GO-2","trace":[{"module":"stdlib","package":"net/http","function":"Serve"},{"function":"main"}]}}
{"finding":{"osv":"GO-1","trace":[{"module":"stdlib"}]}}
{"finding":{"osv":"GO-0","trace":[{"module":"stdlib","package":"net","function":"Dial"}]}}
{"finding":{"osv":"GO-2","trace":[{"module":"stdlib","package":"net/http","function":"Get"}]}}
`
	f, err := read(strings.NewReader(said))
	if err != nil || f.goVersion != "go1.26.8" || !slices.Equal(f.called, []string{"GO-0", "GO-2"}) {
		t.Errorf("%+v, %v", f, err)
	}
	for _, bad := range []string{"", "{}\n", "no vulnerabilities found\n"} {
		if f, err := read(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is read as %+v", bad, f)
		}
	}
}
