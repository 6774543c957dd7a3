package config

import "path/filepath"

// DataFolder returns the folder in which the user's programs keep data: on
// Linux and other Unix systems as the XDG Base Directory Specification says,
// on macOS and Windows as the system does. It is "" when the environment names
// no home.
func DataFolder(goos string, getenv func(string) string) string {
	home := getenv("HOME")
	switch goos {
	case "windows":
		return getenv("LocalAppData")
	case "darwin", "ios":
		if home == "" {
			return ""
		}
		return filepath.Join(home, "Library", "Application Support")
	}
	if dir := getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	if home == "" {
		return ""
	}
	return filepath.Join(home, ".local", "share")
}
