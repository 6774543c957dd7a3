// What is remembered of calls.
package edge

import (
	"fmt"
	"strings"
	"testing"
)

func TestMetaIsReadAsItStands(t *testing.T) {
	const modern = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":`
	known := newMetas()
	for range 2 { // the second time from memory
		for _, c := range []struct {
			meta            string
			readable, sound bool
		}{
			{`{` + modern + `{}}`, true, true},
			{`{` + modern + `{},"a":1}`, true, true},
			{`{` + modern + `{},"a":2}`, true, true},
			{`{` + modern + `null}`, true, false},
			{`{` + modern + `{},"io.modelcontextprotocol/clientInfo":7}`, true, false},
			{`{"a":1}`, true, false},
			{`{"a":1e999}`, false, false},
			{`null`, false, false},
			{`{` + modern + `{},"long":"` + strings.Repeat("x", maxMeta) + `"}`, true, true},
		} {
			m, _ := parse([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":` + c.meta + `}}`))
			r := known.of(m, m.params.Get("_meta"))
			if (r.meta != nil) != c.readable || r.sound != c.sound {
				t.Errorf("%.80s: readable %v, sound %v", c.meta, r.meta != nil, r.sound)
			}
			if a, given := r.meta["a"]; given && !strings.Contains(c.meta, fmt.Sprintf(`"a":%v`, a)) {
				t.Errorf("%.80s was read as %v", c.meta, r.meta)
			}
		}
	}
}

func TestPlainIDs(t *testing.T) {
	for id, plain := range map[string]bool{
		`"a"`: true, `""`: true, `0`: true, `7`: true, `-7`: true, `999999999999999`: true, `-999999999999999`: true,
		`-0`: false, `1000000000000000`: false, `1.0`: false, `1e3`: false, `-`: false, `01`: false, ``: false, `"`: false,
	} {
		if plainID([]byte(id)) != plain {
			t.Errorf("%s: %v", id, !plain)
		}
	}
}

func TestLinesThatCameTogether(t *testing.T) {
	lines := make(chan []line, 8)
	scanLines(strings.NewReader("a\n\nb\nc"), 100, lines, nil)
	var got []string
	for came := range lines {
		var words []string
		for _, l := range came {
			words = append(words, string(l.data))
		}
		got = append(got, strings.Join(words, " "))
	}
	if want := "a b, c"; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %s", got, want)
	}
}

func TestWorkersAreFewWhenIdle(t *testing.T) {
	c := &stdioConn{work: make(chan func()), calls: t.Context()}
	hold, done := make(chan struct{}), make(chan struct{})
	for range 3 * idleWorkers {
		c.start(func() { <-hold; done <- struct{}{} })
	}
	close(hold)
	for range 3 * idleWorkers {
		<-done
	}
	for range 100 { // one after the other, by those that wait
		c.start(func() { done <- struct{}{} })
		<-done
	}
	if n := c.idle.Load(); n > idleWorkers {
		t.Errorf("%d workers are idle", n)
	}
}
