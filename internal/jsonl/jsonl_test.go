package jsonl

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestAnswer(t *testing.T) {
	for name, tt := range map[string]struct {
		in            string
		out           string
		lines, failed int
	}{
		"in order, without blank lines": {"a\n\n \r\nb\n", "\"a\"\n\"b\"\n", 2, 0},
		"a last line without its end":   {"a\nb", "\"a\"\n\"b\"\n", 2, 0},
		"a bad line costs no other":     {"a\nbad\nb\n", "\"a\"\n\"bad\"\n\"b\"\n", 3, 1},
		"marks as they are":             {"<&>\n", "\"<&>\"\n", 1, 0},
		"nothing":                       {"", "", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			lines, failed, err := Answer(strings.NewReader(tt.in), &out, echo)
			if err != nil || out.String() != tt.out || lines != tt.lines || failed != tt.failed {
				t.Errorf("%q, %d lines, %d failed, %v", out.String(), lines, failed, err)
			}
		})
	}
}

// Who sends one line and waits has its answer before the next is read.
func TestAnswerDoesNotWait(t *testing.T) {
	in, send := io.Pipe()
	out, got := io.Pipe()
	go func() { _, _, _ = Answer(in, got, echo) }()
	go func() { _, _ = io.WriteString(send, "a\n") }()
	buf := make([]byte, 4)
	if _, err := io.ReadFull(out, buf); err != nil || string(buf) != "\"a\"\n" {
		t.Errorf("%q, %v", buf, err)
	}
	_ = send.Close()
}

func TestAnswerReadError(t *testing.T) {
	broken := errors.New("broken")
	var out strings.Builder
	lines, _, err := Answer(io.MultiReader(strings.NewReader("a\n"), iotest.ErrReader(broken)), &out, echo)
	if !errors.Is(err, broken) || lines != 1 || out.String() != "\"a\"\n" {
		t.Errorf("%d lines, %q, %v", lines, out.String(), err)
	}
}

func TestID(t *testing.T) {
	for raw, want := range map[string]string{`"a"`: `"a"`, "7": "7", "-1.50": "-1.50", "": "null", "null": "null"} {
		if id, ok := ID([]byte(raw)); !ok || string(id) != want {
			t.Errorf("%q: %s, %v", raw, id, ok)
		}
	}
	for _, raw := range []string{"true", "[1]", `{"a":1}`} {
		if id, ok := ID([]byte(raw)); ok || string(id) != "null" {
			t.Errorf("%q: %s, %v", raw, id, ok)
		}
	}
}

func echo(line []byte) (any, bool) { return string(line), string(line) != "bad" }
