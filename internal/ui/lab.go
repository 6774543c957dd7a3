package ui

// This file makes the repair lab: what becomes of a malformed call, stage by
// stage.

import (
	"evergreen/internal/site"
)

// Lab is what the repair lab shows.
type Lab struct {
	Call     string    // as it was pasted, "" for nothing yet
	List     string    // chosen list of tools
	Lists    []LabList // to choose from; one needs no choice
	Examples []LabExample
	Result   *LabResult // nil: nothing was asked
	Operator bool       // may operate
}

// LabList is a list of tools.
type LabList struct {
	Name  string // "" is our own
	Tools int
}

// LabExample is a call to try.
type LabExample struct {
	Shape string // key into the words
	Call  string
}

// LabResult is what became of the call.
type LabResult struct {
	Outcome string // exact, repaired, refused
	Error   string // of a refused call, as repair names it
	Note    string // key into the words: how the text was read, "" for plainly
	Steps   []LabStep
	Run     string // the call that would run, indented JSON; "" for none
	Told    string // what the agent reads, "" for nothing
}

// LabStep is one stage that changed something.
type LabStep struct {
	Stage   string
	Changes []LabChange
	Lines   []DiffLine
}

// LabChange is one change of a stage.
type LabChange struct{ Code, Path, Detail string }

// DiffLine is a line of a difference: Sign is "+", "-" or " ".
type DiffLine struct{ Sign, Text string }

// labPage is the page.
type labPage struct {
	frame
	Lab
	W labWords
}

// LabPage writes the repair lab.
func (u *UI) LabPage(s *site.Site, lang string, l Lab) ([]byte, error) {
	data := labPage{frame: u.own(s, lang, labPath, "live.mjs"), Lab: l, W: labWordsOf(lang)}
	data.offer(l.Operator)
	data.Title, data.Description = pageTitle(data.W.Title, data.Site), data.W.Intro
	return u.execute("lab.tmpl", data)
}

// Of is what a word of the lab's tables says, the word itself when none does.
func (p labPage) Of(table map[string]string, key string) string {
	if text, ok := table[key]; ok {
		return text
	}
	return key
}
