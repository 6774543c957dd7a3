// Package peer runs what stands beside the product: it installs packages of
// fixed versions from npm, PyPI and Debian into a scratch folder, and talks
// JSON lines with processes. It knows nothing about what they do.
package peer

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"evergreen/bench/internal/program"
)

// Folder holds installed packages and runs scripts that use them.
type Folder struct {
	path   string
	run    string // the interpreter
	suffix string // of scripts
}

// Node installs npm packages, such as "turndown@7.2.5", into a folder below
// work, without running their install scripts. why says what is missing, ""
// when nothing is.
func Node(ctx context.Context, work string, packages ...string) (f Folder, why string) {
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			return f, "there is no " + tool
		}
	}
	f = Folder{filepath.Join(work, "npm"), "node", ".mjs"}
	if err := os.MkdirAll(f.path, 0o755); err != nil {
		return f, err.Error()
	}
	manifest := filepath.Join(f.path, "package.json")
	if _, err := os.Stat(manifest); err != nil {
		if err := os.WriteFile(manifest, []byte(`{"private":true,"type":"module"}`), 0o644); err != nil {
			return f, err.Error()
		}
	}
	if f.has(packages) {
		return f, ""
	}
	install := exec.CommandContext(ctx, "npm", append([]string{"install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"}, packages...)...)
	install.Dir = f.path
	if _, err := program.Measure(install); err != nil {
		return f, "npm could not install " + strings.Join(packages, ", ") + reason(err)
	}
	return f, f.note(packages)
}

// Python installs PyPI packages, such as "trafilatura==2.3.1", into a virtual
// environment below work.
func Python(ctx context.Context, work string, packages ...string) (f Folder, why string) {
	python, err := exec.LookPath("python3")
	if err != nil {
		return f, "there is no python3"
	}
	f = Folder{filepath.Join(work, "python"), filepath.Join(work, "python", "bin", "python"), ".py"}
	if _, err := os.Stat(f.run); err != nil {
		if _, err := program.Measure(exec.CommandContext(ctx, python, "-m", "venv", f.path)); err != nil {
			return f, "no Python environment could be made" + reason(err)
		}
	}
	if f.has(packages) {
		return f, ""
	}
	install := append([]string{"-m", "pip", "install", "--quiet", "--disable-pip-version-check"}, packages...)
	if _, err := program.Measure(exec.CommandContext(ctx, f.run, install...)); err != nil {
		return f, "pip could not install " + strings.Join(packages, ", ") + reason(err)
	}
	return f, f.note(packages)
}

// installed lists, below a folder, what another program with the same work
// folder has installed there.
const installed = "installed.txt"

func (f Folder) list() []string {
	text, err := os.ReadFile(filepath.Join(f.path, installed))
	if err != nil {
		return nil
	}
	return strings.Fields(string(text))
}

// has reports whether all packages are there already.
func (f Folder) has(packages []string) bool {
	there := f.list()
	return !slices.ContainsFunc(packages, func(p string) bool { return !slices.Contains(there, p) })
}

// note remembers what was installed. why is "" when that worked.
func (f Folder) note(packages []string) (why string) {
	all := strings.Join(append(f.list(), packages...), "\n") + "\n"
	if err := os.WriteFile(filepath.Join(f.path, installed), []byte(all), 0o644); err != nil {
		return err.Error()
	}
	return ""
}

// refused is how npm says that a registry does not have something.
const refused = "npm error code E404"

// reason is why an installation failed, in one line without addresses and
// paths, which differ from machine to machine.
func reason(err error) string {
	last := ""
	for line := range strings.Lines(strings.TrimSpace(err.Error())) {
		line = strings.TrimSpace(line)
		if strings.Contains(line, refused) {
			return ": the registry has no such package (E404)"
		}
		if line != "" && !strings.Contains(line, "/") {
			last = line
		}
	}
	return " (" + strings.TrimRight(last, ". ") + ")"
}

// Module is the version of a Go module that this program is built with.
func Module(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == path {
				return d.Version
			}
		}
	}
	return "unknown"
}

// Debian downloads a package with apt-get and unpacks it below work, where it
// stays for the next run. root is its file tree.
func Debian(ctx context.Context, work, name string) (root, version, why string) {
	folder := filepath.Join(work, "debian", name)
	root = filepath.Join(folder, "root")
	archive := func() string {
		found, err := filepath.Glob(filepath.Join(folder, "*.deb"))
		if err != nil || len(found) == 0 {
			return ""
		}
		return found[0]
	}
	if archive() == "" {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return "", "", err.Error()
		}
		get := exec.CommandContext(ctx, "apt-get", "download", name)
		get.Dir = folder
		if _, err := program.Measure(get); err != nil {
			return "", "", "apt-get could not download it"
		}
	}
	if archive() == "" {
		return "", "", "apt-get left no archive"
	}
	if _, rest, ok := strings.Cut(filepath.Base(archive()), "_"); ok {
		version, _, _ = strings.Cut(rest, "_")
		version = strings.ReplaceAll(version, "%3a", ":")
	}
	if _, err := program.Measure(exec.CommandContext(ctx, "dpkg", "-x", archive(), root)); err != nil {
		return "", "", "dpkg could not unpack it"
	}
	return root, version, ""
}

// Script writes a script beside the packages and prepares to run it. Several
// may do so at once.
func (f Folder) Script(ctx context.Context, name string, script []byte, args ...string) (*exec.Cmd, error) {
	file := filepath.Join(f.path, name+f.suffix)
	if there, err := os.ReadFile(file); err != nil || !bytes.Equal(there, script) {
		part, err := os.CreateTemp(f.path, name)
		if err != nil {
			return nil, err
		}
		_, err = part.Write(script)
		if err := errors.Join(err, part.Close(), os.Rename(part.Name(), file)); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, f.run, append([]string{file}, args...)...)
	cmd.Dir = f.path
	return cmd, nil
}

// Command prepares to run a program that a Python package brings.
func (f Folder) Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, filepath.Join(f.path, "bin", name), args...)
}

// File prepares to run a script that a package brings, by its path among the
// packages.
func (f Folder) File(ctx context.Context, path string, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, f.run, append([]string{filepath.Join(f.path, filepath.FromSlash(path))}, args...)...)
}
