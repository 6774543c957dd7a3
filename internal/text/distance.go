package text

import (
	"sort"
	"strings"
)

// Distance is the edit distance of a and b in code points, counting an
// insertion, deletion, substitution or swap of neighbours as one (optimal
// string alignment).
func Distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	if len(s) > len(t) {
		s, t = t, s
	}
	prev2 := make([]int, len(s)+1)
	prev := make([]int, len(s)+1)
	cur := make([]int, len(s)+1)
	for i := range prev {
		prev[i] = i
	}
	for j := 1; j <= len(t); j++ {
		cur[0] = j
		for i := 1; i <= len(s); i++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			cur[i] = min(prev[i]+1, cur[i-1]+1, prev[i-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				cur[i] = min(cur[i], prev2[i-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(s)]
}

// Nearest returns at most n of the candidates that are closest to word, best
// first: fewest edits ignoring case, then longest common prefix, then order by
// bytes. Candidates that share nothing with word are still returned, since an
// agent that guessed a name is better served by some name than by none.
func Nearest(word string, candidates []string, n int) []string {
	type scored struct {
		name     string
		distance int
		prefix   int
	}
	w := strings.ToLower(word)
	list := make([]scored, 0, len(candidates))
	for _, c := range candidates {
		l := strings.ToLower(c)
		d := Distance(w, l)
		if w != "" && strings.Contains(l, w) {
			d = min(d, 1+(len(l)-len(w))/8)
		}
		list = append(list, scored{c, d, commonPrefix(w, l)})
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i], list[j]
		switch {
		case a.distance != b.distance:
			return a.distance < b.distance
		case a.prefix != b.prefix:
			return a.prefix > b.prefix
		}
		return a.name < b.name
	})
	out := make([]string, 0, min(n, len(list)))
	for _, s := range list {
		if len(out) == n {
			break
		}
		if len(out) > 0 && out[len(out)-1] == s.name {
			continue
		}
		out = append(out, s.name)
	}
	return out
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
