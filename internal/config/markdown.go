package config

// This file writes docs/config.md from the key table.

import (
	"fmt"
	"strings"
)

// Markdown returns docs/config.md.
func Markdown() []byte {
	var b strings.Builder
	b.WriteString(`---
description: Every setting of Evergreen, where it is read from, its default and its environment variable.
---
# Configuration

Everything works without configuration. A setting is taken from the first of: a flag, an ` + "`EVERGREEN_*`" + ` variable, the configuration file, the default. ` + "`evergreen config`" + ` prints the effective settings and where each came from.

The file is the first of: ` + "`--config FILE`, `EVERGREEN_CONFIG`, `./evergreen.json`, `evergreen/evergreen.json`" + ` in the user's configuration folder. It is JSON; an unknown key is an error that names the nearest known one. Relative paths in it count from its folder. In a variable or a flag, items of a list are separated by commas. Durations are written ` + "`30s`" + ` or as bare milliseconds.

`)
	b.WriteString("A small one, with its schema for editors (`evergreen config --schema` prints it, a server publishes it at `" + SchemaPath + "`):\n\n```json\n" +
		"{\n  \"site\": { \"base_url\": \"https://docs.example.com\", \"licence\": \"CC-BY-4.0\" },\n  \"server\": { \"listen\": \"127.0.0.1:8080\" }\n}\n```\n")
	for _, s := range sections() {
		if s.name == "" {
			fmt.Fprintf(&b, "\n## %s\n\n", s.doc)
		} else {
			fmt.Fprintf(&b, "\n## %s\n\n%s.", s.name, s.doc)
		}
		rows := 0
		for _, k := range keys() {
			if section, _ := splitName(k.name); section == s.name {
				if rows++; rows == 1 {
					if s.name != "" {
						b.WriteString("\n\n")
					}
					b.WriteString("| key | type | default | variable | meaning |\n| --- | --- | --- | --- | --- |\n")
				}
				fmt.Fprintf(&b, "| `%s` | %s | %s | `%s` | %s |\n", k.name, k.typeDoc(), k.defaultDoc(), k.variable(), k.doc)
			}
		}
		if rows == 0 {
			b.WriteString(" The section may be present; it has no keys yet.\n")
		}
	}
	return []byte(b.String())
}

func (k key) typeDoc() string {
	switch {
	case k.isList() && len(k.enum) > 0:
		return "list of `" + strings.Join(k.enum, "`, `") + "`"
	case k.isList():
		return "list"
	case len(k.enum) > 0:
		return "`" + strings.Join(k.enum, "`, `") + "`"
	case k.jsonType() == "integer":
		return "whole number"
	}
	return k.jsonType()
}

func (k key) defaultDoc() string {
	switch {
	case k.defDoc != "":
		return k.defDoc
	case k.def == "":
		return "–"
	}
	return "`" + k.def + "`"
}
