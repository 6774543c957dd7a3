package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"evergreen"
	"evergreen/internal/config"

	"github.com/spf13/cobra"
)

// States of a check.
const (
	checkOK     = "ok"
	checkNote   = "note"   // works, but worth knowing
	checkFailed = "failed" // does not work
)

// check is one line of the doctor's report.
type check struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	State  string `json:"state"`
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"`
	// Repair is what a repair of the collection found and did.
	Repair *evergreen.RepairReport `json:"repair,omitempty"`
}

func doctorCommand(a *app) *cobra.Command {
	var repair bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the library and the configuration",
		Long: "Check that the configuration can be read and that every byte of the library is\n" +
			"as it was written. With --repair, what is damaged of a collection is made again:\n" +
			"its index from the texts in the library, documents from their sources. What needs\n" +
			"a source that is gone is named.",
		Example: "  evergreen doctor\n  evergreen doctor --repair\n  evergreen doctor --json",
		Args:    argCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			checks := a.diagnose(cmd, repair)
			bad := slices.ContainsFunc(checks, func(c check) bool { return !c.OK })
			if a.json {
				if err := a.writeJSON(struct {
					OK     bool    `json:"ok"`
					Checks []check `json:"checks"`
				}{!bad, checks}); err != nil {
					return err
				}
			} else if err := a.print(checksText(checks)); err != nil {
				return err
			}
			if bad {
				return silent{exitFailure}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&repair, "repair", false, "make again what is damaged")
	return cmd
}

// diagnose runs all checks in order; what cannot be opened ends them.
func (a *app) diagnose(cmd *cobra.Command, repair bool) []check {
	s, err := a.settings(cmd)
	if err != nil {
		return []check{failed("configuration", err)}
	}
	checks := a.checkSettings(s)
	checks = append(checks, checkUpstreams(cmd.Context(), s)...)
	e, err := a.world.opener.open(cmd.Context(), s, true)
	if err != nil {
		return append(checks, failed("library", err))
	}
	defer e.Close()
	collections, err := e.Collections(cmd.Context())
	if err != nil {
		return append(checks, failed("library", err))
	}
	checks = append(checks, passed("library", fmt.Sprintf("%s in %s", count(len(collections), "collection"), s.Library)))
	for _, d := range e.Damaged(cmd.Context()) {
		if slices.ContainsFunc(collections, func(c evergreen.Collection) bool { return c.Name == d.Name }) {
			continue // it can be read, and is checked below
		}
		result := damage(d)
		if repair {
			result = a.repairCollection(cmd, e, d.Name, s)
		}
		checks = append(checks, result)
	}
	for _, c := range collections {
		result := checkCollection(cmd.Context(), e, c.Name)
		if !result.OK && repair {
			result = a.repairCollection(cmd, e, c.Name, s)
		}
		checks = append(checks, result)
		if s.Guard {
			checks = append(checks, checkGuard(cmd.Context(), e, c.Name))
		}
		if c.Knowledge {
			checks = append(checks, checkKnowledge(c)...)
		}
	}
	return checks
}

// checkSettings looks at what the configuration says and leaves unsaid.
func (a *app) checkSettings(s config.Settings) []check {
	where := "defaults; no evergreen.json"
	if s.File != "" {
		where = s.File
	}
	checks := []check{passed("configuration", where)}
	unknown := config.UnknownVariables(a.world.environ())
	for _, name := range slices.Sorted(maps.Keys(unknown)) {
		checks = append(checks, note("environment", name+" is no setting", "did you mean "+unknown[name]+"?"))
	}
	for _, unsaid := range []struct{ name, value, key string }{
		{"licence", s.Site.Licence, "site.licence"}, {"contact", s.Site.Contact, "site.contact"},
	} {
		if unsaid.value == config.Unspecified || unsaid.value == "" {
			checks = append(checks, note(unsaid.name, unsaid.name+" of the site: unspecified",
				"set "+unsaid.key+" in evergreen.json before others use the site"))
		} else {
			checks = append(checks, passed(unsaid.name, unsaid.value))
		}
	}
	for _, file := range []string{s.Server.TokenFile, s.Server.ReadTokenFile} {
		if file == "" {
			continue
		}
		if _, err := os.ReadFile(file); err != nil {
			checks = append(checks, failed("token file", err))
		}
	}
	return checks
}

// checkCollection compares all that a collection holds with its checksums.
func checkCollection(ctx context.Context, e library, collection string) check {
	name := "collection " + collection
	faults, err := e.Check(ctx, collection)
	if err != nil {
		return failed(name, err)
	}
	if len(faults) > 0 {
		return check{Name: name, State: checkFailed, Detail: oneLine(strings.Join(faults, "; ")), Fix: "run evergreen doctor --repair"}
	}
	outline, err := e.Outline(ctx, evergreen.OutlineRequest{Collection: collection, Limit: -1})
	if err != nil {
		return failed(name, err)
	}
	sections := 0
	for _, d := range outline.Documents {
		sections += len(d.Sections)
	}
	return passed(name, fmt.Sprintf("%s, %s", count(len(outline.Documents), "document"), count(sections, "section")))
}

// repairCollection brings a collection back and says what is missing still.
func (a *app) repairCollection(cmd *cobra.Command, e library, collection string, s config.Settings) check {
	progress, done := a.progressLine()
	report, err := e.Repair(cmd.Context(), evergreen.RepairRequest{
		Name: collection, MaxFiles: s.Index.MaxFiles, AllowPrivate: s.Server.AllowPrivate,
	}, progress)
	done()
	if err != nil {
		return failed("collection "+collection, err)
	}
	if len(report.Missing) > 0 {
		first := report.Missing[0]
		return check{Name: "collection " + collection, State: checkFailed, Repair: &report,
			Detail: fmt.Sprintf("%s whole, %d read again, missing: %s (%s)%s", count(report.Kept, "document"), report.Reread, first.Path,
				oneLine(first.Reason), andMore(len(report.Missing)-1)),
			Fix: "bring the source back and run evergreen doctor --repair again"}
	}
	result := checkCollection(cmd.Context(), e, collection)
	result.Repair = &report
	if result.OK {
		result.Detail = fmt.Sprintf("repaired: %s; %d kept, %d read again", result.Detail, report.Kept, report.Reread)
	}
	return result
}

func andMore(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// damage is the check of a collection that cannot be read.
func damage(d evergreen.Damage) check {
	return check{Name: "collection " + d.Name, State: checkFailed, Detail: oneLine(d.Message), Fix: damageFix(d)}
}

// damageFix is what brings a damaged collection back.
func damageFix(d evergreen.Damage) string {
	switch {
	case d.Kind == evergreen.Conflict:
		return "use the newer Evergreen, or another library with --library DIR"
	case len(d.Sources) > 0:
		return "run evergreen doctor --repair"
	}
	return "index its source again: evergreen index SOURCE --name " + d.Name
}

// sayDamaged warns of collections that are missing from the answers.
func (a *app) sayDamaged(ctx context.Context, e library) {
	for _, d := range e.Damaged(ctx) {
		a.say("evergreen: warning: " + oneLine(d.Message) + "; " + damageFix(d))
	}
}

func passed(name, detail string) check {
	return check{Name: name, OK: true, State: checkOK, Detail: detail}
}

func note(name, detail, fix string) check {
	return check{Name: name, OK: true, State: checkNote, Detail: detail, Fix: fix}
}

func failed(name string, err error) check {
	c := check{Name: name, State: checkFailed, Detail: oneLine(err.Error())}
	if hints := evergreen.Hints(err); len(hints) > 0 {
		c.Fix = hints[0]
	}
	return c
}

func checksText(checks []check) string {
	var rows [][]string
	for _, c := range checks {
		rows = append(rows, []string{c.State, c.Name, c.Detail})
		if c.Fix != "" {
			rows = append(rows, []string{"", "", "→ " + c.Fix})
		}
	}
	return table(rows)
}
