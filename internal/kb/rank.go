package kb

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"evergreen"
)

// This file is weighted retrieval over curated entries.

// What one term adds when a field contains it.
const (
	idWeight      = 8
	titleWeight   = 5
	tagsWeight    = 4
	summaryWeight = 3
)

// unmatchedRelevance is the relevance of every entry when the topic hits none.
const unmatchedRelevance = 0.17

// Rank scores the entries against a topic, best first; ties stand in order of
// their ids. With matched false nothing was hit and every entry is returned,
// scored by its confidence alone: an empty answer would not tell an agent
// whether nothing is known or the question was mistaken.
//
// The arithmetic is plain IEEE doubles without fused multiply-add, scores and
// relevance are rounded half away from zero to three decimals.
func Rank(entries []evergreen.Entry, topic string) (ranked []evergreen.PackedEntry, matched bool) {
	terms := Terms(topic)
	for _, e := range entries {
		raw := rawScore(e, terms)
		if score := weigh(raw, e.Confidence); score > 0 {
			ranked = append(ranked, evergreen.PackedEntry{Entry: e, Score: score})
		}
	}
	matched = len(ranked) > 0
	if !matched {
		for _, e := range entries {
			score := round3(float64(e.Confidence * 0.1))
			ranked = append(ranked, evergreen.PackedEntry{Entry: e, Score: score, Relevance: unmatchedRelevance})
		}
	}
	slices.SortStableFunc(ranked, func(a, b evergreen.PackedEntry) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ID, b.ID))
	})
	if matched {
		best := ranked[0].Score
		for i := range ranked {
			ranked[i].Relevance = round3(ranked[i].Score / best)
		}
	}
	return ranked, matched
}

func rawScore(e evergreen.Entry, terms []string) int {
	id, title, summary, body := lower(e.ID), lower(e.Title), lower(e.Summary), lower(e.Body)
	tags := make([]string, len(e.Tags))
	for i, t := range e.Tags {
		tags[i] = lower(t)
	}
	raw := 0
	for _, t := range terms {
		if strings.Contains(id, t) {
			raw += idWeight
		}
		if strings.Contains(title, t) {
			raw += titleWeight
		}
		if slices.ContainsFunc(tags, func(tag string) bool { return strings.Contains(tag, t) }) {
			raw += tagsWeight
		}
		if strings.Contains(summary, t) {
			raw += summaryWeight
		}
		raw += min(strings.Count(body, t), maxBodyHits)
	}
	return raw
}

// weigh lets confidence move a raw score by at most 15 %, so that a sure
// generality does not beat an exact hit.
func weigh(raw int, confidence float64) float64 {
	share := float64(confidence * 0.15)
	return round3(float64(float64(raw) * float64(0.85+share)))
}

func round3(x float64) float64 {
	return math.Round(float64(x*1000)) / 1000
}
