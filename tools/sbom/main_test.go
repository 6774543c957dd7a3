package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

func TestBill(t *testing.T) {
	got := make16(&debug.BuildInfo{
		GoVersion: "go1.26.8 X:foo", Main: debug.Module{Path: "evergreen", Version: "(devel)"},
		Deps: []*debug.Module{
			{Path: "golang.org/x/net", Version: "v0.62.0", Sum: "h1:abc="},
			{Path: "example.com/a", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/b", Version: "v1.0.1+incompatible"}},
		},
		Settings: []debug.BuildSetting{{Key: "-ldflags", Value: "-s -w -X main.version=1.2.3"}, {Key: "GOOS", Value: "linux"}},
	}, "evergreen-1.2.3", [32]byte{1})
	b, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"bomFormat":"CycloneDX","specVersion":"1.6","version":1`,
		`"type":"application","bom-ref":"evergreen-1.2.3","name":"evergreen","version":"1.2.3","hashes":[{"alg":"SHA-256","content":"0100`,
		`"name":"example.com/b","version":"v1.0.1+incompatible","purl":"pkg:golang/example.com/b@v1.0.1+incompatible"`,
		`"purl":"pkg:golang/golang.org/x/net@v0.62.0","properties":[{"name":"go:sum","value":"h1:abc="}]`,
		`"name":"std","version":"1.26.8"`,
		`"ref":"evergreen-1.2.3","dependsOn":["pkg:golang/example.com/b@v1.0.1+incompatible","pkg:golang/golang.org/x/net@v0.62.0","pkg:golang/std@1.26.8"]`,
	} {
		if !strings.Contains(string(b), want) {
			t.Errorf("no %s in %s", want, b)
		}
	}
}

// TestSameProgramSameBytes describes this test's own program twice.
func TestSameProgramSameBytes(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "program")
	if err := exec.Command("cp", self, copied).Run(); err != nil {
		t.Skip("no cp: ", err)
	}
	var texts []string
	for range 2 {
		if err := describe(copied); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(copied + ".cdx.json")
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(b))
	}
	if texts[0] != texts[1] || !strings.Contains(texts[0], `"name": "std"`) {
		t.Error("two bills of one program differ, or say nothing")
	}
	if err := describe(os.DevNull); err == nil {
		t.Error("what is no program has a bill")
	}
}
