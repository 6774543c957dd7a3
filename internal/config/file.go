package config

// This file finds and reads evergreen.json.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"evergreen"
	"evergreen/internal/text"
)

// findFile returns the configuration file to read: the named one, which must
// exist, or the first of the usual places that does.
func findFile(in Input) (string, error) {
	named := in.File
	if named == "" {
		named, _ = in.LookupEnv("EVERGREEN_CONFIG")
	}
	if named != "" {
		if !filepath.IsAbs(named) {
			named = filepath.Join(in.WorkDir, named)
		}
		return named, nil
	}
	places := []string{filepath.Join(in.WorkDir, "evergreen.json")}
	if in.UserConfig != "" {
		places = append(places, filepath.Join(in.UserConfig, "evergreen", "evergreen.json"))
	}
	for _, place := range places {
		info, err := os.Stat(place)
		switch {
		case err == nil && !info.IsDir():
			return place, nil
		case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission):
			return "", evergreen.Errorf(evergreen.Invalid, "look for configuration: %w", err)
		}
	}
	return "", nil
}

func (s *Settings) readFile(file string) error {
	data, err := readBounded(file)
	if err != nil {
		return evergreen.Errorf(evergreen.Invalid, "read configuration: %w", err).
			Fix("name an existing file with --config or EVERGREEN_CONFIG, or none")
	}
	var tree map[string]any
	decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\uFEFF"))))
	decoder.UseNumber()
	if err := decoder.Decode(&tree); err != nil {
		return evergreen.Errorf(evergreen.Invalid, "%s is no JSON object: %s", file, placeOf(err, data))
	}
	if _, err := decoder.Token(); err != io.EOF {
		return evergreen.Errorf(evergreen.Invalid, "%s goes on after its JSON object", file)
	}
	return s.applyTree(file, tree)
}

// applyTree sets every value of a parsed file, in the table's order, and
// refuses what the table does not know.
func (s *Settings) applyTree(file string, tree map[string]any) error {
	flat, err := flatten(file, tree)
	if err != nil {
		return err
	}
	for _, k := range keys() {
		value, ok := flat[k.name]
		if !ok {
			continue
		}
		texts, bad := textsOf(k, value)
		if bad != "" {
			return evergreen.Errorf(evergreen.Invalid, "%s: %s must be %s", file, k.name, bad)
		}
		if err := s.apply(k, texts, filepath.Dir(file), "file "+file); err != nil {
			return err
		}
	}
	return nil
}

// flatten turns the levels of a file into "section.key" and names the nearest
// known key for an unknown one.
func flatten(file string, tree map[string]any) (map[string]any, error) {
	known := Names()
	for _, s := range sections() {
		if s.name != "" {
			known = append(known, s.name)
		}
	}
	flat := map[string]any{}
	return flat, flattenSection(flat, known, file, "", tree)
}

// flattenSection adds the values of one section, which is called prefix without
// its final dot.
func flattenSection(flat map[string]any, known []string, file, prefix string, tree map[string]any) error {
	for _, key := range sortedKeys(tree) {
		name, value := prefix+key, tree[key]
		switch {
		case name == "$schema":
		case strings.Contains(key, ".") || !slices.Contains(known, name):
			return unknownKey(file, name, known)
		case isSection(name):
			section, ok := value.(map[string]any)
			if !ok {
				return evergreen.Errorf(evergreen.Invalid, "%s: %s must be an object", file, name)
			}
			if err := flattenSection(flat, known, file, name+".", section); err != nil {
				return err
			}
		default:
			flat[name] = value
		}
	}
	return nil
}

func unknownKey(file, name string, known []string) error {
	return evergreen.Errorf(evergreen.Invalid, "%s: unknown key %q", file, name).
		Near(text.Nearest(name, known, 1)...)
}

// textsOf reads a JSON value as the texts that key.set takes, or says what
// the value must be.
func textsOf(k key, value any) (texts []string, must string) {
	if k.isList() {
		list, ok := value.([]any)
		if !ok {
			return nil, "an array of strings"
		}
		for _, item := range list {
			text, ok := item.(string)
			if !ok {
				return nil, "an array of strings"
			}
			texts = append(texts, text)
		}
		return texts, ""
	}
	switch v := value.(type) {
	case map[string]any:
		if k.isObject() {
			return []string{compact(v)}, ""
		}
	case string:
		if k.jsonType() == "string" || k.jsonType() == "duration" {
			return []string{v}, ""
		}
	case bool:
		if k.jsonType() == "boolean" {
			return []string{strconv.FormatBool(v)}, ""
		}
	case json.Number:
		if k.jsonType() == "integer" || k.jsonType() == "duration" {
			return []string{v.String()}, ""
		}
	}
	return nil, map[string]string{"string": "a string", "integer": "a whole number", "boolean": "true or false", "object": "an object",
		"duration": "a duration such as \"30s\" or 1500 (milliseconds)"}[k.jsonType()]
}

func readBounded(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err == nil && len(data) > maxFileBytes {
		err = fmt.Errorf("%s is larger than %d bytes", file, maxFileBytes)
	}
	return data, err
}

// placeOf adds the line of a JSON syntax error.
func placeOf(err error, data []byte) string {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		line := 1 + bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n"))
		return fmt.Sprintf("line %d: %v", line, err)
	}
	return err.Error()
}

func isSection(name string) bool {
	for _, s := range sections() {
		if s.name != "" && s.name == name {
			return true
		}
	}
	return false
}

func sortedKeys(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
