package engine

import (
	"bufio"
	"context"
	"os/exec"
	"strings"
	"time"
)

// gitPatience bounds how long a history is searched: dates are a courtesy, and
// a history may be long.
const gitPatience = 10 * time.Second

// gitDates returns the ISO date of the last commit of each wanted path below
// root, as far as git is installed, root lies in a work tree and the answer
// comes in time. Paths without one are absent.
func gitDates(ctx context.Context, root string, wanted map[string]bool) map[string]string {
	ctx, cancel := context.WithTimeout(ctx, gitPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", "-C", root, "-c", "core.quotepath=off",
		"log", "--format=%x01%cs", "--name-only", "--no-renames", "--relative", "--", ".")
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		return nil
	}
	dates := map[string]string{}
	day := ""
	lines := bufio.NewScanner(out)
	for lines.Scan() && len(dates) < len(wanted) {
		line := lines.Text()
		if date, ok := strings.CutPrefix(line, "\x01"); ok {
			day = date
			continue
		}
		if wanted[line] && dates[line] == "" && day != "" {
			dates[line] = day
		}
	}
	cancel()
	_ = cmd.Wait() // killed as soon as enough is known
	return dates
}

// underGit tells whether a folder lies in a git work tree.
func underGit(ctx context.Context, root string) bool {
	ctx, cancel := context.WithTimeout(ctx, gitPatience)
	defer cancel()
	out, err := exec.CommandContext(ctx, "git", "-C", root, "rev-parse", "--is-inside-work-tree").Output()
	return err == nil && strings.TrimSpace(string(out)) == "true"
}
