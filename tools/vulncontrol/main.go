// Vulncontrol reads what govulncheck says, as JSON, of a program that is known to
// call faulty functions, and fails when it found none: then the check that finds
// nothing in the product proves nothing either.
//
//	govulncheck -format json ./... | go -C tools run ./vulncontrol
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	found, err := read(os.Stdin)
	if err == nil && len(found.called) == 0 {
		err = errors.New("nothing was found where faults are known: the check is blind")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "vulncontrol:", err)
		os.Exit(1)
	}
	fmt.Printf("vulncontrol: with %s the check finds %d, as it should: %s\n", found.goVersion, len(found.called), strings.Join(found.called, " "))
}

// found is what a run of govulncheck came to.
type found struct {
	goVersion string
	called    []string // ids of vulnerabilities whose functions are called, sorted
}

// read takes the messages of govulncheck's JSON apart, of which it needs the
// configuration and the findings that name a function.
func read(r io.Reader) (f found, err error) {
	for d := json.NewDecoder(r); ; {
		var m struct {
			Config *struct {
				GoVersion string `json:"go_version"`
			} `json:"config"`
			Finding *struct {
				OSV   string `json:"osv"`
				Trace []struct {
					Function string `json:"function"`
				} `json:"trace"`
			} `json:"finding"`
		}
		if err := d.Decode(&m); err == io.EOF {
			break
		} else if err != nil {
			return f, fmt.Errorf("what govulncheck said: %w", err)
		}
		if m.Config != nil {
			f.goVersion = m.Config.GoVersion
		}
		if m.Finding != nil && len(m.Finding.Trace) > 0 && m.Finding.Trace[0].Function != "" {
			f.called = append(f.called, m.Finding.OSV)
		}
	}
	if f.goVersion == "" {
		return f, errors.New("govulncheck said nothing")
	}
	slices.Sort(f.called)
	f.called = slices.Compact(f.called)
	return f, nil
}
