package mcp

// The engine advises people at a command line. This file says the same to agents,
// who have tools instead of commands and flags.

import (
	"regexp"
	"strings"
)

var (
	// commandLine is what only a shell understands: our commands, flags and
	// variables.
	commandLine = regexp.MustCompile(`\bevergreen (serve|export|mcp|index|list|toc|search|get|context|delete|fetch|extract|markdown|eval|verify|audit|measure|repair|websearch|config|doctor)\b|(^|[\s` + "`" + `'"(])--[a-z]|\bEVERGREEN_[A-Z]`)
	// sentenceEnd ends one sentence of a fix and begins the next.
	sentenceEnd = regexp.MustCompile(`[.?!]\s+[A-Z]`)
	// clauseStart is where a part of a sentence begins that can be left out.
	clauseStart = regexp.MustCompile("(,? for example|,? or|,? and|:) [^,]*$")
)

// forAgents translates a fix: a command becomes the tool that does the same, if
// this server has it, and what no tool can do is left out. "" leaves nothing.
func (s *Server) forAgents(fix string) string {
	var out []string
	for _, sentence := range sentences(fix) {
		if sentence = s.sentenceForAgents(sentence); sentence != "" {
			out = append(out, sentence)
		}
	}
	return strings.Join(out, " ")
}

func sentences(text string) []string {
	var out []string
	for {
		at := sentenceEnd.FindStringIndex(text)
		if at == nil {
			return append(out, text)
		}
		out = append(out, text[:at[0]+1])
		text = text[at[1]-1:]
	}
}

func (s *Server) sentenceForAgents(sentence string) string {
	m := commandLine.FindStringSubmatchIndex(sentence)
	if m == nil {
		return sentence
	}
	kept := ""
	if cut := clauseStart.FindStringIndex(sentence[:m[0]]); cut != nil && !strings.Contains(sentence[m[0]:], ", ") {
		kept = strings.TrimSpace(sentence[:cut[0]])
	}
	if m[2] < 0 { // a flag or a variable: only the operator can set it
		if strings.Contains(sentence[:m[0]], ":") {
			return "" // what stands before it only announces it
		}
		return ended(kept)
	}
	advice := s.toolFor(sentence[m[2]:m[3]])
	return strings.TrimSpace(ended(kept) + " " + advice)
}

// ended closes a sentence that lost its end.
func ended(s string) string {
	if s == "" {
		return ""
	}
	return s + "."
}

// toolFor names the served tool that does what a command does, in a sentence.
func (s *Server) toolFor(command string) string {
	for _, t := range []struct{ command, tool, sentence string }{
		{"list", "list_repos", "list_repos shows all collections."},
		{"toc", "get_toc", "get_toc shows documents and section ids."},
		{"search", "search_sections", "search_sections finds sections by words."},
		{"get", "get_section", "get_section reads sections by id."},
		{"context", "search_context", "search_context answers a question."},
		{"index", "index_local", "index_local adds or refreshes a folder, index_url a web site."},
		{"delete", "delete_index", "delete_index removes a collection."},
	} {
		if _, served := s.tools[t.tool]; served && t.command == command {
			return t.sentence
		}
	}
	return ""
}
