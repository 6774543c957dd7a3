package main

// This file holds the other servers, each this program once more in a process of
// its own.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"

	"evergreen/bench/internal/load"
)

// Names of the other servers.
const (
	bare  = "bare"
	files = "files"
)

// side is a server that is loaded.
type side struct {
	name, address string
	pid           int
	first         []load.Answer // of each layer
}

// recorded is what Evergreen answered.
type recorded struct {
	Header http.Header
	Body   []byte
}

// recordAnswers keeps the answers of all layers in a file.
func recordAnswers(address string, layers []layer, file string) error {
	answers := map[string]recorded{}
	for _, l := range layers {
		request, err := http.NewRequest(http.MethodGet, "http://"+address+l.path, nil)
		if err != nil {
			return err
		}
		request.Header.Set("Accept", l.accept)
		request.Header.Set("Accept-Encoding", "identity")
		r, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		body, err := io.ReadAll(r.Body)
		if err := errors.Join(err, r.Body.Close()); err != nil || r.StatusCode != 200 {
			return fmt.Errorf("%s: status %d, %w", l.path, r.StatusCode, err)
		}
		r.Header.Del("Date") // every server writes its own
		answers[l.path] = recorded{r.Header, body}
	}
	raw, err := json.Marshal(answers)
	if err != nil {
		return err
	}
	return os.WriteFile(file, raw, 0o600)
}

// start starts another server.
func start(ctx context.Context, name, from string) (*side, func(), error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.CommandContext(ctx, self, "serve", name, from)
	cmd.Stderr = os.Stderr
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		return nil, nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, nil, fmt.Errorf("%s did not start: %w", name, err)
	}
	stop := func() { _ = in.Close(); _ = cmd.Wait() } // it ends with its input
	return &side{name: name, address: strings.TrimSpace(line), pid: cmd.Process.Pid}, stop, nil
}

// servePeer is the other server: it prints its address and ends with its input.
func servePeer(name, from string) error {
	handler := http.FileServer(http.Dir(from))
	if name == bare {
		raw, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		var answers map[string]recorded
		if err := json.Unmarshal(raw, &answers); err != nil {
			return err
		}
		handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			a, ok := answers[r.URL.RequestURI()]
			if !ok {
				http.NotFound(w, r)
				return
			}
			h := w.Header()
			for name, values := range a.Header {
				h[name] = values
			}
			_, _ = w.Write(a.Body) // a client that went away is no error of ours
		})
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	go func() { _ = http.Serve(listener, handler) }() // until the process ends
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}
