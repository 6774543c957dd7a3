// Package kb answers from a knowledge base: curated entries ranked by weighted
// retrieval, the rules that come with every bundle, the prompt packs, and the
// choice of their language. Everything here is pure: it reads no files (loading
// a context.json is the formats' work), keeps no index and packs no budget.
//
// Weighted retrieval is a contract shared with the browser: the same entries
// and the same topic must give the same scores to the last digit. It is meant
// for knowledge bases of some hundred entries, since it looks at every entry;
// whole libraries are ranked by an index.
package kb
