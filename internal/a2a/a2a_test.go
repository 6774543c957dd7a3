package a2a

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"evergreen"
)

// asker answers every call the same way and remembers the last one.
type asker struct {
	last   Call
	answer Answer
	err    error
}

func (a *asker) CallSkill(_ context.Context, c Call) (Answer, error) {
	a.last = c
	return a.answer, a.err
}

// post sends a body and returns the answer.
func post(t *testing.T, a Asker, version, body string) *httptest.ResponseRecorder {
	t.Helper()
	n := 0
	h := Handler(Options{Asker: a, NewID: func() string { n++; return fmt.Sprintf("id-%d", n) }})
	r := httptest.NewRequest(http.MethodPost, "/a2a", strings.NewReader(body))
	if version != "" {
		r.Header.Set("A2A-Version", version)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestMethods holds every row of the contract's table of methods.
func TestMethods(t *testing.T) {
	const question = `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"How?"}]}}`
	for _, c := range []struct {
		method, params, dialect string
		code                    int // 0: a result
		want                    string
	}{
		{"SendMessage", question, "1.0", 0, `{"message":{"messageId":"id-1","contextId":"id-2","role":"ROLE_AGENT","parts":[{"text":"So.","mediaType":"text/markdown"},{"data":{"n":1},"mediaType":"application/json"}]}}`},
		{"message/send", question, "0.3", 0, `{"kind":"message","messageId":"id-1","contextId":"id-2","role":"agent","parts":[{"kind":"text","text":"So."},{"kind":"data","data":{"n":1}}]}`},
		{"SendStreamingMessage", question, "1.0", -32004, "UNSUPPORTED_OPERATION"},
		{"message/stream", question, "0.3", -32004, "UNSUPPORTED_OPERATION"},
		{"GetTask", `{"id":"t-1"}`, "1.0", -32001, "TASK_NOT_FOUND"},
		{"tasks/get", `{"id":"t-1"}`, "0.3", -32001, "TASK_NOT_FOUND"},
		{"ListTasks", `{}`, "1.0", 0, `{"tasks":[],"nextPageToken":"","pageSize":50,"totalSize":0}`},
		{"ListTasks", `{"pageSize":7}`, "1.0", 0, `{"tasks":[],"nextPageToken":"","pageSize":7,"totalSize":0}`},
		{"ListTasks", `{"pageSize":100}`, "1.0", 0, `{"tasks":[],"nextPageToken":"","pageSize":100,"totalSize":0}`},
		{"ListTasks", `{"pageSize":101}`, "1.0", 0, `{"tasks":[],"nextPageToken":"","pageSize":100,"totalSize":0}`},
		{"ListTasks", `{"pageSize":0}`, "1.0", 0, `{"tasks":[],"nextPageToken":"","pageSize":1,"totalSize":0}`},
		{"tasks/list", `{}`, "0.3", 0, `{"tasks":[],"nextPageToken":"","pageSize":50,"totalSize":0}`},
		{"CancelTask", `{"id":"t-1"}`, "1.0", -32001, "TASK_NOT_FOUND"},
		{"tasks/cancel", `{"id":"t-1"}`, "0.3", -32001, "TASK_NOT_FOUND"},
		{"SubscribeToTask", `{"id":"t-1"}`, "1.0", -32004, "UNSUPPORTED_OPERATION"},
		{"tasks/resubscribe", `{"id":"t-1"}`, "0.3", -32004, "UNSUPPORTED_OPERATION"},
		{"CreateTaskPushNotificationConfig", `{}`, "1.0", -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"},
		{"GetTaskPushNotificationConfig", `{}`, "1.0", -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"},
		{"DeleteTaskPushNotificationConfig", `{}`, "1.0", -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"},
		{"ListTaskPushNotificationConfigs", `{}`, "1.0", -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"},
		{"tasks/pushNotificationConfig/set", `{}`, "0.3", -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"},
		{"tasks/pushNotificationConfig/get", `{}`, "0.3", -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"},
		{"tasks/pushNotificationConfig/list", `{}`, "0.3", -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"},
		{"tasks/pushNotificationConfig/delete", `{}`, "0.3", -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"},
		{"GetExtendedAgentCard", `{}`, "1.0", -32004, "UNSUPPORTED_OPERATION"},
		{"agent/getAuthenticatedExtendedCard", `{}`, "0.3", -32007, "EXTENDED_AGENT_CARD_NOT_CONFIGURED"},
		{"SendMesage", `{}`, "0.3", -32601, "the nearest is SendMessage."},
		{"messages/send", `{}`, "0.3", -32601, "the nearest is message/send."},
	} {
		t.Run(c.method+" "+c.params, func(t *testing.T) {
			a := &asker{answer: Answer{Text: "So.", Data: json.RawMessage(`{"n":1}`)}}
			w := post(t, a, "", `{"jsonrpc":"2.0","id":"q","method":"`+c.method+`","params":`+c.params+`}`)
			if w.Code != 200 || w.Header().Get("A2A-Version") != c.dialect {
				t.Errorf("status %d, A2A-Version %q; want 200, %q", w.Code, w.Header().Get("A2A-Version"), c.dialect)
			}
			got := readAnswer(t, w.Body.Bytes())
			if got.code != c.code {
				t.Fatalf("code %d, want %d: %s", got.code, c.code, w.Body)
			}
			if c.code == 0 && got.result != c.want {
				t.Errorf("got  %s\nwant %s", got.result, c.want)
			}
			if c.code != 0 && !strings.Contains(w.Body.String(), c.want) {
				t.Errorf("%s lacks %q", w.Body, c.want)
			}
		})
	}
}

type answered struct {
	id, result string
	code       int
	types      []string // @type of each object in data
}

func readAnswer(t *testing.T, body []byte) answered {
	t.Helper()
	var m struct {
		Version string
		ID      json.RawMessage
		Result  json.RawMessage
		Error   *struct {
			Code int
			Data []map[string]any
		}
	}
	if err := json.Unmarshal(body, &m); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	a := answered{id: string(m.ID), result: string(m.Result)}
	if m.Error != nil {
		a.code = m.Error.Code
		if len(m.Error.Data) == 0 {
			t.Errorf("an error without data: %s", body)
		}
		for _, d := range m.Error.Data {
			kind, _ := d["@type"].(string)
			a.types = append(a.types, kind)
		}
	}
	return a
}

// TestEnvelope holds what is wrong before a method is known.
func TestEnvelope(t *testing.T) {
	for _, c := range []struct {
		name, body string
		code       int
		id         string
	}{
		{"broken JSON", `{"jsonrpc":`, -32700, "null"},
		{"nothing", ``, -32700, "null"},
		{"batch", `[{"jsonrpc":"2.0","id":1,"method":"GetTask"}]`, -32600, "null"},
		{"a string", `"hello"`, -32600, "null"},
		{"old version", `{"jsonrpc":"1.0","id":1,"method":"GetTask"}`, -32600, "1"},
		{"no version", `{"id":1,"method":"GetTask"}`, -32600, "1"},
		{"no method", `{"jsonrpc":"2.0","id":1}`, -32600, "1"},
		{"method is a number", `{"jsonrpc":"2.0","id":1,"method":5}`, -32600, "1"},
		{"id is an object", `{"jsonrpc":"2.0","id":{},"method":"GetTask"}`, -32600, "null"},
		{"null id", `{"jsonrpc":"2.0","id":null,"method":"GetTask"}`, -32001, "null"},
		{"large number id", `{"jsonrpc":"2.0","id":12345678901234567890,"method":"GetTask"}`, -32001, "12345678901234567890"},
		{"text id", `{"jsonrpc":"2.0","id":"中","method":"GetTask"}`, -32001, `"中"`},
		{"byte order mark", "\uFEFF" + `{"jsonrpc":"2.0","id":1,"method":"GetTask"}`, -32001, "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := post(t, &asker{}, "", c.body)
			got := readAnswer(t, w.Body.Bytes())
			if w.Code != 200 || got.code != c.code || got.id != c.id {
				t.Errorf("status %d, code %d, id %s; want 200, %d, %s", w.Code, got.code, got.id, c.code, c.id)
			}
		})
	}
}

func TestNotification(t *testing.T) {
	a := &asker{}
	w := post(t, a, "1.0", `{"jsonrpc":"2.0","method":"SendMessage","params":{"message":{"parts":[{"text":"How?"}]}}}`)
	if w.Code != http.StatusAccepted || w.Body.Len() != 0 {
		t.Errorf("status %d with %d bytes, want 202 without a body", w.Code, w.Body.Len())
	}
	if a.last.Skill != "" {
		t.Error("a message that gets no answer was asked")
	}
}

func TestVersions(t *testing.T) {
	body := `{"jsonrpc":"2.0","id":1,"method":"%s","params":{}}`
	for _, c := range []struct {
		version, method, dialect string
		code                     int
	}{
		{"", "GetTask", "1.0", -32001},
		{"1.0", "tasks/get", "0.3", -32001}, // the method decides
		{"0.3", "GetTask", "1.0", -32001},
		{"0.3.0", "tasks/get", "0.3", -32001},
		{"1.0.1", "GetTask", "1.0", -32001},
		{" 1.0 ", "GetTask", "1.0", -32001},
		{"2.0", "GetTask", "1.0", -32009},
		{"0.2.5", "tasks/get", "1.0", -32009},
		{"1.0.x", "GetTask", "1.0", -32009},
		{"1.01", "GetTask", "1.0", -32009},
		{"9", "Nonsense", "1.0", -32009},
	} {
		w := post(t, &asker{}, c.version, fmt.Sprintf(body, c.method))
		if got := readAnswer(t, w.Body.Bytes()); got.code != c.code || w.Header().Get("A2A-Version") != c.dialect {
			t.Errorf("%q %s: code %d in %s, want %d in %s", c.version, c.method, got.code, w.Header().Get("A2A-Version"), c.code, c.dialect)
		}
	}
	r := httptest.NewRequest(http.MethodPost, "/a2a?A2A-Version=3.0", strings.NewReader(fmt.Sprintf(body, "GetTask")))
	w := httptest.NewRecorder()
	Handler(Options{Asker: &asker{}}).ServeHTTP(w, r)
	if got := readAnswer(t, w.Body.Bytes()); got.code != -32009 {
		t.Errorf("version in the query: code %d, want -32009", got.code)
	}
}

// TestMessages holds what a message may ask and how it is read.
func TestMessages(t *testing.T) {
	for _, c := range []struct {
		name, message, configuration string
		code                         int
		skill, arguments             string
		parts                        string // of the answer
	}{
		{"text", `{"parts":[{"text":"How?"}]}`, `{}`, 0, "search_context", `{"query":"How?","budget":2000}`, ""},
		{"0.3 text", `{"kind":"message","parts":[{"kind":"text","text":"How?"}]}`, `{}`, 0, "search_context", `{"query":"How?","budget":2000}`, ""},
		{"texts", `{"parts":[{"text":"幻觉"},{"text":" 引用 <a> "}]}`, `{}`, 0, "search_context", `{"query":"幻觉\n 引用 <a>","budget":2000}`, ""},
		{"text beside a file", `{"parts":[{"url":"https://example.com/x"},{"text":"How?"}]}`, `{}`, 0, "search_context", `{"query":"How?","budget":2000}`, ""},
		{"skill", `{"parts":[{"data":{"skill":"get_entry","arguments":{"id":"EX-001"}}}]}`, `{}`, 0, "get_entry", `{"id":"EX-001"}`, ""},
		{"skill beside text", `{"parts":[{"text":"this one:"},{"kind":"data","data":{"skill":"get_entry","arguments":"EX-001"}}]}`, `{}`, 0, "get_entry", `"EX-001"`, ""},
		{"skill without arguments", `{"parts":[{"data":{"skill":"get_metrics"}}]}`, `{}`, 0, "get_metrics", `{}`, ""},
		{"two skills", `{"parts":[{"data":{"skill":"a"}},{"data":{"skill":"b"}}]}`, `{}`, -32602, "", "", ""},
		{"data without skill", `{"parts":[{"data":{"x":1}}]}`, `{}`, -32602, "", "", ""},
		{"no parts", `{"parts":[]}`, `{}`, -32602, "", "", ""},
		{"blank text", `{"parts":[{"text":"  "}]}`, `{}`, -32602, "", "", ""},
		{"files only", `{"parts":[{"raw":"aGk="},{"url":"https://example.com"}]}`, `{}`, -32005, "", "", ""},
		{"0.3 file", `{"parts":[{"kind":"file","file":{"uri":"https://example.com"}}]}`, `{}`, -32005, "", "", ""},
		{"parts of no object", `{"parts":["How?"]}`, `{}`, -32602, "", "", ""},
		{"message of no object", `"How?"`, `{}`, -32602, "", "", ""},
		{"task", `{"taskId":"t-9","parts":[{"text":"How?"}]}`, `{}`, -32001, "", "", ""},
		{"markdown only", `{"parts":[{"text":"How?"}]}`, `{"acceptedOutputModes":["text/markdown"]}`, 0, "search_context", `{"query":"How?","budget":2000}`,
			`[{"text":"So.","mediaType":"text/markdown"}]`},
		{"plain only", `{"parts":[{"text":"How?"}]}`, `{"acceptedOutputModes":["TEXT/PLAIN; charset=utf-8"]}`, 0, "search_context", `{"query":"How?","budget":2000}`,
			`[{"text":"So.","mediaType":"text/plain"}]`},
		{"JSON only", `{"parts":[{"text":"How?"}]}`, `{"acceptedOutputModes":["application/json"]}`, 0, "search_context", `{"query":"How?","budget":2000}`,
			`[{"data":{"n":{"m":{}},"text":"So."},"mediaType":"application/json"}]`},
		{"anything", `{"parts":[{"text":"How?"}]}`, `{"acceptedOutputModes":["*/*"]}`, 0, "search_context", `{"query":"How?","budget":2000}`, ""},
		{"image only", `{"parts":[{"text":"How?"}]}`, `{"acceptedOutputModes":["image/png"]}`, -32005, "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := &asker{answer: Answer{Text: "So.", Data: json.RawMessage(`{"n":{"m":{}}}`)}}
			w := post(t, a, "1.0", `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":`+c.message+`,"configuration":`+c.configuration+`}}`)
			got := readAnswer(t, w.Body.Bytes())
			if got.code != c.code || a.last.Skill != c.skill || string(a.last.Arguments) != c.arguments {
				t.Errorf("code %d, call %s(%s); want %d, %s(%s)", got.code, a.last.Skill, a.last.Arguments, c.code, c.skill, c.arguments)
			}
			if c.code == -32602 && !strings.HasSuffix(got.types[0], "BadRequest") {
				t.Errorf("data is %v, want a BadRequest", got.types)
			}
			if c.parts != "" && !strings.Contains(got.result, `"parts":`+c.parts) {
				t.Errorf("got %s, want parts %s", got.result, c.parts)
			}
			if string(a.answer.Data) != `{"n":{"m":{}}}` {
				t.Error("the skill's data were changed")
			}
		})
	}
}

func TestParamsMissing(t *testing.T) {
	for _, params := range []string{"", `,"params":{}`, `,"params":[1]`, `,"params":{"message":null}`} {
		w := post(t, &asker{}, "", `{"jsonrpc":"2.0","id":1,"method":"SendMessage"`+params+`}`)
		if got := readAnswer(t, w.Body.Bytes()); got.code != -32602 {
			t.Errorf("%q: code %d, want -32602", params, got.code)
		}
	}
}

func TestManyParts(t *testing.T) {
	for n, code := range map[int]int{maxParts: 0, maxParts + 1: -32602} {
		parts := strings.TrimSuffix(strings.Repeat(`{"text":"a"},`, n), ",")
		w := post(t, &asker{}, "", `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"parts":[`+parts+`]}}}`)
		if got := readAnswer(t, w.Body.Bytes()); got.code != code {
			t.Errorf("%d parts: code %d, want %d", n, got.code, code)
		}
	}
}

func TestContextIsEchoed(t *testing.T) {
	w := post(t, &asker{}, "", `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"contextId":"c-7","parts":[{"text":"a"}]}}}`)
	if !strings.Contains(w.Body.String(), `"contextId":"c-7"`) {
		t.Errorf("got %s", w.Body)
	}
}

func TestSkillErrors(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
		want string
	}{
		{evergreen.Errorf(evergreen.Invalid, "no entry has the category %q", "x").Fix("Use fact."), -32602, "Use fact."},
		{evergreen.Errorf(evergreen.NotFound, "no entry is named EX-009").Near("EX-001"), -32602, "EX-001"},
		{evergreen.Errorf(evergreen.Timeout, "slow"), -32603, "too long"},
		{evergreen.Errorf(evergreen.Damaged, "secret path"), -32603, "log"},
		{errors.New("secret"), -32603, "log"},
	} {
		w := post(t, &asker{err: c.err}, "", `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"parts":[{"text":"a"}]}}}`)
		if got := readAnswer(t, w.Body.Bytes()); got.code != c.code || !strings.Contains(w.Body.String(), c.want) || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%v: %s", c.err, w.Body)
		}
	}
}

func TestTransport(t *testing.T) {
	h := Handler(Options{Asker: &asker{}})
	call := `{"jsonrpc":"2.0","id":1,"method":"GetTask"}`
	for _, c := range []struct {
		method, contentType, body string
		status                    int
		allow                     string
	}{
		{"GET", "", "", 405, "POST, OPTIONS"},
		{"HEAD", "", "", 405, "POST, OPTIONS"},
		{"PUT", "application/json", call, 405, "POST, OPTIONS"},
		{"OPTIONS", "", "", 204, "POST, OPTIONS"},
		{"POST", "", call, 200, ""},
		{"POST", "application/json; charset=utf-8", call, 200, ""},
		{"POST", "application/a2a+json", call, 200, ""},
		{"POST", "text/plain", call, 415, ""},
		{"POST", "application/json", strings.Repeat(" ", MaxBody-len(call)) + call, 200, ""},
		{"POST", "application/json", strings.Repeat(" ", MaxBody-len(call)+1) + call, 413, ""},
	} {
		r := httptest.NewRequest(c.method, "/a2a", strings.NewReader(c.body))
		if c.contentType != "" {
			r.Header.Set("Content-Type", c.contentType)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.status || w.Header().Get("Allow") != c.allow || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s %q: status %d, Allow %q, Cache-Control %q; want %d, %q, no-store", c.method, c.contentType,
				w.Code, w.Header().Get("Allow"), w.Header().Get("Cache-Control"), c.status, c.allow)
		}
		if c.method == "HEAD" && w.Body.Len() > 0 {
			t.Error("HEAD has a body")
		}
	}
}

func TestDeclaredCharset(t *testing.T) {
	a := &asker{}
	gbk := []byte("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\",\"params\":{\"message\":{\"parts\":[{\"text\":\"\xd2\xfd\xd3\xc3\"}]}}}")
	r := httptest.NewRequest(http.MethodPost, "/a2a", bytes.NewReader(gbk))
	r.Header.Set("Content-Type", "application/json; charset=gbk")
	Handler(Options{Asker: a}).ServeHTTP(httptest.NewRecorder(), r)
	if want := `{"query":"引用","budget":2000}`; string(a.last.Arguments) != want {
		t.Errorf("asked %s, want %s", a.last.Arguments, want)
	}
}

func TestUUID(t *testing.T) {
	a, b := newUUID(), newUUID()
	if a == b || len(a) != 36 || a[14] != '4' || strings.IndexByte("89ab", a[19]) < 0 {
		t.Errorf("%q, %q are no two random UUIDs", a, b)
	}
}

// TestContract compares answers with the contract's examples.
func TestContract(t *testing.T) {
	dir := os.Getenv("EVERGREEN_SPEC")
	if dir == "" {
		t.Skip("EVERGREEN_SPEC is not set: the contract's examples are not compared")
	}
	document, err := os.ReadFile(filepath.Join(dir, "documents.md"))
	if err != nil {
		t.Fatal(err)
	}
	example := func(name string) string {
		_, rest, ok := strings.Cut(string(document), "file="+name+"\n")
		if !ok {
			t.Fatalf("the contract has no example %s", name)
		}
		body, _, _ := strings.Cut(rest, "\n```")
		return body
	}
	for _, c := range []struct{ request, version, response, data string }{
		{example("a2a-send-1.0.request.json"), "1.0", "a2a-send-1.0.response.json", `{"query":{"topic":"How do I rotate the signing key?","budget":2000,"category":null},"usedTokens":148,"budget":2000,"truncated":false,"entryCount":1,"citations":[{"marker":"[EX-001]","entryId":"EX-001","url":"https://docs.example.com/context.json#EX-001","text":"Rotating keys","confidence":0.97}]}`},
		{example("a2a-send-0.3.request.json"), "", "a2a-send-0.3.response.json", `{"truncated":false,"usedTokens":148,"budget":2000,"entryCount":1}`},
		{example("a2a-send-1.0.request.json"), "2.0", "a2a-error-version.json", ""},
		{`{"jsonrpc":"2.0","id":"q-1","method":"SendMessage","params":{"message":{"parts":[]}}}`, "1.0", "a2a-error-params.json", ""},
	} {
		a := &asker{answer: Answer{Text: "Run `example keys rotate`; the old key stays valid for 24 hours. [EX-001]", Data: json.RawMessage(c.data)}}
		want := example(c.response)
		got := post(t, a, c.version, c.request).Body.Bytes()
		if diff := cmp.Diff(oneValueALine(t, []byte(want)), oneValueALine(t, got)); diff != "" {
			t.Errorf("%s (-contract +ours):\n%s", c.response, diff)
		}
	}
}

// oneValueALine lays JSON out for comparison; ids that are made are all one.
func oneValueALine(t *testing.T, document []byte) []string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, document, "", " "); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	for i, line := range lines {
		if strings.Contains(line, `"messageId"`) || strings.Contains(line, `"contextId"`) {
			lines[i], _, _ = strings.Cut(line, ":")
		}
	}
	return lines
}

// FuzzParse: whatever comes in, one JSON answer or a call goes out.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"parts":[{"text":"a"}]}}}`,
		`{"jsonrpc":"2.0","method":"tasks/get"}`, `[]`, ``, `{"jsonrpc":"2.0","id":"x","method":"message/send","params":{"message":{"parts":[{"data":{"skill":"s","arguments":[1]}}]},"configuration":{"acceptedOutputModes":["application/json"]}}}`} {
		f.Add([]byte(seed), "1.0")
	}
	f.Fuzz(func(t *testing.T, body []byte, version string) {
		r := Parse(body, version, "")
		if r.Dialect != V10 && r.Dialect != V03 {
			t.Fatalf("dialect %q", r.Dialect)
		}
		out := r.Reply()
		if r.Call != nil {
			out = r.Answer(Answer{Text: "t"}, func() string { return "id" })
		}
		if !json.Valid(out) {
			t.Fatalf("no JSON: %s", out)
		}
	})
}
