package web

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"evergreen"
)

func TestTakenPortNamesAFreeOne(t *testing.T) {
	taken, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, err = Listen(t.Context(), taken.Addr().String())
	if evergreen.KindOf(err) != evergreen.Conflict || !strings.Contains(err.Error(), "already in use") {
		t.Fatalf("error %v", err)
	}
	hints := evergreen.Hints(err)
	if len(hints) != 1 || !strings.Contains(hints[0], "--port ") {
		t.Fatalf("hints %q", hints)
	}
	_, port, _ := strings.Cut(hints[0], "--port ")
	free, err := Listen(t.Context(), net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		t.Fatalf("the port that was named is not free: %v", err)
	}
	free.Close()
}

func TestServeLetsRunningRequestsFinish(t *testing.T) {
	l, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	arrived, finish := make(chan bool), make(chan bool)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arrived <- true
		<-finish
		_, _ = io.WriteString(w, "done")
	})
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error)
	go func() { served <- Serve(ctx, handler, l) }()
	answered := make(chan string)
	go func() {
		r, err := http.Get("http://" + l.Addr().String())
		if err != nil {
			answered <- err.Error()
			return
		}
		defer r.Body.Close()
		b, err := io.ReadAll(r.Body)
		if err != nil {
			b = []byte(err.Error())
		}
		answered <- string(b)
	}()
	<-arrived
	stop()
	close(finish)
	if got := <-answered; got != "done" {
		t.Errorf("the running request got %q", got)
	}
	if err := <-served; err != nil {
		t.Errorf("a clean stop gives %v", err)
	}
}
