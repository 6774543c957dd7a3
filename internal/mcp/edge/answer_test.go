// The response writer on its own.
package edge

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// TestKeepAlive: an idle event stream carries a comment after every pause, and
// none after its end.
func TestKeepAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &deadlineRecorder{ResponseRecorder: httptest.NewRecorder()}
		a := newAnswer(w)
		a.Header().Set("Content-Type", "text/event-stream")
		a.WriteHeader(http.StatusOK)
		time.Sleep(2*keepAlive + time.Second)
		a.finish()
		time.Sleep(2 * keepAlive)
		if got := w.Body.String(); got != ": keep-alive\n\n: keep-alive\n\n" {
			t.Errorf("stream %q", got)
		}
		if !w.lifted {
			t.Error("the server's write timeout would cut the stream")
		}
	})
}

// A deadlineRecorder notices that the write deadline was lifted.
type deadlineRecorder struct {
	*httptest.ResponseRecorder
	lifted bool
}

func (w *deadlineRecorder) SetWriteDeadline(t time.Time) error {
	w.lifted = t.IsZero()
	return nil
}

func TestPlainErrorsBecomeJSON(t *testing.T) {
	tests := []struct {
		name         string
		status       int
		text         string
		notification bool
		modern       bool
		wantStatus   int
		want         string
	}{
		{"bad request", 400, "why", false, false, 400, `{"jsonrpc":"2.0","id":9,"error":{"code":-32600,"message":"why"}}`},
		{"session", 404, "session not found", false, false, 404, `{"jsonrpc":"2.0","id":9,"error":{"code":-32001,"message":"session not found"}}`},
		{"method", 405, "no", false, false, 405, `{"jsonrpc":"2.0","id":9,"error":{"code":-32000,"message":"no"}}`},
		{"server", 500, "failed", false, false, 500, `{"jsonrpc":"2.0","id":9,"error":{"code":-32603,"message":"failed"}}`},
		{"unknown method", 400, `JSON RPC not handled: "x" unsupported`, false, false, 200, `{"jsonrpc":"2.0","id":9,"error":{"code":-32601,"message":"method not found: \"x\""}}`},
		{"unknown method, modern", 400, `JSON RPC not handled: "x" unsupported`, false, true, 400, `{"jsonrpc":"2.0","id":9,"error":{"code":-32601,"message":"method not found: \"x\""}}`},
		{"unknown notification", 400, `JSON RPC not handled: "x" unsupported`, true, true, 202, ``},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			a := newAnswer(w)
			a.own, a.notification, a.modern = []byte("9"), tt.notification, tt.modern
			http.Error(a, tt.text, tt.status)
			a.FlushError()
			a.finish()
			if w.Code != tt.wantStatus || w.Body.String() != tt.want {
				t.Errorf("status %d, body %s", w.Code, w.Body)
			}
		})
	}
}

// TestPlainErrorIsBounded: what the SDK says is cut, not collected.
func TestPlainErrorIsBounded(t *testing.T) {
	w := httptest.NewRecorder()
	a := newAnswer(w)
	a.Header().Set("Content-Type", "text/plain")
	a.WriteHeader(http.StatusBadRequest)
	for range 3 {
		if n, err := a.Write(make([]byte, maxPlain)); n != maxPlain || err != nil {
			t.Fatalf("Write: %d, %v", n, err)
		}
	}
	if a.held.Len() != maxPlain {
		t.Errorf("%d bytes held", a.held.Len())
	}
	a.finish()
}

// TestFailAfterBeginning: a fault does not follow half of an answer.
func TestFailAfterBeginning(t *testing.T) {
	w := httptest.NewRecorder()
	a := newAnswer(w)
	a.Write([]byte("half"))
	a.fail(faultf(codeInternal, "late"), nil)
	a.finish()
	if w.Body.String() != "half" {
		t.Errorf("body %q", w.Body)
	}
}
