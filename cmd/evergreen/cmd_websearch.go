package main

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"

	"evergreen"
	"evergreen/internal/web"
	"evergreen/internal/websearch"

	"github.com/spf13/cobra"
)

func websearchCommand(a *app) *cobra.Command {
	var client string
	cmd := &cobra.Command{
		Use:   "websearch",
		Short: "Serve one web search tool that understands every call",
		Long: "Serve the tool web_search on this machine: it finds the query in a call of any\n" +
			"shape, searches once at the configured upstream with the caller's own\n" +
			"credential, and teaches the canonical call after the result. It has a\n" +
			"configuration of its own: WSPF_CONFIG, ./web-search-prime-fixer.json, or\n" +
			"web-search-prime-fixer/config.json in the user's configuration folder.",
		Example: "  evergreen websearch\n" +
			"  evergreen websearch --print-config claude\n" +
			"  WSPF_LISTEN=127.0.0.1:9000 evergreen websearch",
		Args: argCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := a.websearchConfig()
			if err != nil {
				return a.fail(err)
			}
			if cmd.Flags().Changed("print-config") {
				return a.printClient(c, client)
			}
			return a.websearch(cmd, c)
		},
	}
	cmd.Flags().StringVar(&client, "print-config", "", "print the configuration of a `CLIENT` and end: "+strings.Join(websearch.Clients(), ", "))
	return cmd
}

// websearchConfig reads the settings and tells of what is odd about them.
func (a *app) websearchConfig() (websearch.Config, error) {
	dir, err := a.world.workDir()
	if err != nil {
		return websearch.Config{}, evergreen.Errorf(evergreen.Internal, "find the working folder: %w", err)
	}
	var folders []string
	if user, err := a.world.userConfig(); err == nil {
		folders = append(folders, user)
	}
	// The original program looks here on every system.
	for _, name := range []string{"XDG_CONFIG_HOME", "HOME"} {
		value, ok := a.world.lookupEnv(name)
		if !ok || value == "" {
			continue
		}
		if name == "HOME" {
			value = filepath.Join(value, ".config")
		}
		folders = append(folders, value)
	}
	c, file, warnings, err := websearch.Load(websearch.Input{LookupEnv: a.world.lookupEnv, WorkDir: dir, UserConfig: folders})
	for _, w := range warnings {
		a.say("evergreen: warning: " + file + ": " + w)
	}
	return c, err
}

// printClient writes a client's configuration to stdout, and what to do with it
// to stderr.
func (a *app) printClient(c websearch.Config, client string) error {
	block, note, err := c.ClientConfig(client)
	if err != nil {
		return err
	}
	a.say(note)
	return a.print(block)
}

// websearch serves until the process is told to stop.
func (a *app) websearch(cmd *cobra.Command, c websearch.Config) error {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		return a.fail(err)
	}
	log := slog.New(slog.NewJSONHandler(a.stderr, &slog.HandlerOptions{Level: level}))
	server, err := websearch.New(c, version, log)
	if err != nil {
		return a.fail(err)
	}
	defer server.Close()
	listener, err := web.Listen(cmd.Context(), c.Listen)
	if err != nil {
		e := evergreen.Errorf(evergreen.Conflict, "%w", err)
		return e.Fix("set listen in the configuration file, or WSPF_LISTEN")
	}
	a.say(fmt.Sprintf("evergreen websearch %s serves %s at http://%s%s", version, strings.Join(c.Tools, ", "), listener.Addr(), c.Path))
	return web.Serve(cmd.Context(), server.Handler(), listener)
}

// fail ends the program with exit code 1, which callers of the original program
// know for a wrong configuration.
func (a *app) fail(err error) error {
	fmt.Fprintf(a.stderr, "evergreen: error: %s\n", oneLine(err.Error()))
	for _, hint := range evergreen.Hints(err) {
		fmt.Fprintf(a.stderr, "evergreen: hint: %s\n", oneLine(hint))
	}
	return silent{exitFailure}
}
