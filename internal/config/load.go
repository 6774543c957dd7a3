package config

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"evergreen"
	"evergreen/internal/text"
	"evergreen/internal/upstream"
)

// Flag is a setting given on the command line.
type Flag struct {
	Name   string // as the user typed it, such as --listen
	Values []string
}

// Input is everything settings are read from, so that tests need no process.
type Input struct {
	Flags      map[string]Flag // by key
	File       string          // --config; "" looks for one
	LookupEnv  func(string) (string, bool)
	WorkDir    string // where ./evergreen.json is looked for and relative paths begin
	UserConfig string // the user's configuration folder; "" is none
	UserData   string // the user's data folder, for the default library
}

// Settings is a Config and where each value came from.
type Settings struct {
	Config
	File   string // the file that was read, "" when there is none
	origin map[string]string
}

// Value is one effective setting for people and for --json.
type Value struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Origin string `json:"origin"` // default, file PATH, env NAME, flag NAME
}

// Load reads the settings: flags win over EVERGREEN_* variables, these over
// the file, the file over defaults. Errors are of kind Invalid and name the
// key and the place.
func Load(in Input) (Settings, error) {
	s := Settings{origin: map[string]string{}}
	if err := s.setDefaults(in); err != nil {
		return s, err
	}
	file, err := findFile(in)
	if err != nil {
		return s, err
	}
	if file != "" {
		s.File = file
		if err := s.readFile(file); err != nil {
			return s, err
		}
	}
	for _, k := range keys() {
		if value, ok := in.LookupEnv(k.variable()); ok && value != "" {
			values := []string{value}
			if k.isList() {
				values = splitList(value)
			}
			if err := s.apply(k, values, in.WorkDir, "env "+k.variable()); err != nil {
				return s, err
			}
		}
		if flag, ok := in.Flags[k.name]; ok {
			values := flag.Values
			if k.isList() {
				values = splitList(strings.Join(values, ","))
			}
			if err := s.apply(k, values, in.WorkDir, "flag "+flag.Name); err != nil {
				return s, err
			}
		}
	}
	return s, nil
}

// Values lists the effective settings in documented order; secrets are masked.
func (s Settings) Values() []Value {
	var values []Value
	for _, k := range keys() {
		var v any
		switch p := k.at(&s.Config).(type) {
		case *string:
			v = *p
			if k.secret && *p != "" {
				v = "(set)"
			}
		case *[]string:
			v = append([]string{}, *p...)
		case *int:
			v = *p
		case *bool:
			v = *p
		case *object:
			if v = p.raw; len(p.raw) == 0 {
				v = json.RawMessage("{}")
			}
		case fmt.Stringer: // *time.Duration
			v = p.String()
		}
		values = append(values, Value{Key: k.name, Value: v, Origin: s.origin[k.name]})
	}
	return values
}

// Origin tells where the value of a key came from.
func (s Settings) Origin(key string) string { return s.origin[key] }

// apply sets one key; relative paths count from base.
func (s *Settings) apply(k key, values []string, base, origin string) error {
	if k.path {
		values = slices.Clone(values)
		for i, v := range values {
			if v != "" && !filepath.IsAbs(v) {
				values[i] = filepath.Join(base, v)
			}
		}
	}
	if k.isObject() && len(values) > 0 && values[len(values)-1] != "" {
		values = []string{string(based(json.RawMessage(values[len(values)-1]), base))}
	}
	if err := k.set(&s.Config, values); err != nil {
		return evergreen.Errorf(evergreen.Invalid, "%s: %w", origin, err).
			Fix("see the key %s in docs/config.md, or run: evergreen config --schema", k.name)
	}
	s.origin[k.name] = origin
	return nil
}

func (s *Settings) setDefaults(in Input) error {
	for _, k := range keys() {
		values := []string{k.def}
		switch {
		case k.name == "library" && in.UserData != "":
			values = []string{filepath.Join(in.UserData, "evergreen")}
		case k.isList():
			values = splitList(k.def)
		}
		if k.isList() && len(values) == 0 {
			s.origin[k.name] = "default"
			continue
		}
		if err := s.apply(k, values, in.WorkDir, "default"); err != nil {
			return err
		}
	}
	return nil
}

// splitList reads a comma-separated list; empty items are dropped.
func splitList(text string) []string {
	var items []string
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// UnknownVariables returns the EVERGREEN_* names among environ ("NAME=value")
// that no setting reads, each with the nearest that one does. Those that the
// project's own tests read, or one Evergreen sets for another, are not among them.
func UnknownVariables(environ []string) map[string]string {
	others := []string{"EVERGREEN_CORPORA", "EVERGREEN_SPEC", "EVERGREEN_BINARY", upstream.DepthVariable}
	known := []string{"EVERGREEN_CONFIG"}
	for _, k := range keys() {
		known = append(known, k.variable())
	}
	unknown := map[string]string{}
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		if strings.HasPrefix(name, "EVERGREEN_") && !slices.Contains(known, name) && !slices.Contains(others, name) {
			unknown[name] = text.Nearest(name, known, 1)[0]
		}
	}
	return unknown
}
