package measure

// This file walks to an answer as agents do: with the index, and without.

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"evergreen/internal/platform/tree"

	"golang.org/x/net/html/atom"
)

// Walk compares the way to a usable context with and without the index. Usable
// is a context that holds the page which the question is about.
type Walk struct {
	Questions int  `json:"questions"`
	With      Path `json:"with_llms_txt"`
	Without   Path `json:"without_llms_txt"`
}

// Path is a mean over the questions.
type Path struct {
	Found    int     `json:"found"`    // questions that led to their page
	Requests float64 `json:"requests"` // mean of all, those that were given up counting in full
	Tokens   float64 `json:"tokens"`   // mean of what was read
}

// question asks for what one page is about.
type question struct {
	topic string // the page's title
	path  string
}

// questions are the titles of pages of the sample, evenly spread.
func (r *run) questions(pages []Page) []question {
	var all []question
	for _, p := range pages {
		a, ok := r.good(p.Path, "text/html")
		if !ok || p.Path == "/" {
			continue
		}
		doc, _ := tree.Parse(a.body)
		for _, name := range []atom.Atom{atom.H1, atom.Title} {
			if n := tree.First(doc, name); n != nil && strings.TrimSpace(tree.Text(n)) != "" {
				all = append(all, question{strings.Join(strings.Fields(tree.Text(n)), " "), p.Path})
				break
			}
		}
	}
	return spread(all, maxQuestions)
}

func (r *run) walk(home answer, questions []question) Walk {
	w := Walk{Questions: len(questions)}
	var with, without Path
	for _, q := range questions {
		with.add(r.withIndex(q))
		without.add(r.withoutIndex(home, q))
	}
	w.With, w.Without = with.mean(len(questions)), without.mean(len(questions))
	return w
}

func (p *Path) add(found bool, requests, tokens int) {
	if found {
		p.Found++
	}
	p.Requests += float64(requests)
	p.Tokens += float64(tokens)
}

func (p Path) mean(n int) Path {
	if n == 0 {
		return p
	}
	return Path{p.Found, float64(int(p.Requests/float64(n)*100+0.5)) / 100, float64(int(p.Tokens/float64(n) + 0.5))}
}

// withIndex reads llms.txt, asks as it says, and reads the page itself when the
// bundle does not hold it.
func (r *run) withIndex(q question) (found bool, requests, tokens int) {
	index, ok := r.good("/llms.txt", "")
	requests, tokens = 1, r.count(string(index.body))
	if !ok {
		return false, requests, tokens
	}
	if b, a, ok := r.ask(q.topic, "2000", ""); ok {
		requests++
		tokens += r.count(string(a.body))
		for _, c := range b.Citations {
			if samePage(c.URL, q.path) {
				return true, requests, tokens
			}
		}
	}
	for line := range strings.Lines(string(index.body)) {
		name, target, linked := strings.Cut(line, "](")
		if !linked || !strings.Contains(name, q.topic) {
			continue
		}
		target, _, _ = strings.Cut(target, ")")
		requests++
		if a, ok := r.good(target, ""); ok {
			return true, requests, tokens + r.count(string(a.body))
		}
	}
	return false, requests, tokens
}

// withoutIndex begins at the home page and follows the link whose words have
// most in common with the question, page after page.
func (r *run) withoutIndex(home answer, q question) (found bool, requests, tokens int) {
	at, body := "/", home
	seen := map[string]bool{"/": true}
	var open []candidate
	for requests = 1; ; requests++ {
		tokens += r.count(string(body.body))
		if samePage(at, q.path) {
			return true, requests, tokens
		}
		open = append(open, r.candidates(body, q, seen)...)
		slices.SortStableFunc(open, func(a, b candidate) int { return b.score - a.score })
		if len(open) == 0 || requests == maxWalk || r.Err() != nil {
			return false, requests, tokens
		}
		at, open = open[0].path, open[1:]
		next, err := r.get(at, "text/html")
		if err != nil || next.status != http.StatusOK {
			next = answer{}
		}
		body = next
	}
}

type candidate struct {
	path  string
	score int
}

// candidates are a page's links to others of the site, not seen before.
func (r *run) candidates(page answer, q question, seen map[string]bool) []candidate {
	base, err := url.Parse(page.url)
	if err != nil || page.kind != "text/html" {
		return nil
	}
	doc, _ := tree.Parse(page.body)
	var list []candidate
	for _, a := range tree.Find(doc, atom.A) {
		u, err := base.Parse(tree.Attr(a, "href"))
		if err != nil || u.Host != r.base.Host {
			continue
		}
		path := strings.TrimPrefix(u.EscapedPath(), r.base.EscapedPath())
		if path == "" || seen[path] || machine(path) {
			continue
		}
		seen[path] = true
		score := 0
		words := strings.ToLower(tree.Text(a) + " " + u.Path)
		for word := range strings.FieldsSeq(strings.ToLower(q.topic)) {
			if strings.Contains(words, word) {
				score++
			}
		}
		list = append(list, candidate{path, score})
	}
	return list
}

// machine reports whether a path is no page.
func machine(path string) bool {
	for _, ext := range []string{".md", ".txt", ".json", ".xml", ".css", ".js", ".svg", ".png"} {
		if strings.HasSuffix(path, ext) {
			return true
		}
	}
	return strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, "/mcp") || strings.HasPrefix(path, "/.well-known/")
}

// samePage compares addresses by their decoded path, without form.
func samePage(a, b string) bool { return pageKey(a) == pageKey(b) }

func pageKey(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	p := strings.TrimSuffix(strings.TrimSuffix(u.Path, ".html"), "/index")
	return strings.TrimSuffix(p, "/")
}
