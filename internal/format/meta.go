package format

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"evergreen"
)

// From the fields of front matter to a document's Meta. Field names are those
// that Hugo, Jekyll, Docusaurus and their like use for the same thing.

// metaFrom picks the known fields; unknown ones are ignored, unreadable values
// give a warning.
func metaFrom(f fields) (evergreen.Meta, []string) {
	var warnings []string
	m := evergreen.Meta{
		Title:       f.text("title"),
		Description: f.text("description", "summary"),
		Tags:        f.list("tags"),
		Category:    f.text("category", "categories"),
		Slug:        f.text("slug"),
		Lang:        f.text("lang", "language", "locale"),
		Draft:       isTrue(f.text("draft")) || isTrue(f.text("hidden")) || isFalse(f.text("published")),
	}
	if s := f.text("confidence"); s != "" {
		c, err := strconv.ParseFloat(s, 64)
		if err != nil || !(c > 0 && c <= 1) {
			warnings = append(warnings, fmt.Sprintf("front matter: confidence %q is no number above 0 and up to 1", s))
		} else {
			m.Confidence = c
		}
	}
	for _, name := range []string{"updated", "lastmod", "last_updated", "modified", "date"} {
		s := f.text(name)
		if s == "" {
			continue
		}
		if day, ok := isoDay(s); ok {
			m.Updated = day
			break
		}
		warnings = append(warnings, fmt.Sprintf("front matter: %s %q is no date", name, s))
	}
	return m, warnings
}

// text returns the first value of the first name that is set, on one line.
func (f fields) text(names ...string) string {
	for _, name := range names {
		if values := f[name]; len(values) > 0 {
			if s := oneLine(values[0]); s != "" {
				return s
			}
		}
	}
	return ""
}

// list returns the values of a name; a comma separates values too.
func (f fields) list(name string) []string {
	var out []string
	for _, value := range f[name] {
		for part := range strings.SplitSeq(value, ",") {
			if part = oneLine(part); part != "" {
				out = append(out, part)
			}
		}
	}
	return out
}

func isTrue(s string) bool {
	switch strings.ToLower(s) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

func isFalse(s string) bool {
	switch strings.ToLower(s) {
	case "false", "no", "off", "0":
		return true
	}
	return false
}

// isoDay brings a date, with or without a time, to the form 2006-01-02.
func isoDay(s string) (string, bool) {
	s = strings.TrimSpace(s)
	if len(s) >= len(time.DateOnly) {
		if _, err := time.Parse(time.DateOnly, s[:len(time.DateOnly)]); err == nil {
			return s[:len(time.DateOnly)], true
		}
	}
	for _, layout := range []string{"2006-1-2", "2006/1/2", "2006.1.2", "January 2, 2006", "Jan 2, 2006", "2 January 2006", "2 Jan 2006", time.RFC1123, time.RFC1123Z} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Format(time.DateOnly), true
		}
	}
	return "", false
}
