package engines

import (
	"evergreen/bench/internal/peer"
	"evergreen/bench/internal/report"
)

// Method says how the contenders are measured.
func Method() []string {
	return []string{
		"Speed: every engine is a process that is asked one question a line, with ten ids as the answer, and measured from outside; the lines cost each of them the same. " +
			"The others are given the sections as Evergreen splits them; Evergreen reads and splits the folder itself and keeps its text, so its build does more and its disk holds more. " +
			"A start is a new process that opens the index and gives its first answer. Peak memory is that of the process that builds, memory that of the one that answers, after all queries.",
	}
}

// Peers says which versions run, and with which options.
func Peers() []report.Peer {
	return []report.Peer{
		{Name: Ours, Version: "this commit", Options: "defaults", Why: "what its users get"},
		{Name: bleveName, Version: peer.Module("github.com/blevesearch/bleve/v2"), Options: "analyzers `en` and `cjk`, tf-idf, nothing stored but ids", Why: "the analyzers of the languages; tf-idf is its default, and its BM25 counts lengths of fields by distinct terms"},
		{Name: fts5Name, Version: "modernc " + peer.Module("modernc.org/sqlite"), Options: "`porter unicode61`, for Chinese `trigram`; contentless; any of the words; `bm25`", Why: "pure Go, as Evergreen is; the only tokenizer of its own that finds Chinese; all words would find nothing for most questions"},
		{Name: tantivyName, Version: tantivyVersion, Options: "`en_stem`, for Chinese pairs of characters; writer and merges as they are", Why: "its stemmer for English; pairs are what CJK analyzers cut"},
		{Name: bm25sName, Version: bm25sVersion, Options: "Snowball and its English stop words, for Chinese pairs; title and body as one field; index mapped into memory", Why: "what its documentation shows; it has no fields, and leaves the cutting of words to its users"},
		{Name: lunrName, Version: lunrVersion, Options: "trimmer, stop words and stemmer; no Chinese", Why: "its defaults; it knows no Chinese"},
		{Name: miniSearchName, Version: miniSearchVersion, Options: "titles boosted by 2; for Chinese pairs", Why: "the boost of its documentation; it leaves the cutting of words to its users"},
	}
}
