package engine

import (
	"os"
	"path/filepath"
	"runtime"

	"evergreen"
)

// userDataDir follows each platform's custom for data that programs keep.
func userDataDir() (string, error) {
	if runtime.GOOS == "windows" {
		if dir := os.Getenv("LocalAppData"); dir != "" {
			return filepath.Join(dir, "evergreen"), nil
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", evergreen.Errorf(evergreen.Invalid, "no home folder: %w", err).Fix("Name the library with --library DIR.")
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Application Support", "evergreen"), nil
	}
	return filepath.Join(home, ".local", "share", "evergreen"), nil
}
