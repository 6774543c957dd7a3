package site

// This file writes SKILL.md and the index of Agent Skills discovery 0.2.0 over
// exactly its bytes.

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"

	"evergreen"
	"evergreen/internal/text"
)

// skillFile is the one skill of a site.
type skillFile struct {
	name        string
	description string
	text        []byte
}

type skillIndex struct {
	Schema string       `json:"$schema"`
	Skills []skillEntry `json:"skills"`
}

type skillEntry struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Description string `json:"description"`
	URL         string `json:"url"`
	Digest      string `json:"digest"`
}

// hasSkill reports whether there is something for a skill to call.
func (s *Site) hasSkill() bool {
	return len(s.o.Skill) > 0 || s.api() || s.o.MCP != nil && len(s.in.Tools) > 0
}

func (s *Site) skillPath() string { return "/.well-known/agent-skills/" + s.skill().name + "/SKILL.md" }

// Skill is the SKILL.md of the site, byte for byte: what an MCP server hands
// out as well.
func (s *Site) Skill() []byte { return slices.Clone(s.skill().text) }

func (s *Site) skill() skillFile {
	if len(s.o.Skill) > 0 {
		return readSkill(s.o.Skill)
	}
	return s.makeSkill()
}

func (s *Site) writeSkillIndex(w io.Writer) error {
	k := s.skill()
	sum := sha256.Sum256(k.text)
	return writeJSON(w, skillIndex{
		Schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
		Skills: []skillEntry{{k.name, "skill-md", k.description, s.url(s.skillPath()), "sha256:" + hex.EncodeToString(sum[:])}},
	})
}

// readSkill takes name and description from the front matter of a given skill.
func readSkill(source []byte) skillFile {
	k := skillFile{text: source}
	rest, _ := bytes.CutPrefix(source, []byte("---\n"))
	front, _, _ := bytes.Cut(rest, []byte("\n---"))
	for line := range strings.Lines(string(front)) {
		key, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		value = strings.TrimSpace(value)
		if unquoted := ""; strings.HasPrefix(value, `"`) && json.Unmarshal([]byte(value), &unquoted) == nil {
			value = unquoted
		} else if len(value) > 1 && value[0] == '\'' && value[len(value)-1] == '\'' {
			value = strings.ReplaceAll(value[1:len(value)-1], "''", "'")
		}
		switch key {
		case "name":
			k.name = value
		case "description":
			k.description = value
		}
	}
	return k
}

// makeSkill writes the skill: how to search and cite, with what is served.
func (s *Site) makeSkill() skillFile {
	k := skillFile{name: skillName(s.o.Name)}
	topics := s.o.Topics
	if topics == "" {
		topics = "its documentation can answer"
	}
	k.description = shorten("Search "+s.o.Name+" and quote it with citations inside a token budget. Use for any question "+topics+".", maxSkillDescription)
	var b strings.Builder
	b.WriteString("---\nname: " + k.name + "\ndescription: " + yamlText(k.description) + "\n")
	if id := s.in.Policy.LicenceID(); id != "" {
		b.WriteString("license: " + id + "\n")
	}
	b.WriteString("metadata:\n  version: \"" + s.o.Version + "\"\n---\n\n# Working with " + oneLine(s.o.Name) + "\n\n")
	for i, step := range s.skillSteps() {
		b.WriteString(string(rune('1'+i)) + ". " + step + "\n")
	}
	if ask := s.url(contextPath) + "?topic=QUERY&budget=2000"; s.api() && s.o.MCP != nil && s.base != "" {
		b.WriteString("\nWithout MCP: `GET " + ask + "` gives the same bundle as JSON.\n")
	}
	k.text = []byte(b.String())
	return k
}

func (s *Site) skillSteps() []string {
	var steps []string
	if s.o.MCP != nil && s.tool("search_context") {
		steps = append(steps, "Ask `search_context` with the user's own words; leave `budget` at 2000.")
	} else {
		steps = append(steps, "`GET "+s.url(contextPath)+"?topic=QUERY&budget=2000` with the user's own words as QUERY.")
	}
	steps = append(steps, "When the answer says `truncated: true`, raise `budget` (at most "+strconv.Itoa(evergreen.MaxBudget)+") or narrow the query before answering.")
	var read []string
	if s.tool("get_entry") {
		read = append(read, "Read one item in full with `get_entry`")
	}
	if s.tool("search_sections") {
		find := "find a heading with `search_sections`"
		if s.tool("get_section") {
			find += " and read it with `get_section`"
		}
		read = append(read, find)
	}
	if len(read) > 0 && s.o.MCP != nil {
		sentence := strings.Join(read, "; ")
		steps = append(steps, strings.ToUpper(sentence[:1])+sentence[1:]+".")
	}
	return append(steps,
		"End every factual sentence with the marker of its source, for example `"+s.someMarker()+"`. Never invent a marker.",
		"Say so when `confidence` is below 0.80 or `updated` is older than 12 months.")
}

// someMarker is a marker that an answer may hold.
func (s *Site) someMarker() string {
	if entries := s.snap.Entries(); len(entries) > 0 {
		return "[" + entries[0].ID + "]"
	}
	for _, c := range s.snap.Collections() {
		return "[" + c.Name + ":3fa9c1]"
	}
	return "[ID]"
}

// skillName makes a skill's name of a site's: a-z, 0-9 and single hyphens.
func skillName(site string) string {
	name := text.ASCIISlug(oneLine(site))
	if !strings.ContainsFunc(site, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' }) {
		name = "site-docs" // the slug would be a hash, which says nothing
	}
	if !strings.HasSuffix(name, "docs") {
		name += "-docs"
	}
	if len(name) > maxSkillName {
		name = strings.Trim(name[:maxSkillName], "-")
	}
	return name
}

// yamlText writes one line of text as a YAML scalar: plain where that is safe,
// else in double quotes.
func yamlText(s string) string {
	s = oneLine(s)
	plainSafe := s != "" && !strings.Contains(s, ": ") && !strings.HasSuffix(s, ":") && !strings.Contains(s, " #") &&
		!strings.ContainsAny(s[:1], "!&*-?:|>@`\"'%#{}[],=~0123456789.+") && !isYAMLWord(s)
	if plainSafe {
		return s
	}
	quoted, err := encode(s, "")
	if err != nil {
		return `""`
	}
	return strings.TrimSuffix(string(quoted), "\n")
}

func isYAMLWord(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "null", "y", "n":
		return true
	}
	return false
}
