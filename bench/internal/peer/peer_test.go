package peer

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
)

func TestAnswersAreCounted(t *testing.T) {
	for lines, ok := range map[string]bool{"1\n2\n": true, "1\n": false, "1\n2\n3": false, "1\nwarning: 2": false} {
		if got, err := answers[int](strings.NewReader(lines), 2); (err == nil) != ok {
			t.Errorf("%q gives %v, %v", lines, got, err)
		}
	}
}

func start(t *testing.T, name string, args ...string) *Process {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("there is no %s", name)
	}
	p, err := Start(exec.Command(path, args...))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAProcessAnswersEachLine(t *testing.T) {
	p := start(t, "cat")
	for _, want := range []string{"one", "汉字\n", ""} {
		var got string
		if took, err := p.Ask(want, &got); err != nil || got != want || took <= 0 {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	if _, err := p.Stop(); err != nil {
		t.Error(err)
	}
}

// Whoever asks a process that ended learns why it did.
func TestAProcessThatEndsSaysWhy(t *testing.T) {
	p := start(t, "sh", "-c", "echo no such index >&2; read line; exit 3")
	var got string
	if _, err := p.Ask("x", &got); err == nil || !strings.Contains(err.Error(), "no such index") {
		t.Errorf("%q, %v", got, err)
	}
}

// A server may say other things before it answers.
func TestAServerIsCalled(t *testing.T) {
	path, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	s, err := Serve(exec.Command(path, "-c", `read a; echo '{"jsonrpc":"2.0","id":1,"result":{}}'; read b
		read c; echo; echo added 6 packages; echo '{"jsonrpc":"2.0","method":"notifications/message"}'; echo '{"jsonrpc":"2.0","id":2,"result":{"content":[{"text":"one "},{"text":"two"}]}}'
		read d; echo '{"jsonrpc":"2.0","id":3,"result":{"isError":true,"content":[{"text":"no such page"}]}}'
		read e; echo '{"jsonrpc":"2.0","id":4,"error":{"message":"no such tool"}}'; read f`))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := s.Call("read", nil); text != "one two" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	for _, want := range []string{"no such page", "no such tool"} {
		if _, err := s.Call("read", nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// What was installed once is not installed again in the same work folder.
func TestInstalledPackagesAreRemembered(t *testing.T) {
	f := Folder{path: t.TempDir()}
	if f.has([]string{"a==1"}) {
		t.Error("nothing is installed yet")
	}
	for _, packages := range [][]string{{"a==1", "b==2"}, {"c==3"}} {
		if why := f.note(packages); why != "" {
			t.Fatal(why)
		}
	}
	for packages, want := range map[string]bool{"a==1": true, "a==1 c==3": true, "a==2": false, "a==1 d==1": false} {
		if got := f.has(strings.Fields(packages)); got != want {
			t.Errorf("%s: %v", packages, got)
		}
	}
}

func TestReasonNamesNoAddress(t *testing.T) {
	for said, want := range map[string]string{
		"exit status 1: npm error code E404\nnpm error 404 GET https://a.example/x\nnpm error A complete log: /root/log": ": the registry has no such package (E404)",
		"exit status 1: ERROR: No matching distribution found for x==1.\nsee https://a.example/":                         " (exit status 1: ERROR: No matching distribution found for x==1)",
	} {
		if got := reason(errors.New(said)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
