// Command evergreen answers agents from documentation: it indexes folders and
// knowledge bases into a library, and serves exact, cited, budgeted answers
// from it on the command line, over MCP and over HTTP.
//
// Each command is one file, cmd_NAME.go, with one constructor that commands.go
// lists. What a command does is in the packages below; here are flags, words
// for people, JSON for programs, and the wiring.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// version is set with -ldflags "-X main.version=1.2.3".
var version = "dev"

func main() {
	ignoreSignals()
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the program: it returns the exit code, 0 for success, 1 for a failure,
// 2 for a wrong command line or configuration.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, world: realWorld()}
	return a.run(ctx, args)
}
