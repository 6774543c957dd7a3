package a2a

// This file asks questions: through the clients of both versions, and by hand
// where the clients cannot go wrong.

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	legacy "github.com/a2aproject/a2a-go/a2a"
	legacyclient "github.com/a2aproject/a2a-go/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
)

// questions are about the product's own knowledge base; the answers must cite
// the entry that answers them.
var questions = map[string]struct{ text, marker string }{
	"English": {"When is retrieval needed?", "[EG-402]"},
	"Chinese": {"什么时候需要检索？", "[EG-402]"},
}

// client connects as a program does that knows nothing but the card.
func client(t *testing.T, card *a2a.AgentCard, options ...a2aclient.FactoryOption) *a2aclient.Client {
	t.Helper()
	c, err := a2aclient.NewFromCard(t.Context(), card, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Destroy() })
	return c
}

// ask sends a message and returns the answer's text and data.
func ask(t *testing.T, c *a2aclient.Client, m *a2a.Message) (text string, data any) {
	t.Helper()
	result, err := c.SendMessage(t.Context(), &a2a.SendMessageRequest{Message: m})
	if err != nil {
		t.Fatal(err)
	}
	answer, ok := result.(*a2a.Message)
	if !ok {
		t.Fatalf("answered with %T", result)
	}
	if answer.Role != a2a.MessageRoleAgent || answer.ID == "" || answer.ContextID == "" {
		t.Errorf("role %q, id %q, context %q", answer.Role, answer.ID, answer.ContextID)
	}
	if m.ContextID != "" && answer.ContextID != m.ContextID {
		t.Errorf("the context %q became %q", m.ContextID, answer.ContextID)
	}
	for _, p := range answer.Parts {
		text += p.Text()
		if p.Data() != nil {
			data = p.Data()
		}
	}
	return text, data
}

func question(text string) *a2a.Message {
	return a2a.NewMessage(a2a.MessageRoleUser, a2a.NewTextPart(text))
}

func TestClient(t *testing.T) {
	url := serve(t)
	raw := get(t, url+cardPath)
	for name, c := range map[string]*a2aclient.Client{
		"1.0":                client(t, parse(t, raw)),
		"0.3, by a2a-go 2.3": client(t, parseCompat(t, raw), a2av0.WithJSONRPCTransport(a2av0.JSONRPCTransportConfig{})),
	} {
		for language, q := range questions {
			t.Run(name+"/"+language, func(t *testing.T) {
				m := question(q.text)
				m.ContextID = "a-context"
				text, data := ask(t, c, m)
				if !strings.Contains(text, q.marker) {
					t.Errorf("no %s in:\n%s", q.marker, text)
				}
				if members, ok := data.(map[string]any); !ok || members["budget"] != 2000.0 {
					t.Errorf("data: %v", data)
				}
			})
		}
		t.Run(name+"/skill", func(t *testing.T) {
			call := a2a.NewDataPart(map[string]any{"skill": "get_entry", "arguments": map[string]any{"id": "EG-402"}})
			if text, _ := ask(t, c, a2a.NewMessage(a2a.MessageRoleUser, call)); !strings.Contains(text, "EG-402") {
				t.Errorf("the entry: %s", text)
			}
		})
		t.Run(name+"/refusals", func(t *testing.T) { refusals(t, c) })
	}
}

// refusals demands that what /a2a does not do is refused with the error that
// the protocol has for it.
func refusals(t *testing.T, c *a2aclient.Client) {
	t.Helper()
	ctx := t.Context()
	_, get := c.GetTask(ctx, &a2a.GetTaskRequest{ID: "t"})
	_, cancel := c.CancelTask(ctx, &a2a.CancelTaskRequest{ID: "t"})
	_, push := c.GetTaskPushConfig(ctx, &a2a.GetTaskPushConfigRequest{TaskID: "t", ID: "p"})
	task := question("x")
	task.TaskID = "t"
	_, known := c.SendMessage(ctx, &a2a.SendMessageRequest{Message: task})
	_, empty := c.SendMessage(ctx, &a2a.SendMessageRequest{Message: question(" ")})
	_, file := c.SendMessage(ctx, &a2a.SendMessageRequest{Message: a2a.NewMessage(a2a.MessageRoleUser, a2a.NewRawPart([]byte("x")))})
	for _, r := range []struct {
		what      string
		got, want error
	}{
		{"GetTask", get, a2a.ErrTaskNotFound},
		{"CancelTask", cancel, a2a.ErrTaskNotFound},
		{"GetTaskPushConfig", push, a2a.ErrPushNotificationNotSupported},
		{"a message for a task", known, a2a.ErrTaskNotFound},
		{"a message without text", empty, a2a.ErrInvalidParams},
		{"a file", file, a2a.ErrUnsupportedContentType},
	} {
		if !errors.Is(r.got, r.want) {
			t.Errorf("%s: %v, want %v", r.what, r.got, r.want)
		}
	}
}

func TestLegacyClient(t *testing.T) {
	url := serve(t)
	c, err := legacyclient.NewFromCard(t.Context(), parseLegacy(t, get(t, url+cardPath)))
	if err != nil {
		t.Fatal(err)
	}
	for language, q := range questions {
		t.Run(language, func(t *testing.T) {
			m := legacy.NewMessage(legacy.MessageRoleUser, legacy.TextPart{Text: q.text})
			result, err := c.SendMessage(t.Context(), &legacy.MessageSendParams{Message: m})
			if err != nil {
				t.Fatal(err)
			}
			answer, ok := result.(*legacy.Message)
			if !ok || len(answer.Parts) == 0 || answer.Role != legacy.MessageRoleAgent {
				t.Fatalf("answered with %T: %+v", result, result)
			}
			if text, ok := answer.Parts[0].(legacy.TextPart); !ok || !strings.Contains(text.Text, q.marker) {
				t.Errorf("no %s in: %+v", q.marker, answer.Parts[0])
			}
		})
	}
	// a2a-go 0.3.15 reads the data of an error only as an object, where its
	// protocol allows any value and ours is an array, as later clients read it.
	_, err = c.GetTask(t.Context(), &legacy.TaskQueryParams{ID: "t"})
	if err == nil || !errors.Is(err, legacy.ErrTaskNotFound) && !strings.Contains(err.Error(), "Error.error.data") {
		t.Errorf("GetTask: %v", err)
	}
}

// A library of one Chinese document is asked in Chinese.
func TestChineseLibrary(t *testing.T) {
	url := serve(t, variants(t)["Chinese"]...)
	text, _ := ask(t, client(t, parse(t, get(t, url+cardPath))), question("什么是幻觉？"))
	if !strings.Contains(text, "模型会编造事实") || !regexp.MustCompile(`\[[^\s\[\]]+:[0-9a-f]{6}\]`).MatchString(text) {
		t.Errorf("no cited answer:\n%s", text)
	}
}

const (
	ask10 = `{"jsonrpc":"2.0","id":"q-1","method":"SendMessage","params":{"message":{"messageId":"m-1","role":"ROLE_USER","parts":[{"text":"什么时候需要检索？"}]}}}`
	ask03 = `{"jsonrpc":"2.0","id":7,"method":"message/send","params":{"message":{"kind":"message","messageId":"m-1","role":"user","parts":[{"kind":"text","text":"什么时候需要检索？"}]}}}`
)

// wire is an answer as it stands on the wire, as far as the versions differ.
type wire struct {
	Dialect string // of the answer's A2A-Version
	ID      any
	Code    int    // of the error, 0 for none
	Reason  string // of the error, for machines
	Shape   string // of the message: where it stands, who speaks, its parts
}

func TestWire(t *testing.T) {
	url := serve(t)
	const message10, message03 = "result.message ROLE_AGENT text data", "result agent text data"
	unsupported := func(dialect string, id any) wire { return wire{dialect, id, -32009, "VERSION_NOT_SUPPORTED", ""} }
	for _, c := range []struct {
		name, query, version, body string
		want                       wire
	}{
		{"0.3 without a version", "", "", ask03, wire{"0.3", 7.0, 0, "", message03}},
		{"0.3", "", "0.3", ask03, wire{"0.3", 7.0, 0, "", message03}},
		{"0.3.0", "", "0.3.0", ask03, wire{"0.3", 7.0, 0, "", message03}},
		{"1.0", "", "1.0", ask10, wire{"1.0", "q-1", 0, "", message10}},
		{"1.0 without a version", "", "", ask10, wire{"1.0", "q-1", 0, "", message10}},
		{"1.0 in the query", "?A2A-Version=1.0", "", ask10, wire{"1.0", "q-1", 0, "", message10}},
		{"an older version", "", "0.2", ask03, unsupported("1.0", 7.0)},
		{"a newer version", "", "2.0", ask10, unsupported("1.0", "q-1")},
		{"a newer version in the query", "?A2A-Version=2.0", "", ask10, unsupported("1.0", "q-1")},
		{"no version", "", "latest", ask10, unsupported("1.0", "q-1")},
		{"a wrong version of a wrong method", "", "9.9", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, unsupported("1.0", 1.0)},
		{"streaming", "", "1.0", `{"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":{}}`, wire{"1.0", 1.0, -32004, "UNSUPPORTED_OPERATION", ""}},
		{"streaming, 0.3", "", "", `{"jsonrpc":"2.0","id":1,"method":"message/stream","params":{}}`, wire{"0.3", 1.0, -32004, "UNSUPPORTED_OPERATION", ""}},
		{"the card for members", "", "", `{"jsonrpc":"2.0","id":1,"method":"agent/getAuthenticatedExtendedCard"}`, wire{"0.3", 1.0, -32007, "EXTENDED_AGENT_CARD_NOT_CONFIGURED", ""}},
		{"a batch", "", "1.0", "[" + ask10 + "]", wire{"1.0", nil, -32600, "INVALID_REQUEST", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, post(t, url+"/a2a"+c.query, c.version, c.body)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

// post sends a body as it is, with the version in the header unless it is empty.
func post(t *testing.T, url, version, body string) wire {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if version != "" {
		r.Header.Set("A2A-Version", version)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		t.Errorf("%s, %s", resp.Status, resp.Header.Get("Content-Type"))
	}
	return read(t, raw, resp.Header.Get("A2A-Version"))
}

func read(t *testing.T, raw []byte, dialect string) wire {
	t.Helper()
	type message struct {
		Kind, Role string
		Parts      []struct {
			Text string
			Data map[string]any
		}
	}
	var answer struct {
		Version string `json:"jsonrpc"`
		ID      any
		Error   *struct {
			Code int
			Data []struct{ Reason string }
		}
		Result struct {
			message
			Message *message
		}
	}
	if err := json.NewDecoder(bytes.NewReader(raw)).Decode(&answer); err != nil || answer.Version != "2.0" {
		t.Fatalf("%v: %s", err, raw)
	}
	w := wire{Dialect: dialect, ID: answer.ID}
	if answer.Error != nil {
		w.Code = answer.Error.Code
		for _, d := range answer.Error.Data {
			w.Reason += d.Reason
		}
		return w
	}
	m := answer.Result.message
	w.Shape = "result"
	if answer.Result.Message != nil {
		m = *answer.Result.Message
		w.Shape += ".message"
	} else if m.Kind != "message" {
		t.Errorf("kind %q", m.Kind)
	}
	w.Shape += " " + m.Role
	for _, p := range m.Parts {
		switch {
		case strings.Contains(p.Text, "[EG-402]"):
			w.Shape += " text"
		case p.Data != nil:
			w.Shape += " data"
		default:
			w.Shape += " ?"
		}
	}
	return w
}
