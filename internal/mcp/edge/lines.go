package edge

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// A line is one line of stdio input without its ending.
type line struct {
	data    []byte
	tooLong bool // longer than the bound; data is empty then
}

// scanLines sends every line of r that is not blank, those together that came
// together, until r ends or done is closed, and closes the channel. A line of more
// than limit bytes is skipped to its end, in constant memory.
func scanLines(r io.Reader, limit int, lines chan<- []line, done <-chan struct{}) {
	defer close(lines)
	br := bufio.NewReaderSize(r, 64<<10)
	var together []line
	for {
		l, err := readLine(br, limit)
		if l.tooLong || len(l.data) > 0 {
			together = append(together, l)
		}
		if len(together) > 0 && (err != nil || len(together) == maxTogether || !anotherLine(br)) {
			select {
			case lines <- together:
			case <-done:
				return
			}
			together = nil
		}
		if err != nil {
			return
		}
	}
}

// anotherLine reports whether a whole line is there without reading on.
func anotherLine(br *bufio.Reader) bool {
	there, _ := br.Peek(br.Buffered()) // of what is there nothing is missing
	return bytes.IndexByte(there, '\n') >= 0
}

// readLine reads to the next newline or the end of input.
func readLine(br *bufio.Reader, limit int) (line, error) {
	var l line
	for {
		part, err := br.ReadSlice('\n')
		switch {
		case l.tooLong:
		case len(l.data)+len(bytes.TrimRight(part, "\r\n")) > limit:
			l = line{tooLong: true}
		default:
			l.data = append(l.data, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		l.data = bytes.TrimSpace(clean(l.data))
		return l, err
	}
}
