package main

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"evergreen/internal/index"
	"evergreen/internal/text"
)

// This file ranks as docs/adr/0004 says, part by part, in plain floating point:
// slow, short, and nothing of the index.

// model says which parts of the ranking are in use.
type model struct {
	titleB, bodyB float64 // of BM25
	ownFrequency  bool    // each field has its own document frequency
	k3            float64 // 0: a word said twice weighs twice
	requests      bool    // leave out words that ask for texts
	evidence      float64 // part of a score that the document has
	feedback      float64 // weight of what long questions learn
	feedbackWords int
	phrase        float64 // what a section with the question's quoted phrases gains; 1: nothing
	quoteLearns   bool    // questions with a quoted phrase learn too
}

func whole() model {
	return model{titleB: 1, bodyB: .6, k3: 2, requests: true, evidence: 1. / 3, feedback: .15, feedbackWords: 8, phrase: 1.5}
}

const (
	k1, exact, part, identifier = 1.2, .08, .15, .5

	bestSections, depth = 5, 100
	sources, most       = 3, 8
	common, longest     = .1, 1024
)

type term struct {
	name   string
	weight float64
	word   bool
}

func (m model) parse(question string) []term {
	asks := text.IsQuestionWord
	if m.requests {
		terse := m.read(question, func(w string) bool { return asks(w) || text.IsRequestWord(w) })
		if len(wordsOf(terse)) >= 4 {
			return terse
		}
	}
	if out := m.read(question, asks); len(out) > 0 {
		return out
	}
	return m.read(question, func(string) bool { return false })
}

func wordsOf(terms []term) []term {
	return slices.DeleteFunc(slices.Clone(terms), func(t term) bool { return !t.word })
}

func (m model) read(question string, spare func(string) bool) []term {
	weights, words := map[string]float64{}, map[string]bool{}
	eachUnit(question, func(surface string, t text.Terms) {
		if spare(strings.ToLower(surface)) {
			return
		}
		for _, s := range t.Base {
			weights[s]++
			words[s] = true
			if s[0] < utf8.RuneSelf {
				weights[text.PartPrefix+s] += part
			}
		}
		for _, s := range t.Extra {
			switch s[:1] {
			case text.ExactPrefix:
				weights[s] += exact
			case text.WholePrefix:
				weights[s] += identifier
			default:
				weights[s] += part
				weights[s[1:]] += part
			}
		}
	})
	var out []term
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		w := weights[name]
		if words[name] && m.k3 > 0 {
			w = (m.k3 + 1) * w / (m.k3 + w)
		}
		out = append(out, term{name, w, words[name]})
	}
	return out
}

// rank returns the best sections, best first.
func (m model) rank(s *judged, question string) []int {
	terms := m.parse(question)
	scores := make([]float64, len(s.sections)) // 0: no hit
	for _, t := range terms {
		m.add(s, t, scores, false)
	}
	phrases := index.ParseQuery(question).Phrases()
	if words := wordsOf(terms); m.feedback > 0 && (m.quoteLearns || len(phrases) == 0) && len(words) >= m.feedbackWords && !slices.ContainsFunc(terms, func(t term) bool { return t.name[0] >= utf8.RuneSelf }) {
		for _, t := range m.learn(s, words, scores) {
			m.add(s, t, scores, true)
		}
	}
	final := make([]float64, len(scores))
	for _, d := range s.documents {
		own := slices.Clone(scores[d[0]:d[1]])
		slices.SortFunc(own, func(a, b float64) int { return cmp.Compare(b, a) })
		mean := 0.0
		for _, x := range own[:min(len(own), bestSections)] {
			mean += x / float64(min(len(own), bestSections))
		}
		for i := d[0]; i < d[1]; i++ {
			if scores[i] > 0 {
				final[i] = scores[i] + m.evidence*(mean-scores[i])
				if m.phrase > 0 && len(phrases) > 0 && s.holds(i, phrases) {
					final[i] *= m.phrase
				}
			}
		}
	}
	return s.best(final, depth)
}

// holds reports whether a section has all phrases.
func (s *judged) holds(section int, phrases []index.Phrase) bool {
	return !slices.ContainsFunc(phrases, func(p index.Phrase) bool {
		return !p.In(s.sections[section].Title) && !p.In(s.sections[section].Body)
	})
}

func (s *judged) best(scores []float64, n int) []int {
	var out []int
	for i, score := range scores {
		if score > 0 {
			out = append(out, i)
		}
	}
	slices.SortFunc(out, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), strings.Compare(s.sections[a].ID, s.sections[b].ID))
	})
	return out[:min(n, len(out))]
}

func (m model) idf(s *judged, name string) [2]float64 {
	n := float64(len(s.sections))
	df := [2]float64{float64(len(s.lists[0][name])), float64(len(s.lists[1][name]))}
	if !m.ownFrequency {
		df[0] = max(df[0], df[1])
		df[1] = df[0]
	}
	return [2]float64{math.Log(1 + (n-df[0]+.5)/(df[0]+.5)), math.Log(1 + (n-df[1]+.5)/(df[1]+.5))}
}

// saturation is a term's share of a field, at most 1.
func (m model) saturation(s *judged, field int, p posting) float64 {
	b := [2]float64{m.titleB, m.bodyB}[field]
	return p.frequency / (p.frequency + k1*(1-b+b*s.lengths[field][p.section]/s.average[field]))
}

func (m model) add(s *judged, t term, scores []float64, known bool) {
	idf := m.idf(s, t.name)
	for field, lists := range s.lists {
		for _, p := range lists[t.name] {
			if scores[p.section] > 0 || !known {
				scores[p.section] += t.weight * idf[field] * (k1 + 1) * m.saturation(s, field, p)
			}
		}
	}
}

// learn returns the terms that the best sections share.
func (m model) learn(s *judged, words []term, scores []float64) []term {
	short := slices.Clone(scores)
	for i, n := range s.lengths[1] {
		if n > longest {
			short[i] = 0
		}
	}
	total, asked := 0.0, 0.0
	best := s.best(short, sources)
	for _, section := range best {
		total += scores[section]
	}
	for _, w := range words {
		asked += w.weight
	}
	weights, in := map[string]float64{}, map[string]int{}
	for _, section := range best {
		counts := map[string]float64{}
		eachUnit(s.sections[section].Body, func(_ string, t text.Terms) {
			for _, b := range t.Base {
				counts[b]++
			}
		})
		for name, n := range counts {
			in[name]++
			weights[name] += scores[section] / total * m.saturation(s, 1, posting{section, n})
		}
	}
	maps.DeleteFunc(weights, func(name string, _ float64) bool {
		df := max(len(s.lists[0][name]), len(s.lists[1][name]))
		return in[name] < 2 || len(name) < 2 || float64(df) > common*float64(len(s.sections))
	})
	for name := range weights {
		weights[name] *= m.idf(s, name)[1]
	}
	names := slices.SortedFunc(maps.Keys(weights), func(a, b string) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), strings.Compare(a, b))
	})
	names = names[:min(len(names), most)]
	sum := 0.0
	for _, name := range names {
		sum += weights[name]
	}
	var out []term
	for _, name := range names {
		out = append(out, term{name: name, weight: weights[name] / sum * asked * m.feedback})
	}
	return out
}
