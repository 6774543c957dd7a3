package web

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// waitingMethod answers when it is told to. begin writes headers before that.
type waitingMethod struct {
	arrived, finish chan bool
	begin           bool
}

func (m waitingMethod) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	if m.begin {
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
	}
	m.arrived <- true
	<-m.finish
}

// crowded is a server on which most requests may be worked on at a time, two of
// them by method.
func crowded(method waitingMethod) *Server {
	return newServer(&fakeEngine{}, func(o *Options) { o.MaxRequests, o.MCP, o.A2A = 2, method, echoMethod("a2a ") })
}

func post(s http.Handler, body io.Reader, done chan<- int) {
	r := httptest.NewRequest("POST", "http://localhost/mcp", body)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	done <- w.Code
}

// TestTooManyAtOnce: while as many are answered as may be, others are refused at
// once and told when to come back; health is told, and when one is done the next
// is answered.
func TestTooManyAtOnce(t *testing.T) {
	method := waitingMethod{arrived: make(chan bool), finish: make(chan bool)}
	s := crowded(method)
	done := make(chan int)
	for range 2 {
		go post(s, strings.NewReader("{}"), done)
		<-method.arrived
	}
	for _, tt := range []struct {
		method, path, kind string
		status             int
	}{
		{"GET", "/api/context", typeProblem, 503},
		{"GET", "/llms.txt", typeText, 503},
		{"POST", "/mcp", typeText, 503},
		{"POST", "/a2a", typeText, 503},
		{"GET", "/healthz", typeText, 200},
		{"OPTIONS", "/api/context", "", 204},
	} {
		r := ask(s, tt.method, tt.path)
		if r.StatusCode != tt.status || tt.kind != "" && r.Header.Get("Content-Type") != tt.kind && tt.status == 503 {
			t.Errorf("%s: %d %q", tt.path, r.StatusCode, r.Header.Get("Content-Type"))
		}
		if tt.status != 503 {
			continue
		}
		text := body(t, r)
		if r.Header.Get("Retry-After") != "1" || r.Header.Get("Cache-Control") != "no-store" || !strings.Contains(text, "ry again in a second") {
			t.Errorf("%s: %v %s", tt.path, r.Header, text)
		}
		if open := r.Header.Get("Access-Control-Allow-Origin") == "*"; open != (tt.method == "GET") {
			t.Errorf("%s: may be read by every page: %v", tt.path, open)
		}
	}
	method.finish <- true
	if status := <-done; status != 200 {
		t.Errorf("the one that was answered: %d", status)
	}
	if r := ask(s, "GET", "/api/context"); r.StatusCode != 200 {
		t.Errorf("afterwards: %d", r.StatusCode)
	}
	method.finish <- true
	<-done
	if n := s.crowd.present.Load(); n != 0 {
		t.Errorf("%d are counted when all have left", n)
	}
	var figures bytes.Buffer
	if s.writeMetrics(&figures); !strings.Contains(figures.String(), "evergreen_http_overload_total 4\n") {
		t.Error(figures.String())
	}
}

// TestWaitingTakesNoPlace: neither a request whose body is still to come nor an
// answer that has begun keeps others out.
func TestWaitingTakesNoPlace(t *testing.T) {
	method := waitingMethod{arrived: make(chan bool), finish: make(chan bool), begin: true}
	s := crowded(method)
	done := make(chan int)
	bodies := make([]*io.PipeWriter, 3)
	for i := range bodies {
		var body *io.PipeReader
		body, bodies[i] = io.Pipe()
		go post(s, body, done)
		_, _ = io.WriteString(bodies[i], "{") // it is being read
	}
	if r := ask(s, "GET", "/api/context"); r.StatusCode != 200 {
		t.Errorf("while bodies come: %d", r.StatusCode)
	}
	for _, b := range bodies {
		b.Close()
		<-method.arrived
	}
	if r := ask(s, "GET", "/api/context"); r.StatusCode != 200 {
		t.Errorf("while streams are open: %d", r.StatusCode)
	}
	for range bodies {
		method.finish <- true
		<-done
	}
}
