// Package a2a holds the running product against judges written in Go: both
// versions of a2a-go read its agent card and ask it questions, a JSON Schema
// validator reads its documents, and a robots.txt parser asks who may come in.
// It is a module of its own, because a2a-go brings gRPC along.
// scripts/a2a.sh runs it.
package a2a

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// patience is how long a server may take to start, or a client to be answered.
const patience = time.Minute

// serve starts the product in an empty folder with an empty library, so that it
// serves its own documentation unless args name a source, and returns its URL.
func serve(t *testing.T, args ...string) string {
	t.Helper()
	binary := os.Getenv("EVERGREEN_BINARY")
	if binary == "" {
		t.Skip("skipped: EVERGREEN_BINARY is not set; run e2e/scripts/a2a.sh")
	}
	home := t.TempDir()
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, binary, append([]string{"serve", "--port", "0", "--library", filepath.Join(home, "library")}, args...)...)
	cmd.Dir, cmd.Env = home, environment(home)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = patience
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.AfterFunc(patience, stop)
	t.Cleanup(func() { deadline.Stop(); stop(); _ = cmd.Wait() }) // ends by our signal
	site := regexp.MustCompile(`site +(http://\S+?)/?$`)
	var said []string
	for lines := bufio.NewScanner(errs); lines.Scan(); said = append(said, lines.Text()) {
		if m := site.FindStringSubmatch(lines.Text()); m != nil {
			deadline.Stop()
			go func() { _, _ = io.Copy(io.Discard, errs) }() // what it says later must not fill the pipe
			return m[1]
		}
	}
	t.Fatalf("evergreen serve did not say where it serves:\n%s", strings.Join(said, "\n"))
	return ""
}

// environment is this one's without what configures the product.
func environment(home string) []string {
	env := []string{"HOME=" + home, "XDG_CONFIG_HOME=" + home}
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); name != "HOME" && name != "XDG_CONFIG_HOME" && !strings.HasPrefix(name, "EVERGREEN_") {
			env = append(env, v)
		}
	}
	return env
}

// get fetches a document.
func get(t *testing.T, url string) []byte {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s\n%s", url, resp.Status, body)
	}
	return body
}

// variants are the servers whose documents the judges read: what differs
// between them is what a document can get wrong.
func variants(t *testing.T) map[string][]string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "手册")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	text := "# 回答手册\n\n## 引用与幻觉\n\n模型会编造事实，这叫幻觉。回答时每个事实都要引用条目的编号。\n"
	if err := os.WriteFile(filepath.Join(folder, "引用.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return map[string][]string{
		"own docs":     nil,
		"Chinese":      {folder},
		"public":       {"--base-url", "https://docs.example.com"},
		"read token":   {"--read-token", "a-token-for-readers"},
		"without rate": {"--rate-limit", "0"},
	}
}
