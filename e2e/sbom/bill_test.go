// Package sbom holds the bills of materials of a release against the JSON schema
// of CycloneDX 1.6. EVERGREEN_SCHEMAS is the folder of the schemas, as the npm
// package @cyclonedx/cyclonedx-library has them, EVERGREEN_BILLS a pattern of the
// bills. Without them it is skipped.
package sbom

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schema compiles the schema with those that it refers to.
func schema(t *testing.T, dir string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	for _, name := range []string{"bom-1.6", "spdx", "jsf-0.82"} {
		name += ".SNAPSHOT.schema.json"
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(read(t, filepath.Join(dir, name))))
		if err == nil {
			err = c.AddResource("http://cyclonedx.org/schema/"+name, document)
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	s, err := c.Compile("http://cyclonedx.org/schema/bom-1.6.SNAPSHOT.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func validate(s *jsonschema.Schema, bill string) error {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(bill))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

func TestBills(t *testing.T) {
	dir, pattern := os.Getenv("EVERGREEN_SCHEMAS"), os.Getenv("EVERGREEN_BILLS")
	if dir == "" || pattern == "" {
		t.Skip("EVERGREEN_SCHEMAS and EVERGREEN_BILLS name no schemas and no bills")
	}
	s := schema(t, dir)
	bills, err := filepath.Glob(pattern)
	if err != nil || len(bills) == 0 {
		t.Fatalf("no bill is named %s, %v", pattern, err)
	}
	for _, file := range bills {
		bill := string(read(t, file))
		if err := validate(s, bill); err != nil {
			t.Errorf("%s: %v", filepath.Base(file), err)
		}
		if !strings.Contains(bill, `"pkg:golang/std@`) {
			t.Errorf("%s names no standard library", filepath.Base(file))
		}
	}
	good := string(read(t, bills[0]))
	for _, spoil := range [][2]string{ // a judge that finds nothing wrong with these proves nothing
		{`"bomFormat": "CycloneDX"`, `"bomFormat": "Cyclone"`},
		{`"specVersion": "1.6",`, ``},
		{`"type": "library"`, `"type": "libary"`},
		{`"alg": "SHA-256"`, `"alg": "SHA256"`},
		{`"content": "`, `"content": "x`},
		{`"version": 1,`, `"version": 1, "made": "today",`},
		{`"purl": "`, `"licenses": "`},
	} {
		if bad := strings.Replace(good, spoil[0], spoil[1], 1); bad == good {
			t.Errorf("the bill holds no %s", spoil[0])
		} else if validate(s, bad) == nil {
			t.Errorf("a bill with %s in place of %s is taken", spoil[1], spoil[0])
		}
	}
	t.Logf("sbom: %d bills fit the schema of CycloneDX 1.6", len(bills))
}
