package repair

import "testing"

// TestParams checks what is sent on in place of a call's params.
func TestParams(t *testing.T) {
	cat := catalogue(t, testTools(t))
	for _, c := range []struct{ why, raw, want string }{
		{"an exact call's bytes", `{"arguments":{ "id":"x" },"name":"get_entry","foo":1}`, `{"arguments":{ "id":"x" },"name":"get_entry","foo":1}`},
		{"the protocol's members stay", `{"_meta":{"progressToken":1.0},"name":"getEntry","arguments":{"id":"x"},"task":{"ttl":5}}`,
			`{"name":"get_entry","arguments":{"id":"x"},"_meta":{"progressToken":1.0},"task":{"ttl":5}}`},
		{"everything else goes", `{"tool":"get_entry","args":"{\"id\":\"x\"}","type":"function","jsonrpc":"2.0"}`, `{"name":"get_entry","arguments":{"id":"x"}}`},
		{"params as text", `"{\"name\":\"get_entry\",\"args\":{\"id\":\"x\"},\"_meta\":{}}"`, `{"name":"get_entry","arguments":{"id":"x"},"_meta":{}}`},
	} {
		got := string(Call([]byte(c.raw), cat).Params([]byte(c.raw)))
		if got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.why, got, c.want)
		}
		if again := Call([]byte(got), cat); again.Outcome != Exact {
			t.Errorf("%s: the params sent on are %s", c.why, again.Outcome)
		}
	}
}
