package evergreen

// Counts of documents in one indexing run.
type Counts struct {
	Discovered int `json:"discovered"`
	Indexed    int `json:"indexed"` // new or changed
	Unchanged  int `json:"unchanged"`
	Removed    int `json:"removed"`
	Skipped    int `json:"skipped"`
}

// Skip names a place that was not indexed and why.
type Skip struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// IndexReport tells what became of everything that was found.
// Discovered = Indexed + Unchanged + Skipped, always.
type IndexReport struct {
	Collection string   `json:"collection"`
	Source     string   `json:"source"`
	Documents  Counts   `json:"documents"`
	Sections   int      `json:"sections"` // in the collection now
	Tokens     int      `json:"tokens"`   // in the collection now
	Truncated  bool     `json:"truncated"`
	Skipped    []Skip   `json:"skipped"`
	Warnings   []string `json:"warnings,omitempty"`
	Seconds    float64  `json:"seconds"`
}

// IndexRequest asks for a source to be indexed.
type IndexRequest struct {
	Source   Source
	Name     string // "" derives one from the source
	MaxFiles int    // 0 means the default cap
	Verify   bool   // hash every file, trust no time stamps

	// What the run may leave behind, in bytes; 0 is no bound. A run that would
	// leave more fails with an error of kind Exhausted and changes nothing.
	MaxText    int64 // of the collection's texts
	MaxLibrary int64 // of the library on disk

	// Client is who asks, in a form that the library may keep a hash of; "" is the
	// operator. A collection counts to the client that made it, for good. What all
	// collections of one client may hold together is bounded as above, and then a
	// client may add no sources to what others have made.
	Client            string
	MaxClientBytes    int64 // of texts and indexes on disk
	MaxClientSections int

	// Of web sources.
	Refresh      bool     // ask the server for every page, whatever the cache holds
	MaxPages     int      // 0 means the default cap
	Depth        int      // links from the first page; 0 means the default
	Header       []string // "Key: Value", sent to the source's own host
	AllowPrivate bool     // reach addresses that are not public
}

// Progress is told about long work. Implementations must be safe for
// concurrent use; total is 0 while unknown.
type Progress func(stage string, done, total int)

// Damage is a collection that cannot be read. Its kind is Damaged, NotFound for
// one of an earlier format and Conflict for one of a later.
type Damage struct {
	Name    string   `json:"collection"`
	Kind    Kind     `json:"kind"`
	Message string   `json:"message"`
	Sources []Source `json:"sources,omitempty"` // as far as they are still known
}

// Warning is the damage as answers carry it, which may go to strangers: it names no
// place on this machine.
func (d Damage) Warning() Warning {
	why := "is damaged"
	switch d.Kind {
	case NotFound:
		why = "is of an earlier format"
	case Conflict:
		why = "is of a later format"
	}
	return Warning{ID: d.Name, Rule: RuleDamaged, Text: "the collection " + why + ": all or a part of it is missing from answers"}
}

// RepairRequest asks for a collection to be brought back.
type RepairRequest struct {
	Name         string
	MaxFiles     int  // of its local sources, 0 means the default cap
	AllowPrivate bool // reach addresses that are not public
}

// RepairReport tells what a repair found and did.
type RepairReport struct {
	Collection string   `json:"collection"`
	Found      []string `json:"found"`   // what did not hold together, empty when all did
	Kept       int      `json:"kept"`    // documents that were whole, or rebuilt from the library's own texts
	Reread     int      `json:"reread"`  // documents read again from their sources
	Missing    []Skip   `json:"missing"` // files, or whole sources, that are gone until their source can be read
}
