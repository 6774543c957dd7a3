package injection

const (
	// maxMarks is how many marks of one passage are told: the first says it all.
	maxMarks = 8
	// maxShown is how much of a mark is shown, in characters.
	maxShown = 120
	// hiddenTags and hiddenRun are how many invisible characters together are no
	// accident: tags spell nothing below three letters, and no script joins ten
	// characters without drawing one.
	hiddenTags, hiddenRun = 3, 10
)
