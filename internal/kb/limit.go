package kb

// maxTopicTerms bounds the distinct terms of one topic. Ranking costs terms
// times text, and a topic of more distinct terms is a pasted file, not a
// question; the terms after the first thousand are not looked at.
const maxTopicTerms = 1000

// maxKeywordHits bounds what the keywords add to an integer score.
const maxKeywordHits = 5

// maxBodyHits bounds what one term adds for its occurrences in a body, so that
// a long body does not win by length.
const maxBodyHits = 6
