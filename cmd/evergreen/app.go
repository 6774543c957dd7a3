package main

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"evergreen"
	"evergreen/internal/config"
	"evergreen/internal/text"
	"evergreen/internal/web"

	"github.com/spf13/cobra"
)

// app is one run of the program: its streams, its global flags and the world
// it acts on.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	world          world

	json, quiet   bool
	configFile    string
	toldVariables bool
}

// world is what the commands take from outside, so that tests can put fakes in
// its place.
type world struct {
	lookupEnv  func(string) (string, bool)
	environ    func() []string
	workDir    func() (string, error)
	userConfig func() (string, error)
	opener     opener
}

// realWorld is the process's own environment and the library on disk.
func realWorld() world {
	return world{lookupEnv: os.LookupEnv, environ: os.Environ, workDir: os.Getwd,
		userConfig: os.UserConfigDir, opener: disk{}}
}

// run executes one command line and returns the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	root := a.rootCommand()
	root.SetArgs(args)
	help := root.HelpFunc()
	var misnamed error
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd == root && root.Flags().NArg() > 0 { // cobra's --help wins over a name that is no command
			misnamed = unknownCommand(root, root.Flags().Arg(0))
			return
		}
		help(cmd, args)
	})
	cmd, err := root.ExecuteContextC(ctx)
	return a.exit(cmd, cmp.Or(err, misnamed))
}

// rootCommand builds the command tree.
func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "evergreen COMMAND",
		Short: "Exact, cited, budgeted answers from documentation, for agents",
		Long: "Evergreen turns documentation into answers that an agent can use: exact passages,\n" +
			"each with a marker to cite, within a budget of tokens.",
		Example: "  evergreen index ./docs\n" +
			"  evergreen context \"how do I get started\"\n" +
			"  evergreen serve",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
	}
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(root, args[0])
		}
		return cmd.Help()
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(helpCommand(root))
	root.SetFlagErrorFunc(flagError)
	flags := root.PersistentFlags()
	flags.StringVar(&a.configFile, "config", "", "configuration `FILE` (default: see docs/config.md)")
	flags.BoolVar(&a.json, "json", false, "write JSON to stdout")
	flags.BoolVarP(&a.quiet, "quiet", "q", false, "no progress and no remarks on stderr")
	setting(flags, "library", "library", "`DIR` that holds all collections")
	setting(flags, "log-level", "log_level", "least severe log lines: debug, info, warn, error")
	setting(flags, "log-format", "log_format", "form of the log lines: text, json")
	for _, build := range commands() {
		root.AddCommand(build(a))
	}
	return root
}

// helpCommand is "evergreen help COMMAND".
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Help about a command", Example: "  evergreen help index",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 || (cmd == root && len(args) > 0) {
				return unknownCommand(root, args[0])
			}
			return cmd.Help()
		},
	}
}

// unknownCommand names the nearest command.
func unknownCommand(root *cobra.Command, name string) error {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return evergreen.Errorf(evergreen.Invalid, "unknown command %q", name).
		Near(text.Nearest(name, names, 1)...).Fix("run evergreen --help for the list of commands")
}

// settings reads the configuration for a command. Errors are of kind Invalid.
func (a *app) settings(cmd *cobra.Command) (config.Settings, error) {
	dir, err := a.world.workDir()
	if err != nil {
		return config.Settings{}, evergreen.Errorf(evergreen.Internal, "find the working folder: %w", err)
	}
	userConfig, err := a.world.userConfig()
	if err != nil {
		userConfig = "" // a user without a home has no file there
	}
	getenv := func(name string) string { v, _ := a.world.lookupEnv(name); return v }
	s, err := config.Load(config.Input{
		Flags: givenSettings(cmd.Flags()), File: a.configFile, LookupEnv: a.world.lookupEnv,
		WorkDir: dir, UserConfig: userConfig, UserData: config.DataFolder(runtime.GOOS, getenv),
	})
	a.sayUnknownVariables(cmd)
	if err == nil && s.Library == "" {
		err = evergreen.Errorf(evergreen.Invalid, "no place for the library is known").
			Fix("name one with --library DIR or EVERGREEN_LIBRARY")
	}
	return s, err
}

// sayUnknownVariables tells, once a run, of variables that look like settings
// and are none. The doctor has its own words for them.
func (a *app) sayUnknownVariables(cmd *cobra.Command) {
	if a.toldVariables || cmd.Name() == "doctor" || cmd.Name() == cobra.ShellCompRequestCmd {
		return
	}
	a.toldVariables = true
	unknown := config.UnknownVariables(a.world.environ())
	for _, name := range slices.Sorted(maps.Keys(unknown)) {
		a.say("evergreen: note: " + name + " is no setting; did you mean " + unknown[name] + "?")
	}
}

// open opens the library for a command of its owner, who sees drafts too. The
// caller closes the engine.
func (a *app) open(cmd *cobra.Command) (library, config.Settings, error) {
	return a.openAs(cmd, true)
}

// openPublic opens the library for a command that shows it to others. The caller
// closes the engine.
func (a *app) openPublic(cmd *cobra.Command) (library, config.Settings, error) {
	return a.openAs(cmd, false)
}

func (a *app) openAs(cmd *cobra.Command, drafts bool) (library, config.Settings, error) {
	s, err := a.settings(cmd)
	if err != nil {
		return nil, s, err
	}
	e, err := a.world.opener.open(cmd.Context(), s, drafts)
	return e, s, err
}

// logger writes to stderr as the settings say.
func (a *app) logger(s config.Settings) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(s.LogLevel)); err != nil {
		level = slog.LevelInfo // the settings let known names pass only
	}
	options := &slog.HandlerOptions{Level: level}
	if s.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(a.stderr, options))
	}
	return slog.New(slog.NewTextHandler(a.stderr, options))
}

// writeJSON writes v to stdout as the contract's JSON.
func (a *app) writeJSON(v any) error {
	body, err := web.Encode(v, "  ")
	if err != nil {
		return err
	}
	_, err = a.stdout.Write(body)
	return err
}

// print writes data to stdout.
func (a *app) print(parts ...string) error {
	_, err := io.WriteString(a.stdout, strings.Join(parts, ""))
	return err
}

// say writes a remark for people to stderr, unless --quiet.
func (a *app) say(line string) {
	if !a.quiet {
		_, _ = io.WriteString(a.stderr, line+"\n") // nobody to tell when stderr is gone
	}
}
