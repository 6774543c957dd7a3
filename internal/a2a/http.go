package a2a

// This file puts the protocol behind HTTP.

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"evergreen"

	"golang.org/x/text/encoding/htmlindex"
)

// VersionHeader names the version of the protocol, in requests and answers.
const VersionHeader = "A2A-Version"

// Options are what a Handler needs.
type Options struct {
	Asker Asker
	NewID func() string // makes unique ids; nil is a random UUID
	Log   *slog.Logger  // nil discards
}

// Handler answers POST requests of both dialects on one path. Guards, limits of
// rate and time stand in front of it.
func Handler(o Options) http.Handler {
	if o.NewID == nil {
		o.NewID = newUUID
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { o.serve(w, r) })
}

func (o Options) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	switch r.Method {
	case http.MethodPost:
	case http.MethodOptions:
		w.Header().Set("Allow", "POST, OPTIONS")
		w.WriteHeader(http.StatusNoContent)
		return
	default:
		w.Header().Set("Allow", "POST, OPTIONS")
		refuse(w, r, http.StatusMethodNotAllowed, "A2A answers POST with a JSON-RPC 2.0 object; the agent card is at /.well-known/agent-card.json.")
		return
	}
	contentType := r.Header.Get("Content-Type")
	if !isJSON(contentType) {
		refuse(w, r, http.StatusUnsupportedMediaType, "Send the request as application/json.")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if err != nil {
		if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
			refuse(w, r, http.StatusRequestEntityTooLarge, "The body is larger than "+strconv.Itoa(MaxBody)+" bytes. Ask a shorter question.")
		}
		return // a client that went away hears no answer
	}
	o.answer(w, r, Parse(decode(body, contentType), versionOf(r), r.Header.Get("Accept-Language")))
}

// answer asks what is to be asked and writes the answer.
func (o Options) answer(w http.ResponseWriter, r *http.Request, q Request) {
	w.Header().Set(VersionHeader, string(q.Dialect))
	if q.Notification {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	var body []byte
	if q.Call == nil {
		body = q.Reply()
	} else if a, err := o.Asker.CallSkill(r.Context(), *q.Call); err != nil {
		if kind := evergreen.KindOf(err); kind != evergreen.Invalid && kind != evergreen.NotFound {
			o.Log.Error("a2a call failed", "skill", shown(q.Call.Skill), "error", err)
		}
		body = q.Fail(err)
	} else {
		body = q.Answer(a, o.NewID)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body) // a client that went away is no error of ours
}

// versionOf is the version a request names: in its header, else in its query.
func versionOf(r *http.Request) string {
	if v := r.Header.Get(VersionHeader); v != "" {
		return v
	}
	return r.URL.Query().Get(VersionHeader)
}

// decode returns a body as UTF-8. A declared charset is honoured by its WHATWG
// name; an absent or unknown one means UTF-8.
func decode(body []byte, contentType string) []byte {
	_, params, _ := mime.ParseMediaType(contentType)
	if name := strings.ToLower(params["charset"]); name != "" && name != "utf-8" && name != "utf8" {
		if enc, err := htmlindex.Get(name); err == nil {
			if decoded, err := enc.NewDecoder().Bytes(body); err == nil {
				body = decoded
			}
		}
	}
	return bytes.ToValidUTF8(body, []byte("\uFFFD"))
}

func isJSON(contentType string) bool {
	if contentType == "" {
		return true
	}
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil && media == "" {
		return false
	}
	return media == "application/json" || media == "application/a2a+json" || media == "application/json-rpc"
}

func refuse(w http.ResponseWriter, r *http.Request, status int, sentence string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, sentence+"\n") // as above
	}
}

// newUUID makes a random UUID (RFC 9562, version 4).
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
