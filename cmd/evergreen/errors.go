package main

// This file turns every error into the program's words and exit code.

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"evergreen"
	"evergreen/internal/text"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Exit codes.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
)

// exitOf is the one table from kinds of error to exit codes.
func exitOf(err error) int {
	switch evergreen.KindOf(err) {
	case "":
		return exitOK
	case evergreen.Invalid:
		return exitUsage
	}
	return exitFailure
}

// exit tells the user about an error, if there is one, and returns the exit
// code.
func (a *app) exit(cmd *cobra.Command, err error) int {
	if err == nil {
		return exitOK
	}
	if s, ok := errors.AsType[silent](err); ok {
		return s.code
	}
	if errors.Is(err, context.Canceled) {
		err = evergreen.Errorf(evergreen.Internal, "interrupted").Fix("run the same command again to go on")
	}
	fmt.Fprintf(a.stderr, "evergreen: error: %s\n", oneLine(err.Error()))
	hints := evergreen.Hints(err)
	if len(hints) == 0 && exitOf(err) == exitUsage && cmd != nil {
		hints = []string{"run " + cmd.CommandPath() + " --help"}
	}
	for _, hint := range hints {
		fmt.Fprintf(a.stderr, "evergreen: hint: %s\n", oneLine(hint))
	}
	return exitOf(err)
}

// silent ends the program with a code when everything has been said.
type silent struct{ code int }

func (s silent) Error() string { return fmt.Sprintf("exit %d", s.code) }

// usage is a wrong command line.
func usage(format string, args ...any) *evergreen.Error {
	return evergreen.Errorf(evergreen.Invalid, format, args...)
}

// flagError turns pflag's words into ours and names the nearest flag.
func flagError(cmd *cobra.Command, err error) error {
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return invalidValue(invalid).Fix("run %s --help", cmd.CommandPath())
	}
	missing, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok || missing.GetSpecifiedShortnames() != "" {
		return usage("%w", err)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	name := "--" + missing.GetSpecifiedName()
	return usage("unknown flag %s for %s", name, cmd.CommandPath()).
		Near(text.Nearest(name, names, 1)...).Fix("run %s --help", cmd.CommandPath())
}

// invalidValue says what a flag's value must be, in our words.
func invalidValue(e *pflag.InvalidValueError) *evergreen.Error {
	flag := e.GetFlag()
	name := "--" + flag.Name
	if flag.Shorthand != "" {
		name = "-" + flag.Shorthand + ", " + name
	}
	must := map[string]string{"int": "must be a whole number", "int64": "must be a whole number", "float64": "must be a number",
		"bool": "must be true or false"}[flag.Value.Type()]
	switch {
	case errors.Is(e, strconv.ErrRange):
		must = "is out of range:"
	case must == "":
		return usage("%s %w, not %q", name, e.Unwrap(), e.GetValue())
	default:
		must += ", not"
	}
	return usage("%s %s %q", name, must, e.GetValue())
}

// argCount demands between least and most arguments, most < 0 meaning any
// number. what names them for the message.
func argCount(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usage("%s needs %s", cmd.CommandPath(), what).Fix("run %s --help", cmd.CommandPath())
		case most == 0 && len(args) > 0:
			return usage("%s takes no arguments, but got %q", cmd.CommandPath(), args[0]).Fix("run %s --help", cmd.CommandPath())
		case most > 0 && len(args) > most:
			return usage("%s takes %s only; %q is one too many", cmd.CommandPath(), what, args[most]).
				Fix("put words that belong together in quotes")
		}
		return nil
	}
}

// oneLine keeps messages of other systems from breaking the form.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
