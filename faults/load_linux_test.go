// What keeps a server busy: clients that ask, crawl, hold connections open,
// listen, and dawdle.

package faults

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// load is what is done to one server, and what came of it.
type load struct {
	t       *testing.T
	server  *server
	client  *http.Client
	workers sync.WaitGroup

	requests, wrong     atomic.Int64
	connections, events atomic.Int64 // kept alive and used; told to listeners
	streams, slow       atomic.Int64 // open listen streams; slow requests that were cut or served
	endured             atomic.Int64 // requests that the server let come in bit by bit to the end of patience
	crawls, commits     atomic.Int64
}

func newLoad(t *testing.T, s *server) *load {
	return &load{t: t, server: s, client: &http.Client{
		Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64},
	}}
}

// each runs f in a goroutine, again and again with pauses, until ctx ends.
func (l *load) each(ctx context.Context, pause time.Duration, f func() error) {
	l.workers.Go(func() {
		for ctx.Err() == nil {
			if err := f(); err != nil && ctx.Err() == nil {
				if l.wrong.Add(1) <= 10 {
					l.t.Error(err)
				}
			}
			select {
			case <-ctx.Done():
			case <-time.After(pause):
			}
		}
	})
}

// get asks for a path, which must be answered with 200 and hold a text.
func (l *load) get(path, want string) error {
	res, err := l.client.Get(l.server.base + path)
	return l.answer(path, res, err, want)
}

// call posts a message to /mcp.
func (l *load) call(body, want string) error {
	res, err := l.client.Post(l.server.base+"/mcp", "application/json", strings.NewReader(body))
	return l.answer(body, res, err, want)
}

func (l *load) answer(what string, res *http.Response, err error, want string) error {
	l.requests.Add(1)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK || !bytes.Contains(text, []byte(want)) {
		return fmt.Errorf("%s: %s %.200s", what, res.Status, text)
	}
	return nil
}

func toolCall(name, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, name, arguments)
}

// keepAlive holds a connection open and uses it now and then.
func (l *load) keepAlive(ctx context.Context, every time.Duration) error {
	connection, err := l.dial()
	if err != nil {
		return err
	}
	l.connections.Add(1)
	context.AfterFunc(ctx, func() { _ = connection.Close() })
	l.workers.Go(func() {
		defer l.connections.Add(-1)
		reader := bufio.NewReader(connection)
		for ctx.Err() == nil {
			fmt.Fprintf(connection, "GET /healthz HTTP/1.1\r\nHost: %s\r\n\r\n", connection.RemoteAddr())
			res, err := http.ReadResponse(reader, nil)
			if err == nil {
				_, err = io.Copy(io.Discard, res.Body)
				res.Body.Close()
			}
			l.requests.Add(1)
			if ctx.Err() == nil && (err != nil || res.StatusCode != http.StatusOK) {
				l.wrong.Add(1)
				return
			}
			select {
			case <-ctx.Done():
			case <-time.After(every):
			}
		}
	})
	return nil
}

func (l *load) dial() (net.Conn, error) {
	u, err := url.Parse(l.server.base)
	if err != nil {
		return nil, err
	}
	return net.DialTimeout("tcp", u.Host, 10*time.Second)
}

const listenBody = `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"soak","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"notifications":{"resourcesListChanged":true}}}`

// listen opens an MCP stream and counts what is told on it.
func (l *load) listen(ctx context.Context) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, l.server.base+"/mcp", strings.NewReader(listenBody))
	if err != nil {
		return err
	}
	for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen"} {
		r.Header.Set(name, value)
	}
	res, err := (&http.Client{Transport: l.client.Transport}).Do(r)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		text, _ := io.ReadAll(io.LimitReader(res.Body, 300))
		res.Body.Close()
		return fmt.Errorf("listen: %s %s", res.Status, text)
	}
	l.streams.Add(1)
	l.workers.Go(func() {
		defer res.Body.Close()
		defer l.streams.Add(-1)
		lines := bufio.NewScanner(res.Body)
		for lines.Scan() {
			if strings.Contains(lines.Text(), "list_changed") {
				l.events.Add(1)
			}
		}
		if ctx.Err() == nil {
			l.wrong.Add(1)
			l.t.Errorf("a listen stream ended: %v", lines.Err())
		}
	})
	return nil
}

// patience is how long a slow client goes on: longer than a server may wait for
// the headers of a request.
const patience = 15 * time.Second

// dawdle sends a request byte by byte, which has to be cut off, or asks for
// something large and reads it a little at a time, where being cut off is as good
// as being served.
func (l *load) dawdle(ctx context.Context, reading bool) {
	connection, err := l.dial()
	if err != nil {
		return
	}
	defer connection.Close()
	defer l.slow.Add(1)
	request := "GET /llms-full.txt HTTP/1.1\r\nHost: " + connection.RemoteAddr().String() + "\r\nX-Slow: "
	if reading {
		fmt.Fprint(connection, request+"1\r\n\r\n")
	}
	buffer := make([]byte, 512)
	began := time.Now()
	for i := 0; time.Since(began) < patience; i++ {
		if ctx.Err() != nil {
			return
		}
		_ = connection.SetDeadline(time.Now().Add(500 * time.Millisecond))
		if reading {
			_, err = connection.Read(buffer)
		} else {
			at := min(i, len(request)-1)
			_, err = connection.Write([]byte(request[at : at+1]))
		}
		if err != nil {
			return
		}
		time.Sleep(250 * time.Millisecond)
	}
	if !reading {
		l.endured.Add(1)
	}
}
