// Package npm runs peers that are JavaScript: it installs packages of fixed
// versions into a scratch folder and talks JSON lines with a script beside
// them. It knows nothing about what the scripts do.
package npm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"evergreen/bench/internal/program"
)

// Folder holds installed packages.
type Folder string

// Install installs packages, such as "turndown@7.2.5", into a folder below
// work, without running their install scripts. why says what is missing, ""
// when nothing is.
func Install(ctx context.Context, work string, packages ...string) (f Folder, why string) {
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", "there is no " + tool
		}
	}
	f = Folder(filepath.Join(work, "npm"))
	if err := os.MkdirAll(string(f), 0o755); err != nil {
		return "", err.Error()
	}
	manifest := []byte(`{"private":true,"type":"module"}`)
	if err := os.WriteFile(filepath.Join(string(f), "package.json"), manifest, 0o644); err != nil {
		return "", err.Error()
	}
	install := exec.CommandContext(ctx, "npm", append([]string{"install", "--ignore-scripts", "--no-audit", "--no-fund"}, packages...)...)
	install.Dir = string(f)
	if _, err := program.Measure(install); err != nil {
		return "", "npm could not install " + strings.Join(packages, ", ")
	}
	return f, ""
}

// Run runs a script (an ES module) with arguments, gives it one JSON value a
// line and returns its answers. Their number must be that of the values.
func Run[In, Out any](ctx context.Context, f Folder, script []byte, args []string, in []In) ([]Out, error) {
	file := filepath.Join(string(f), "peer.mjs")
	if err := os.WriteFile(file, script, 0o644); err != nil {
		return nil, err
	}
	var lines bytes.Buffer
	for _, v := range in {
		if err := json.NewEncoder(&lines).Encode(v); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, "node", append([]string{file}, args...)...)
	cmd.Dir, cmd.Stdin = string(f), &lines
	u, err := program.Measure(cmd)
	if err != nil {
		return nil, err
	}
	return answers[Out](bytes.NewReader(u.Out), len(in))
}

func answers[Out any](r io.Reader, n int) (all []Out, err error) {
	for d := json.NewDecoder(r); ; {
		var v Out
		if err := d.Decode(&v); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	if len(all) != n {
		return nil, fmt.Errorf("%d answers to %d values", len(all), n)
	}
	return all, nil
}
