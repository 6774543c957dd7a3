package ui_test

// This file runs the browser's modules in Node, one process for a whole test.

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// oldestNode is the first major version that has what the modules use.
const oldestNode = 18

// node is a running testdata/answer.mjs.
type node struct {
	t        *testing.T
	requests chan any
	done     chan struct{}
	answers  *bufio.Reader
}

// startNode skips the test when no Node is there to run it.
func startNode(t *testing.T) *node {
	t.Helper()
	version, err := exec.Command("node", "--version").Output()
	if err != nil {
		t.Skip("node is not on PATH: the browser's answers are not compared")
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(string(version), "v"), ".")
	if n, err := strconv.Atoi(major); err != nil || n < oldestNode {
		t.Skipf("node is %s, needed is %d or newer: the browser's answers are not compared", version, oldestNode)
	}
	cmd := exec.Command("node", "testdata/answer.mjs")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var complaints strings.Builder
	cmd.Stderr = &complaints
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	n := &node{t: t, requests: make(chan any, 256), done: make(chan struct{}), answers: bufio.NewReaderSize(out, 1<<20)}
	go func() {
		w := bufio.NewWriter(in)
		e := json.NewEncoder(w)
		defer in.Close()
		for {
			select {
			case <-n.done:
				return
			case r := <-n.requests:
				if e.Encode(r) != nil || len(n.requests) == 0 && w.Flush() != nil {
					return
				}
			}
		}
	}()
	t.Cleanup(func() {
		close(n.done)
		if t.Failed() {
			_ = cmd.Process.Kill() // it may wait for a reader of its answers
		}
		if err := cmd.Wait(); err != nil && !t.Failed() {
			t.Errorf("node: %v\n%s", err, complaints.String())
		} else if complaints.Len() > 0 {
			t.Log(complaints.String())
		}
	})
	return n
}

// send hands a request over without waiting for its answer.
func (n *node) send(request any) {
	select {
	case n.requests <- request:
	case <-n.done:
	}
}

// receive returns the next answer, without the end of its line.
func (n *node) receive() string {
	n.t.Helper()
	line, err := n.answers.ReadString('\n')
	if err != nil {
		n.t.Fatalf("node gave no answer: %v", err)
	}
	return strings.TrimSuffix(line, "\n")
}

func (n *node) call(request any) string {
	n.t.Helper()
	n.send(request)
	return n.receive()
}
