package load

// This file reads HTTP/1.1 answers (RFC 9112) off a connection.

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// read reads one answer and copies its body.
func read(in *bufio.Reader, body io.Writer) (Answer, error) {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return Answer{}, err
	}
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.")) {
		return Answer{}, fmt.Errorf("no answer of HTTP/1.1: %q", line)
	}
	a := Answer{Header: map[string]string{}}
	if a.Status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return a, fmt.Errorf("no status in %q", line)
	}
	for {
		if line, err = in.ReadSlice('\n'); err != nil {
			return a, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		a.Header[strings.ToLower(string(name))] = string(bytes.TrimSpace(value))
	}
	if strings.EqualFold(a.Header["transfer-encoding"], "chunked") {
		a.Bytes, err = chunks(in, body)
		return a, err
	}
	length, err := strconv.ParseInt(a.Header["content-length"], 10, 64)
	if err != nil {
		return a, fmt.Errorf("the answer says neither its length nor that it is chunked")
	}
	a.Bytes, err = io.CopyN(body, in, length)
	return a, err
}

// chunks reads a chunked body without trailers.
func chunks(in *bufio.Reader, body io.Writer) (total int64, err error) {
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return total, err
		}
		digits, _, _ := strings.Cut(strings.TrimRight(string(line), "\r\n"), ";")
		size, err := strconv.ParseInt(digits, 16, 64)
		if err != nil {
			return total, fmt.Errorf("no chunk size: %q", line)
		}
		n, err := io.CopyN(body, in, size)
		total += n
		if err != nil {
			return total, err
		}
		if _, err := in.Discard(2); err != nil || size == 0 {
			return total, err
		}
	}
}
