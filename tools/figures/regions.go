package main

// This file says what the regions show.

// regions are the tables by the names of their regions.
func regions() map[string][]view {
	return map[string][]view{
		"extraction": {
			{file: "extraction", heading: "Articles: ", columns: []string{"tool", "F1", "precision", "recall"}},
			{file: "extraction", heading: "Readability pages", columns: []string{"tool", "F1", "precision", "recall"}},
			{file: "extraction", heading: "Documentation as Markdown", columns: []string{"tool", "text F1", "code blocks", "with language", "cells", "headings", "tab panels", "admonitions"}},
			{file: "extraction", heading: "Articles per second", columns: []string{"tool", "extraction", "extraction and Markdown"}},
		},
		"conversion": {
			{file: "conversion", heading: "Round trip of documentation", columns: []string{"tool", "text F1", "code blocks", "with language", "cells", "links", "headings", "list items"}},
			{file: "conversion", heading: "Speed", columns: []string{"tool", "median", "spread", "slowest"}},
			{file: "conversion", heading: "Cases", columns: []string{"tool", "passed"}},
		},
		"sections": {{file: "sections", heading: "Headings lost"}, {file: "sections", heading: "Ids changed"}},
		"engines": {
			{file: "engines", heading: "Quality"},
			{file: "engines", heading: "Kubernetes docs"},
			{file: "engines-large", heading: "MDN"},
			{file: "engines", heading: "ripgrep"},
		},
		"passages": {{file: "passages", heading: "Found within"}, {file: "passages", heading: "Tokens until"}},
		"peers":    {{file: "peers", heading: "Evergreen and jdocmunch-mcp"}},
		"search":   {{file: "search", heading: "MDN", columns: []string{"what", "median", "spread"}}},
		"growth":   {{file: "growth", heading: "Floors"}, {file: "growth", heading: "The curve"}, {file: "growth", heading: "Material"}},
		"indexing": {{file: "indexing", heading: "MDN", columns: []string{"what", "median", "spread"}}},
	}
}

// onlyListed are results that the documents name without their tables: long
// lists, and what stands beside nobody.
func onlyListed() []string {
	return []string{"answers", "crawl", "defuddle", "retrieval", "transcript"}
}

// summaryLines are the rows of the summary.
func summaryLines() []line {
	notPeers := []string{"whole body"}
	const mdn = "MDN"
	return []line{
		{what: "Text of 91 news pages found, F1", file: "extraction", heading: "Articles: ", column: "F1", others: notPeers},
		{what: "Text of Readability's own 130 test pages, F1", file: "extraction", heading: "Readability pages", column: "F1", others: notPeers},
		{what: "Text of 20 documentation pages as Markdown, F1", file: "extraction", heading: "Documentation as Markdown", column: "text F1"},
		{what: "Pages to Markdown, one thread", file: "extraction", heading: "Articles per second", column: "extraction and Markdown", unit: " pages/s"},
		{what: "HTML to Markdown, one thread", file: "conversion", heading: "Speed", column: "median"},
		{what: "Headings of six trees lost", file: "sections", heading: "Headings lost", row: "all", column: "Evergreen lost", peerColumn: "jdocmunch-mcp lost", peer: "jdocmunch-mcp", lower: true},
		{what: "Ids changed by 1,000 edits elsewhere", file: "sections", heading: "Ids changed", row: "all", column: "Evergreen changed", peerColumn: "jdocmunch-mcp changed", peer: "jdocmunch-mcp", lower: true},
		{what: "Vague questions about Kubernetes, nDCG@10", file: "engines", heading: "Quality", column: "k8s-questions"},
		{what: "Chinese page summaries, nDCG@10", file: "engines", heading: "Quality", column: "tidb-summaries-zh"},
		{what: "MDN: search, p50", file: "engines-large", heading: mdn, column: "p50", lower: true, unit: " ms"},
		{what: "MDN: search, p99", file: "engines-large", heading: mdn, column: "p99", lower: true, unit: " ms"},
		{what: "MDN: build", file: "engines-large", heading: mdn, column: "build", unit: " sections/s"},
		{what: "MDN: start to first answer", file: "engines-large", heading: mdn, column: "start", lower: true, unit: " ms"},
		{what: "MDN: memory while answering", file: "engines-large", heading: mdn, column: "memory", lower: true, unit: " MB"},
		{what: "The right page's passage within 2,000 tokens, share of questions", file: "passages", heading: "Found within", column: "2,000"},
	}
}

// panels are the parts of the plot.
func panels() []panel {
	return []panel{
		{title: "Vague questions about the Kubernetes docs, nDCG@10: longer is better", file: "engines", heading: "Quality", column: "k8s-questions"},
		{title: "Search on MDN, 113,000 sections, p50 in milliseconds, by powers of ten: shorter is better", file: "engines-large", heading: "MDN", column: "p50", powers: true, unit: " ms"},
		{title: "The right page's passage within 2,000 tokens, share of 200 questions: longer is better", file: "passages", heading: "Found within", column: "2,000"},
	}
}
