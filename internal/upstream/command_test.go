package upstream

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"evergreen"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// startProgram is an upstream that is this test binary on stdio.
func startProgram(t *testing.T, change func(*Options)) *Upstream {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Name: "prog", Command: []string{self}, Env: map[string]string{"UPSTREAM_TEST_PROGRAM": "1", "KEY": "${SECRET}"},
		LookupEnv: func(name string) (string, bool) {
			if name == "SECRET" {
				return "s3", true
			}
			return os.LookupEnv(name)
		}}
	if change != nil {
		change(&o)
	}
	u, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = u.Close() })
	return u
}

func TestProgram(t *testing.T) {
	t.Setenv("EVERGREEN_TOKEN", "ours")
	for _, legacy := range []bool{false, true} {
		u := startProgram(t, func(o *Options) { o.Legacy = legacy })
		tools, info, err := u.List(t.Context(), Credential{})
		if err != nil || len(tools) != 8 || (info.Protocol == lastLegacy) != legacy {
			t.Fatalf("%d tools, %+v, %v", len(tools), info, err)
		}
		mustEcho(t, u)
		r, err := u.Call(t.Context(), Credential{}, Call{Name: "env"})
		if err != nil {
			t.Fatal(err)
		}
		env := r.Content[0].(*mcp.TextContent).Text
		if !strings.Contains(env, "KEY=s3") || strings.Contains(env, "EVERGREEN_TOKEN") || !strings.Contains(env, "PATH=") || !strings.Contains(env, DepthVariable+"=1") {
			t.Errorf("environment: %s", env)
		}
		if r, err = u.Call(t.Context(), Credential{}, Call{Name: "big"}); err != nil ||
			string(r.StructuredContent.(json.RawMessage)) != `{"z":12345678901234567890,"a":1.50}` {
			t.Errorf("%v, %v", r, err)
		}
	}
}

// nest starts this program once more, which does the same, and tells what came of
// that at the end.
func nest(ctx context.Context) string {
	self, err := os.Executable()
	if err != nil {
		return err.Error()
	}
	u, err := New(Options{Name: "self", Command: []string{self}, Env: map[string]string{"UPSTREAM_TEST_PROGRAM": "1", DepthVariable: "0"}})
	if err != nil {
		return err.Error()
	}
	defer u.Close()
	r, err := u.Call(ctx, Credential{}, Call{Name: "nest"})
	if err != nil {
		return strings.Join(append(evergreen.Hints(err), string(evergreen.KindOf(err)), err.Error()), "\n")
	}
	return r.Content[0].(*mcp.TextContent).Text
}

// TestProgramsThatStartThemselves: one that names itself as its upstream is
// started a few times and no more, and the last says why.
func TestProgramsThatStartThemselves(t *testing.T) {
	u := startProgram(t, nil)
	r, err := u.Call(t.Context(), Credential{}, Call{Name: "nest"})
	if err != nil {
		t.Fatal(err)
	}
	said := r.Content[0].(*mcp.TextContent).Text
	for _, want := range []string{"upstream self is not started", "3 deep", "--config", string(evergreen.Conflict)} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in %s", want, said)
		}
	}
	for text, want := range map[string]bool{"": true, "what": true, "-1": true, "2": true, "3": false, "99": false} {
		u := startProgram(t, func(o *Options) {
			o.LookupEnv = func(name string) (string, bool) {
				if name == DepthVariable {
					return text, text != ""
				}
				return os.LookupEnv(name)
			}
			delete(o.Env, "KEY")
		})
		if _, _, err := u.List(t.Context(), Credential{}); (err == nil) != want {
			t.Errorf("at depth %q: %v", text, err)
		}
	}
}

// A program that dies in mid-call fails that call only; it is not run twice.
func TestProgramThatDies(t *testing.T) {
	u := startProgram(t, nil)
	mustEcho(t, u)
	if _, err := u.Call(t.Context(), Credential{}, Call{Name: "die"}); err == nil || !strings.Contains(err.Error(), "whether the call ran is unknown") {
		t.Errorf("dying call: %v", err)
	}
	mustEcho(t, u)
}

func TestSlowProgram(t *testing.T) {
	u := startProgram(t, nil)
	_, err := u.Call(t.Context(), Credential{}, Call{Name: "slow", Timeout: 100 * time.Millisecond})
	if evergreen.KindOf(err) != evergreen.Timeout {
		t.Errorf("%v", err)
	}
	mustEcho(t, u)
}

func TestProgramThatIsNotThere(t *testing.T) {
	u := startProgram(t, func(o *Options) { o.Command = []string{"no-such-program-here"} })
	_, err := echo(t, u, Credential{})
	if err == nil || !strings.Contains(err.Error(), "cannot be started") || len(evergreen.Hints(err)) == 0 {
		t.Errorf("%v", err)
	}
}

func TestProgramThatSpeaksNoProtocol(t *testing.T) {
	u := startProgram(t, func(o *Options) { o.Env = nil; o.Command = append(o.Command, "-test.run=^$") })
	if _, err := echo(t, u, Credential{}); err == nil {
		t.Error("a call of no server succeeded")
	}
}
