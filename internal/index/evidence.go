package index

// This file lets a document speak for its sections: a section is scored by its
// own words and by how well the best of its document match (Callan,
// Passage-Level Evidence in Document Retrieval, 1994; Bendersky and Kurland,
// Utilizing Passage-Based Language Models for Document Retrieval, 2008).

// evidenceSections is how many sections speak for a document: its best ones. A
// mean over all of them would make long documents lose.
const evidenceSections = 5

// evidence is the mean score of a document's best sections.
type evidence float64

// evidenceOf computes the evidence of a document from the scores of its
// sections. A document of fewer sections than evidenceSections is judged by all
// of them; those without a hit count as 0.
func evidenceOf(scores []float32) evidence {
	var best [evidenceSections]float32 // descending
	for _, s := range scores {
		for i := 0; s > best[evidenceSections-1] && i < len(best); i++ {
			if s > best[i] {
				s, best[i] = best[i], s
			}
		}
	}
	sum := 0.0
	for _, s := range best {
		sum += float64(s)
	}
	return evidence(sum / float64(min(len(scores), evidenceSections)))
}

// weigh mixes a section's score, two parts, with the evidence of its document,
// one part. What stands alone keeps its score exactly.
func (e evidence) weigh(score float32) float32 {
	return float32((2*float64(score) + float64(e)) / 3)
}
