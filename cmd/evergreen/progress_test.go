package main

import (
	"bytes"
	"testing"
)

func TestProgressOverwritesItsLine(t *testing.T) {
	var out bytes.Buffer
	p := &progressWriter{out: &out}
	p.report("walking", 12345, 0)
	p.report("reading", 1, 2)
	p.clear()
	p.clear()
	want := "\rwalking 12,345" +
		"\r████████████░░░░░░░░░░░░ 1 / 2 reading" +
		"\r                                      \r"
	if out.String() != want {
		t.Errorf("got  %q\nwant %q", out.String(), want)
	}
}

func TestProgressIsForTerminalsOnly(t *testing.T) {
	var out bytes.Buffer
	a := &app{stderr: &out}
	report, done := a.progressLine()
	done()
	if report != nil || out.Len() > 0 {
		t.Errorf("progress on what is no terminal: %q", out.String())
	}
}

func TestColumnsCountWideCharactersTwice(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc": 3, "常青": 4, "ａ": 2, "é": 1} {
		if got := columns(s); got != want {
			t.Errorf("columns(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000"} {
		if got := thousands(n); got != want {
			t.Errorf("thousands(%d) = %s, want %s", n, got, want)
		}
	}
}
