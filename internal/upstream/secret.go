package upstream

// This file reads secrets from the environment and from files.

import (
	"bytes"
	"io"
	"os"
	"strings"

	"evergreen"
)

// expand replaces ${NAME} and ${file:PATH} in text. Errors name the variable or
// the file, never a value.
func (o Options) expand(text string) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed {
			return "", evergreen.Errorf(evergreen.Invalid, "upstream %q: a ${ is not closed", o.Name).Fix("write ${NAME} or ${file:PATH}")
		}
		value, err := o.secret(name)
		if err != nil {
			return "", err
		}
		b.WriteString(value)
		text = after
	}
}

// secret is the value of one variable or file.
func (o Options) secret(name string) (string, error) {
	path, isFile := strings.CutPrefix(name, "file:")
	if !isFile {
		value, ok := o.LookupEnv(name)
		if !ok || value == "" {
			return "", evergreen.Errorf(evergreen.Invalid, "upstream %q needs the variable %s, which is not set", o.Name, name).
				Fix("set %s in the environment", name)
		}
		return value, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", evergreen.Errorf(evergreen.Invalid, "upstream %q: read the secret: %w", o.Name, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSecret+1))
	if err != nil {
		return "", evergreen.Errorf(evergreen.Invalid, "upstream %q: read the secret: %w", o.Name, err)
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	value := strings.TrimSpace(string(line))
	if value == "" || len(data) > maxSecret {
		return "", evergreen.Errorf(evergreen.Invalid, "upstream %q: the file %s holds no secret on its first line", o.Name, path)
	}
	return value, nil
}

// expandAll expands the values of m.
func (o Options) expandAll(m map[string]string) (map[string]string, error) {
	out := make(map[string]string, len(m))
	for name, text := range m {
		value, err := o.expand(text)
		if err != nil {
			return nil, err
		}
		out[name] = value
	}
	return out, nil
}
