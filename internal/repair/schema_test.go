package repair

import "testing"

// TestCompile checks what is understood of unusual schemas, by calls.
func TestCompile(t *testing.T) {
	cat := catalogue(t, hostileTools())
	for _, c := range []struct{ why, params, want string }{
		{"a recursive reference is followed", `{"name":"tree_walk","arguments":{"node":{"Name":"x","children":"[{\"name\":5}]"}}}`, `{"node":{"children":[{"name":"5"}],"name":"x"}}`},
		{"a schema that refers to itself is not validated", `{"name":"loop_call","arguments":{"a":1}}`, `{"a":1}`},
		{"such a tool's container is still repaired", `{"name":"loop_call","arguments":"{\"a\":1}"}`, `{"a":1}`},
		{"a pattern that Go cannot compile is left to the server", `{"name":"look_ahead","arguments":{"code":"x","count":"3"}}`, `{"code":"x","count":3}`},
		{"alternatives of the whole", `{"name":"pick_one","arguments":{"kind":"B","names":"a,b"}}`, `{"kind":"b","names":["a","b"]}`},
		{"values of undeclared keys", `{"name":"map_env","arguments":{"env":{"PORT":8080}}}`, `{"env":{"PORT":"8080"}}`},
		{"keys by pattern", `{"name":"map_env","arguments":{"x-a":1}}`, `{"x-a":"1"}`},
		{"several types", `{"name":"many_types","arguments":{"v":"1","w":{"a":1}}}`, `{"v":1,"w":{"a":1}}`},
		{"null where it is allowed", `{"name":"many_types","arguments":{"v":"none","w":{"a":1}}}`, `{"v":null,"w":{"a":1}}`},
		{"an enum of several types", `{"name":"if_then","arguments":{"mode":"FAST"}}`, `{"mode":"fast"}`},
		{"a condition holds", `{"name":"if_then","arguments":{"mode":"slow"}}`, ``},
		{"no schema takes any object", `{"name":"no_schema","arguments":{"a":1}}`, `{"a":1}`},
		{"no schema takes no array", `{"name":"no_schema","arguments":[1,2]}`, ``},
		{"a broken schema takes any object", `{"name":"broken_schema","arguments":{"a":1}}`, `{"a":1}`},
		{"true takes any object", `{"name":"any_thing","arguments":"{\"a\":1}"}`, `{"a":1}`},
		{"an old draft is read", `{"name":"old_schema","arguments":{"id":7}}`, `{"id":"7"}`},
		{"a number beyond all bounds is invalid", `{"name":"look_ahead","arguments":{"count":-1e999}}`, ``},
		{"uniqueness is the gate's", `{"name":"pick_one","arguments":{"kind":"b","names":"a,a"}}`, ``},
	} {
		got := Call([]byte(c.params), cat)
		if (got.Outcome == Refused) != (c.want == "") || string(got.Arguments) != c.want {
			t.Errorf("%s: %s\ngot  %s %s %s\nwant %s", c.why, c.params, got.Outcome, got.Arguments, got.Refusal, c.want)
		}
	}
}
