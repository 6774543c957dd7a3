package study

// This file notes the circumstances of a measurement.

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"evergreen/bench/internal/data"
	"evergreen/bench/internal/report"
)

// facts are the circumstances at the start.
func facts(ctx context.Context) [][2]string {
	return [][2]string{
		{"date", time.Now().UTC().Format("2006-01-02 15:04 UTC")},
		{"commit", commit(ctx)},
		{"machine", machine()},
		{"load before", load()},
		{"Go", runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH},
	}
}

// method is how to measure the same again.
func method(name string, runs int, repeated bool) [][2]string {
	command := data.Variable + "=DIR go -C bench run ./" + name
	if !repeated {
		return [][2]string{{"command", "`" + command + "`"}}
	}
	return [][2]string{
		{"command", "`" + command + " -runs " + strconv.Itoa(runs) + "`"},
		{"runs", strconv.Itoa(runs) + "; medians, spread from smallest to largest; floors are judged by the median"},
	}
}

// product are the paths of the code that is measured, from this module's folder.
var product = []string{":(glob)../*.go", "../cmd", "../internal", "../go.mod"}

// commit is the short hash of the last commit that changed the product, and
// whether it has changed since.
func commit(ctx context.Context) string {
	hash, err := exec.CommandContext(ctx, "git", append([]string{"log", "-1", "--format=%h", "--"}, product...)...).Output()
	if err != nil || len(hash) == 0 {
		return "unknown"
	}
	changed, err := exec.CommandContext(ctx, "git", append([]string{"status", "--porcelain", "--untracked-files=no", "--"}, product...)...).Output()
	if err == nil && len(changed) > 0 {
		return strings.TrimSpace(string(hash)) + " with uncommitted changes"
	}
	return strings.TrimSpace(string(hash))
}

// machine is processor, cores and memory, as far as the system tells.
func machine() string {
	parts := []string{field("/proc/cpuinfo", "model name"), strconv.Itoa(runtime.NumCPU()) + " cores"}
	if kib, err := strconv.Atoi(strings.TrimSuffix(field("/proc/meminfo", "MemTotal"), " kB")); err == nil {
		parts = append(parts, report.Number(float64(kib)*1024/1e9)+" GB memory")
	}
	if parts[0] == "" {
		parts[0] = runtime.GOARCH
	}
	return strings.Join(parts, ", ")
}

// load is how many processes wanted to run, over the last 1, 5 and 15 minutes.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if fields := strings.Fields(string(text)); err == nil && len(fields) > 3 {
		return strings.Join(fields[:3], ", ") + " (of " + strconv.Itoa(runtime.NumCPU()) + ")"
	}
	return "unknown"
}

// field is the value of the first line "name: value" of a file.
func field(file, name string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
