package engines

// Method says how the contenders are measured, and with which options they run.
func Method() []string {
	return []string{
		"Speed: every engine is a process that is asked one question a line, with ten ids as the answer, and measured from outside; the lines cost each of them the same. " +
			"The others are given the sections as Evergreen splits them; Evergreen reads and splits the folder itself and keeps its text, so its build does more and its disk holds more. " +
			"A start is a new process that opens the index and gives its first answer. Peak memory is that of the process that builds, memory that of the one that answers, after all queries.",
		"Options: bleve 2.6.3 with its analyzers `en` and `cjk` and its default tf-idf (its BM25 model counts lengths of fields by distinct terms); " +
			"SQLite FTS5 in its pure Go build (modernc 1.62.0), `porter unicode61` and for Chinese `trigram`, contentless, any of the words, `bm25` as it is; " +
			"tantivy 0.27.0 with `en_stem` and for Chinese pairs of characters; bm25s 0.3.16 with Snowball and its English stop words, title and body as one field, which is all it has; " +
			"lunr 2.3.9 with its defaults, which have no Chinese; MiniSearch 7.2.0 with titles boosted by 2, as its documentation does. bm25s and MiniSearch leave the cutting of words to their users: Chinese is cut into pairs. " +
			"The last two live in memory and are loaded from their own JSON. ripgrep ranks nothing: files are put in order of their matching lines, which is what an agent with a shell can do.",
	}
}
