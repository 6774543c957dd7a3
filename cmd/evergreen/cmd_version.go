package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// buildFacts is what the binary knows of its own making.
type buildFacts struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
}

func versionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Show version and build facts",
		Example: "  evergreen version --json",
		Args:    argCount(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			f := readBuildFacts()
			if a.json {
				return a.writeJSON(f)
			}
			line := "evergreen " + f.Version + " " + f.Go + " " + f.OS + "/" + f.Arch
			if f.Revision != "" {
				line += " " + f.Revision
			}
			return a.print(line, "\n")
		},
	}
}

func readBuildFacts() buildFacts {
	f := buildFacts{Version: version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return f
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			f.Revision = s.Value
		case "vcs.modified":
			f.Modified = s.Value == "true"
		}
	}
	return f
}
