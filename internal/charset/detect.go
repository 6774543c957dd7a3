package charset

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/gogs/chardet"
	"golang.org/x/text/encoding/charmap"
)

// The statistical detector: the last resort for bytes without a true label.

// guess is an encoding the detector proposes.
type guess struct {
	name       string
	confidence int // of 100
}

// detect decodes with the most likely encoding that leaves nothing broken,
// windows-1252 when the detector has no opinion.
func detect(data []byte) (text []byte, name string, ok bool) {
	for _, g := range guesses(data) {
		enc, name := lookup(g.name)
		if name == "" || name == utf8Label || isWide(name) || g.confidence < minConfidence {
			continue
		}
		if text, bad, _ := decodeWith(enc, data); bad == 0 {
			return text, name, true
		}
	}
	text, bad, _ := decodeWith(charmap.Windows1252, data)
	return text, "windows-1252", bad == 0
}

// detectorScores gives the detector's confidence by canonical name.
func detectorScores(data []byte) map[string]int {
	scores := map[string]int{}
	for _, g := range guesses(data) {
		if _, name := lookup(g.name); name != "" {
			scores[name] = max(scores[name], g.confidence)
		}
		if g.name == "gb18030" {
			scores["gbk"] = max(scores["gbk"], g.confidence)
		}
	}
	return scores
}

// guesses asks the detector, most likely first; ties go by name, because the
// detector itself answers them in the order its goroutines finish.
func guesses(data []byte) []guess {
	results, err := chardet.NewTextDetector().DetectAll(sample(data))
	if err != nil {
		return nil
	}
	var out []guess
	for _, r := range results {
		name := strings.ToLower(r.Charset)
		if name == "gb-18030" {
			name = "gb18030"
		}
		out = append(out, guess{name, r.Confidence})
	}
	slices.SortFunc(out, func(a, b guess) int {
		return cmp.Or(cmp.Compare(b.confidence, a.confidence), strings.Compare(a.name, b.name))
	})
	return out
}

// sample returns the lines that hold bytes beyond ASCII, the only ones that
// tell encodings apart; markup around them would drown the statistics.
func sample(data []byte) []byte {
	var out []byte
	for line := range bytes.Lines(data) {
		if bytes.IndexFunc(line, func(r rune) bool { return r >= 0x80 }) >= 0 {
			out = append(out, stripTags(line)...)
		}
		if len(out) >= maxSample {
			return out[:maxSample]
		}
	}
	return out
}

// stripTags drops what stands between < and > on a line; a line that would
// lose its bytes beyond ASCII stays whole.
func stripTags(line []byte) []byte {
	var out []byte
	rest := line
	for len(rest) > 0 {
		open := bytes.IndexByte(rest, '<')
		if open < 0 {
			break
		}
		end := bytes.IndexByte(rest[open:], '>')
		if end < 0 {
			break
		}
		out = append(out, rest[:open]...)
		rest = rest[open+end+1:]
	}
	out = append(out, rest...)
	if bytes.IndexFunc(out, func(r rune) bool { return r >= 0x80 }) < 0 {
		return line
	}
	return out
}
