package llmstxt

const (
	// maxLinks bounds the links read from one file: five times the largest
	// list seen in public repositories.
	maxLinks = 20_000
	// maxDiagnostics bounds the findings of one file; a whole documentation in
	// one file has thousands.
	maxDiagnostics = 100
	// MaxRunes is the size above which Split cuts a file: agents' fetch tools
	// cut answers at about 100,000 characters, some at half of it.
	MaxRunes = 50_000
	// maxNameBytes and maxURLBytes bound how far the end of a link's name, of a
	// code span and of a URL is looked for, so that a megabyte of opening
	// brackets costs no quadratic time. A browser takes no longer URLs either.
	maxNameBytes = 500
	maxURLBytes  = 2_000
)
