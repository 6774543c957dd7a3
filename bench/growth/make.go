package main

// This file makes libraries of any size: real documents first, and where these
// end, documents made of their sections.

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// written is what lies in a folder of documents.
type written struct {
	files, sections, real int // real: files that are as their authors wrote them
	bytes                 int64
	words                 map[string]struct{} // different ones, lower-cased
	titles                []string            // of the sections, every titleStep-th
}

// titleStep thins out the headings that queries are drawn from.
const titleStep = 10

// maker writes documents, one after the other and each once.
type maker struct {
	folder string
	real   []document
	own    map[string]bool // words that stand in one real document alone
	next   int             // of real, in the present round
	round  int             // 0 writes the real documents
	places [][]unit        // of the present round, by tree and level
	last   string          // the file that was written last
	done   written
}

func newMaker(folder string, real []document) *maker {
	return &maker{folder: folder, real: real, own: ownWords(real), done: written{words: map[string]struct{}{}}}
}

// until writes documents until there are so many sections.
func (m *maker) until(sections int) error {
	for m.done.sections < sections {
		if m.next == len(m.real) {
			m.next = 0
			m.round++
			m.shuffle()
		}
		if err := m.write(m.real[m.next]); err != nil {
			return err
		}
		m.next++
	}
	return nil
}

// levels are the levels of headings, and 0 for what has none.
const levels = 7

// shuffle deals the sections of each tree anew, each to a place of its level: a
// round holds every section once more, in other company.
func (m *maker) shuffle() {
	m.places = nil
	for _, d := range m.real {
		for len(m.places) < (d.tree+1)*levels {
			m.places = append(m.places, nil)
		}
		for _, u := range d.units {
			m.places[d.tree*levels+u.level] = append(m.places[d.tree*levels+u.level], u)
		}
	}
	random := rand.New(rand.NewPCG(1, uint64(m.round)))
	for _, units := range m.places {
		random.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
	}
}

// made is the document of the present round in the place of a real one.
func (m *maker) made(d document) document {
	if m.round == 0 {
		return d
	}
	suffix := syllables(m.round)
	d.path = "round-" + suffix + "/" + d.path
	d.head = rename(d.head, m.own, suffix)
	units := make([]unit, len(d.units))
	for i, place := range d.units {
		left := &m.places[d.tree*levels+place.level]
		u := (*left)[0]
		*left = (*left)[1:]
		units[i] = unit{rename(u.title, m.own, suffix), rename(u.text, m.own, suffix), u.level}
	}
	d.units = units
	return d
}

// age is the time of every file: none looks as if it had just changed.
var age = time.Unix(1_700_000_000, 0)

func (m *maker) write(d document) error {
	d = m.made(d)
	text := []byte(d.head)
	for _, u := range d.units {
		if n := len(text); n > 0 && text[n-1] != '\n' {
			text = append(text, '\n')
		}
		text = append(text, u.text...)
		if m.done.sections%titleStep == 0 {
			m.done.titles = append(m.done.titles, u.title)
		}
		m.done.sections++
	}
	eachWord(string(text), func(word string) { m.done.words[word] = struct{}{} })
	file := filepath.Join(m.folder, filepath.FromSlash(d.path))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return err
	}
	m.last = file
	m.done.files++
	m.done.bytes += int64(len(text))
	if m.round == 0 {
		m.done.real++
	}
	return os.Chtimes(file, age, age)
}
