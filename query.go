package evergreen

// Budget bounds of a bundle, in tokens, and the default.
const (
	MinBudget     = 200
	MaxBudget     = 8000
	DefaultBudget = 2000
)

// Retrieval modes.
const (
	ModeAuto     = "auto"
	ModeBM25     = "bm25"
	ModeWeighted = "weighted"
)

// Languages of rules, packs and messages.
const (
	LangAuto    = "auto"
	LangEnglish = "en"
	LangChinese = "zh"
)

// Query asks for a bundle.
type Query struct {
	Topic      string
	Budget     int    // tokens as asked; clamped to [MinBudget, MaxBudget]; 0 means DefaultBudget
	Category   string // "" is any
	Collection string // "" is all
	Mode       string // "" is ModeAuto
	Limit      int    // most entries; 0 is no limit
	Lang       string // "" is LangAuto
	AcceptLang string // Accept-Language header, consulted by LangAuto
	WholeText  bool   // the budget bounds the answer written as Markdown, not the entries alone
}

// QueryEcho is the question as the bundle repeats it.
type QueryEcho struct {
	Topic      string  `json:"topic"`
	Budget     int     `json:"budget"` // as asked
	Category   *string `json:"category"`
	Collection string  `json:"collection,omitempty"`
	Mode       string  `json:"mode,omitempty"`
	Limit      int     `json:"limit,omitempty"`
	Lang       string  `json:"lang,omitempty"`
}

// Partial marks an entry of which only a passage was packed.
type Partial struct {
	Offset int `json:"offset"` // bytes into the entry's body
	Bytes  int `json:"bytes"`
	Total  int `json:"total"` // bytes of the whole body
}

// PackedEntry is an entry in a bundle.
type PackedEntry struct {
	Entry
	Score     float64  `json:"score"`
	Relevance float64  `json:"relevance"` // score / best score, 3 decimals
	Partial   *Partial `json:"partial,omitempty"`
}

// Citation says how to cite one packed entry.
type Citation struct {
	Marker     string  `json:"marker"` // [EG-201] or [react:3fa9c1]
	EntryID    string  `json:"entryId"`
	URL        string  `json:"url"`
	Text       string  `json:"text"`
	Confidence float64 `json:"confidence"`
}

// LeftOut is an entry that did not fit.
type LeftOut struct {
	ID     string  `json:"id"`
	Title  string  `json:"title"`
	Marker string  `json:"marker"`
	Tokens int     `json:"tokens"`
	Score  float64 `json:"score"`
}

// Bundle is the answer to a budgeted query.
type Bundle struct {
	Query            QueryEcho     `json:"query"`
	KnowledgeVersion string        `json:"knowledgeVersion"`
	Revision         string        `json:"revision"`
	UsedTokens       int           `json:"usedTokens"`
	Budget           int           `json:"budget"` // effective
	Truncated        bool          `json:"truncated"`
	Matched          bool          `json:"matched"`
	EntryCount       int           `json:"entryCount"`
	Entries          []PackedEntry `json:"entries"`
	Citations        []Citation    `json:"citations"`
	Rules            []string      `json:"rules"`
	LeftOut          []LeftOut     `json:"leftOut,omitempty"`     // the first few, best first
	Suggestions      []string      `json:"suggestions,omitempty"` // spellings, when nothing matched
	Warnings         []Warning     `json:"warnings,omitempty"`    // of what is missing, and of the guard, when it is on
	GeneratedAt      string        `json:"generatedAt"`           // the snapshot's time, RFC 3339 UTC
	Source           string        `json:"source"`
	Lang             string        `json:"-"` // language the rules were written in
}

// Warning marks a passage that addresses the model which reads it with
// instructions. The passage is shown as it is all the same. One with the rule
// [RuleDamaged] tells of a collection that is missing from the answer.
type Warning struct {
	ID   string `json:"id"`   // of the entry or section; the collection's name
	Rule string `json:"rule"` // kind of instruction, see docs/security.md
	Text string `json:"text"` // the words, on one line, at most 120 characters; what is missing
}

// RuleDamaged is the rule of a warning about a collection of which nothing, or
// not all, can be answered from.
const RuleDamaged = "damaged"

// SearchRequest asks for hits.
type SearchRequest struct {
	Query      string
	Collection string // "" is all
	PathGlob   string // doublestar pattern over doc_path; "" is any
	Category   string
	Limit      int // 0 means 10
	Mode       string
	Cursor     string
}

// Hit is one ranked section or entry.
type Hit struct {
	ID         string  `json:"id"`
	Collection string  `json:"collection"`
	DocPath    string  `json:"doc_path"`
	Title      string  `json:"title"`
	DocTitle   string  `json:"doc_title,omitempty"` // of the document, when it is not the title
	Score      float64 `json:"score"`               // 3 decimals
	Snippet    string  `json:"snippet"`
	Tokens     int     `json:"tokens"`
	Marker     string  `json:"marker,omitempty"`
}

// SearchResult is one page of hits.
type SearchResult struct {
	Query       string   `json:"query"`
	Mode        string   `json:"mode"`
	Total       int      `json:"total"` // sections that match at all
	Matched     bool     `json:"matched"`
	Hits        []Hit    `json:"hits"`
	NextCursor  string   `json:"next_cursor,omitempty"`
	Suggestions []string `json:"suggestions,omitempty"`
	// Warnings of what is missing, and of the guard about titles and snippets, when
	// it is on.
	Warnings []Warning `json:"warnings,omitempty"`
}

// OutlineRequest asks for a collection's or document's outline.
type OutlineRequest struct {
	Collection string
	DocPath    string // "" is every document
	Depth      int    // deepest heading level shown; 0 is all
	Limit      int    // most sections on this page; 0 means 500, -1 all
	NoKeywords bool   // of sections, a third of what an outline costs
	Cursor     string
}

// Outline is one page of an outline.
type Outline struct {
	Collection string            `json:"collection"`
	Documents  []OutlineDocument `json:"documents"`
	Total      int               `json:"total"`              // documents in scope
	NextCursor string            `json:"next_cursor"`        // "" on the last page
	Warnings   []Warning         `json:"warnings,omitempty"` // of what is missing
}

// OutlineDocument is a document with its sections. When a page of an outline
// begins within a document its earlier sections are absent.
type OutlineDocument struct {
	Path      string    `json:"doc_path"`
	Title     string    `json:"title"`
	HeadBytes int       `json:"head_bytes"`
	Sections  []Section `json:"sections"`
}

// SectionRequest asks for the text of a section or entry.
type SectionRequest struct {
	ID       string
	MaxBytes int // 0 or -1: all
	Offset   int
	Verify   bool
	Context  bool
}

// SectionText is the answer to a SectionRequest.
type SectionText struct {
	ID          string          `json:"id"`
	Title       string          `json:"title"`
	Level       int             `json:"level"`
	ParentID    string          `json:"parent_id"` // "" at the top
	Collection  string          `json:"collection"`
	DocPath     string          `json:"doc_path"`
	URL         string          `json:"url"`              // of the original, "" for local files
	Source      string          `json:"source,omitempty"` // original location of the document
	FetchedAt   string          `json:"fetched_at,omitempty"`
	Markdown    string          `json:"markdown"`
	Truncated   bool            `json:"truncated"`
	TotalBytes  int             `json:"total_bytes"`
	NextOffset  int             `json:"next_offset"` // 0 when this was the last piece
	Verified    *bool           `json:"verified"`    // null when not asked for
	ContentHash string          `json:"content_hash"`
	Tokens      int             `json:"tokens"`
	Marker      string          `json:"marker,omitempty"`
	Hint        string          `json:"hint,omitempty"` // how the id was understood, when not literally
	Context     *SectionContext `json:"context,omitempty"`
	Warnings    []Warning       `json:"warnings,omitempty"` // of the guard about the whole section, when it is on
}

// SectionContext is what surrounds a section.
type SectionContext struct {
	Ancestors []SectionRef `json:"ancestors"`
	Children  []SectionRef `json:"children"`
	Previous  *SectionRef  `json:"previous"`
	Next      *SectionRef  `json:"next"`
}

// SectionRef names a section.
type SectionRef struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Tokens int    `json:"tokens"`
}
