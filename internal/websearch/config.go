package websearch

// This file finds, reads and checks the settings.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"evergreen"
	"evergreen/internal/text"
)

// Config holds the settings, under the keys of the JSON file. It holds no
// credential: that is the caller's, request by request.
type Config struct {
	Upstream        string              `json:"upstream"`
	Listen          string              `json:"listen"` // host:port on this machine
	Path            string              `json:"path"`
	Tools           []string            `json:"tools"` // advertised names
	CanonicalTool   string              `json:"canonical_tool"`
	CanonicalParam  string              `json:"canonical_param"`
	QueryAliases    []string            `json:"query_aliases"` // in order of preference
	OptionalAliases map[string][]string `json:"optional_aliases"`
	TargetTool      string              `json:"target_tool"` // the upstream's
	TargetParam     string              `json:"target_param"`
	LogLevel        string              `json:"log_level"` // debug, info, warn, error
}

// Default returns the settings of a server without configuration.
func Default() Config {
	return Config{
		Upstream:       "https://api.z.ai/api/mcp/web_search_prime/mcp",
		Listen:         "127.0.0.1:8787",
		Path:           "/mcp",
		Tools:          []string{"web_search"},
		CanonicalTool:  "web_search",
		CanonicalParam: "query",
		QueryAliases: []string{"query", "search_query", "q", "search", "searchQuery", "search_term", "term", "text", "input",
			"prompt", "question", "keywords", "topic", "searchString"},
		OptionalAliases: map[string][]string{
			"location":              {"country", "region"},
			"content_size":          {"size", "contentSize", "detail"},
			"search_recency_filter": {"recency", "freshness", "time_filter", "date_filter"},
		},
		TargetTool:  "web_search_prime",
		TargetParam: "search_query",
		LogLevel:    "info",
	}
}

// Input is what settings are read from.
type Input struct {
	LookupEnv func(string) (string, bool)
	WorkDir   string
	// UserConfig are the user's configuration folders, in the order they are
	// looked into; missing ones are skipped.
	UserConfig []string
}

// Load finds the file, reads it over the defaults, applies the environment and
// checks the result. warnings are sentences for the log. Errors are of kind
// Invalid.
func Load(in Input) (c Config, file string, warnings []string, err error) {
	c = Default()
	if file, err = in.find(); err != nil {
		return c, file, nil, err
	}
	if file != "" {
		if warnings, err = c.read(file); err != nil {
			return c, file, warnings, err
		}
	}
	for _, e := range []struct {
		name string
		into *string
	}{{"WSPF_UPSTREAM", &c.Upstream}, {"WSPF_LISTEN", &c.Listen}, {"WSPF_LOG_LEVEL", &c.LogLevel}} {
		if value, ok := in.LookupEnv(e.name); ok && value != "" {
			*e.into = value
		}
	}
	if c.TargetParam == "" {
		c.TargetParam = "search_query"
	}
	return c, file, warnings, c.check()
}

// find returns the configuration file, "" for none. A file that is named must
// exist.
func (in Input) find() (string, error) {
	if named, _ := in.LookupEnv("WSPF_CONFIG"); named != "" {
		if !filepath.IsAbs(named) {
			named = filepath.Join(in.WorkDir, named)
		}
		if _, err := os.Stat(named); err != nil {
			return named, evergreen.Errorf(evergreen.Invalid, "the configuration file that WSPF_CONFIG names cannot be read: %w", err).
				Fix("name an existing file, or unset WSPF_CONFIG")
		}
		return named, nil
	}
	places := []string{filepath.Join(in.WorkDir, "web-search-prime-fixer.json")}
	for _, folder := range in.UserConfig {
		if folder != "" {
			places = append(places, filepath.Join(folder, "web-search-prime-fixer", "config.json"))
		}
	}
	for _, place := range places {
		info, err := os.Stat(place)
		if err == nil && !info.IsDir() {
			return place, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			return "", evergreen.Errorf(evergreen.Invalid, "look for configuration: %w", err)
		}
	}
	return "", nil
}

// read lays a file over c. Unknown keys are told of and passed over.
func (c *Config) read(file string) (warnings []string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, evergreen.Errorf(evergreen.Invalid, "read configuration: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil || len(data) > maxConfig {
		return nil, evergreen.Errorf(evergreen.Invalid, "%s cannot be read, or is larger than 1 MiB", file)
	}
	var keys map[string]json.RawMessage
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if err := json.Unmarshal(data, &keys); err != nil {
		return nil, evergreen.Errorf(evergreen.Invalid, "%s is no JSON object: %w", file, err)
	}
	known := c.keys()
	for _, key := range sortedKeys(keys) {
		switch {
		case key == "aliases":
			warnings = append(warnings, "the key aliases is called query_aliases now; it is used, please rename it")
			if _, both := keys["query_aliases"]; !both {
				keys["query_aliases"] = keys["aliases"]
			}
		case !slices.Contains(known, key):
			warnings = append(warnings, fmt.Sprintf("the key %s is unknown and not used; did you mean %s?", key, text.Nearest(key, known, 1)[0]))
		}
	}
	for _, key := range known {
		if raw, ok := keys[key]; ok && string(raw) != "null" {
			if err := json.Unmarshal([]byte(`{`+quoted(key)+`:`+string(raw)+`}`), c.fresh(key)); err != nil {
				return warnings, evergreen.Errorf(evergreen.Invalid, "%s: %s has a value of the wrong type", file, key).
					Fix("see docs/websearch.md for the keys")
			}
		}
	}
	return warnings, nil
}

// fresh is c with the map of one key emptied, so that a file's value replaces
// the default instead of mixing with it.
func (c *Config) fresh(key string) *Config {
	if key == "optional_aliases" {
		c.OptionalAliases = nil
	}
	return c
}

// keys are the names of all settings.
func (c *Config) keys() []string {
	return []string{"upstream", "listen", "path", "tools", "canonical_tool", "canonical_param", "query_aliases",
		"optional_aliases", "target_tool", "target_param", "log_level"}
}

func quoted(s string) string { return `"` + s + `"` }

// check says in one sentence what cannot be served.
func (c Config) check() error {
	wrong := func(format string, args ...any) *evergreen.Error {
		return evergreen.Errorf(evergreen.Invalid, format, args...)
	}
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil || port == "" {
		return wrong("listen must be host:port, not %q", c.Listen).Fix("write 127.0.0.1:8787")
	}
	if addr, err := netip.ParseAddr(host); !strings.EqualFold(host, "localhost") && (err != nil || !addr.Unmap().IsLoopback()) {
		return wrong("listen must be on this machine (127.0.0.1, ::1 or localhost), not %q", c.Listen).
			Fix("this server hands credentials on and is for one person: write 127.0.0.1:%s", port)
	}
	u, err := url.Parse(c.Upstream)
	switch {
	case err != nil || !u.IsAbs() || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return wrong("upstream must be an absolute http or https URL")
	case !strings.HasPrefix(c.Path, "/") || strings.ContainsAny(c.Path, "{} ?#"):
		return wrong("path must be a path such as /mcp, not %q", c.Path)
	case len(c.Tools) == 0 || slices.Contains(c.Tools, ""):
		return wrong("tools must name at least one tool")
	case !slices.Contains(c.Tools, c.CanonicalTool):
		return wrong("canonical_tool %q must be one of tools", c.CanonicalTool)
	case c.CanonicalParam == "" || c.TargetTool == "":
		return wrong("canonical_param and target_tool must not be empty")
	case !slices.Contains([]string{"debug", "info", "warn", "error"}, c.LogLevel):
		return wrong("log_level must be debug, info, warn or error, not %q", c.LogLevel)
	}
	for _, tool := range c.Tools {
		if letters(tool) == letters(c.TargetTool) {
			return wrong("tools must not name %q, which is the upstream's own tool", tool).Fix("agents are shown our names only")
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
