// Package finding holds what the judges of an audit say: one check, how it came
// out, what it rests on, and how to mend it. It judges nothing itself.
package finding

// Status is how a check came out.
type Status string

// The outcomes. Skipped checks do not apply to the site and do not count.
const (
	Pass Status = "pass"
	Warn Status = "warn"
	Fail Status = "fail"
	Skip Status = "skip"
)

// Phase is when a gap is worth closing.
type Phase string

// The phases: P0 is an index, mirrors and robots.txt; P1 structured data and
// entries; P2 the interfaces.
const (
	P0 Phase = "P0"
	P1 Phase = "P1"
	P2 Phase = "P2"
)

// Check is one question of one judge and its answer.
type Check struct {
	Judge  string `json:"judge"` // afdocs, lighthouse, cloudflare, lint or layers
	ID     string `json:"id"`    // the judge's own name for it
	Layer  string `json:"layer"` // L1 to L7
	Phase  Phase  `json:"phase"`
	Status Status `json:"status"`
	Title  string `json:"title"` // what is asked, in a few words

	// What the verdict rests on: of a check over many pages, the first that
	// failed.
	Requested string `json:"requested,omitempty"`
	Got       string `json:"got,omitempty"`
	Fix       string `json:"fix,omitempty"` // one command or snippet; of failed checks and warnings

	Weight      float64 `json:"weight,omitempty"`      // in the judge's score
	Coefficient float64 `json:"coefficient,omitempty"` // on the weight, 1 when nothing reduces it
	Proportion  float64 `json:"proportion"`            // earned, 0 to 1
	Tested      int     `json:"tested,omitempty"`      // pages or links
}

// Counts reports whether the check takes part in a score.
func (c Check) Counts() bool { return c.Status != Skip }

// Outcome is how a check came out, before the judge's table puts name, layer
// and weight to it.
type Outcome struct {
	Status         Status
	Proportion     float64
	Tested         int
	Requested, Got string
}

// Passed is an outcome that earns everything.
func Passed(requested, got string) Outcome { return Outcome{Pass, 1, 1, requested, got} }

// Failed is an outcome that earns nothing.
func Failed(requested, got string) Outcome { return Outcome{Fail, 0, 1, requested, got} }

// Skipped is an outcome that does not count.
func Skipped(why string) Outcome { return Outcome{Status: Skip, Got: why} }

// If is Passed or Failed.
func If(ok bool, requested, got string) Outcome {
	if ok {
		return Passed(requested, got)
	}
	return Failed(requested, got)
}

// Tally adds up a check over many pages.
type Tally struct {
	pass, warn, fail int
	worst            Status
	requested, got   string // of the first page that is worst
}

// Add counts one page.
func (t *Tally) Add(s Status, requested, got string) {
	switch s {
	case Pass:
		t.pass++
	case Warn:
		t.warn++
	case Fail:
		t.fail++
	default:
		return
	}
	if t.requested == "" || rank(s) > rank(t.worst) {
		t.worst, t.requested, t.got = s, requested, got
	}
}

func rank(s Status) int {
	switch s {
	case Fail:
		return 2
	case Warn:
		return 1
	}
	return 0
}

// Tested is the number of pages counted.
func (t *Tally) Tested() int { return t.pass + t.warn + t.fail }

// Rate is the share of pages that passed, 0 to 1.
func (t *Tally) Rate() float64 {
	if t.Tested() == 0 {
		return 0
	}
	return float64(t.pass) / float64(t.Tested())
}

// Any reports whether a page passed or got a warning.
func (t *Tally) Any() bool { return t.pass+t.warn > 0 }

// Outcome is the worst page's status, and the mean of what the pages earn when
// a warning earns warn.
func (t *Tally) Outcome(warn float64) Outcome {
	if t.Tested() == 0 {
		return Skipped("nothing to look at")
	}
	return Outcome{t.worst, (float64(t.pass) + float64(t.warn)*warn) / float64(t.Tested()), t.Tested(), t.requested, t.got}
}

// Share is Outcome with a status by the share of pages that passed: at least
// enough is a pass, any at all a warning.
func (t *Tally) Share(warn, enough float64) Outcome {
	o := t.Outcome(warn)
	if o.Status == Skip {
		return o
	}
	switch {
	case t.Rate() >= enough:
		o.Status = Pass
	case t.Any():
		o.Status = Warn
	default:
		o.Status = Fail
	}
	return o
}
