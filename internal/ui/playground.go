package ui

// This file makes the home page: a question, the answer that an agent would get
// and what it costs, then what the site says of itself.

import (
	"cmp"
	"errors"
	"html/template"
	"maps"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"evergreen"
	"evergreen/internal/site"
)

// playgroundPage is the home page.
type playgroundPage struct {
	frame
	W           playgroundWords
	Query       evergreen.Query
	Least, Most int // budgets
	Examples    []example
	Collections []option
	Categories  []option
	Fault       string // why there is no answer
	Lines       []line
	JSON        string // address of the answer as JSON, "" in exports
	Answer      answerView
	Empty       cardView      // for the template that the script fills
	Body        template.HTML // what the site says of itself, without its title
	Data        playgroundData
}

// playgroundData is what the script has to know.
type playgroundData struct {
	Words  playgroundWords `json:"words"`
	Static bool            `json:"static"`
	Lang   string          `json:"lang"`
	Base   string          `json:"base"`  // put before paths that are shown to people
	Given  bool            `json:"given"` // the reader asked; else an example is answered
}

// example is a question that the site answers.
type example struct{ Text, URL string }

// option is a value of a select element.
type option struct {
	Value  string
	Chosen bool
}

// line is a command that asks the same.
type line struct{ Name, ID, Text string }

// Playground writes the home page around the answer that ask gives to a
// question. Without a topic it asks an example from the site's content. What ask
// refuses is said on the page.
func (u *UI) Playground(s *site.Site, p site.Page, lang string, q evergreen.Query, ask func(evergreen.Query) (evergreen.Bundle, error)) ([]byte, error) {
	text, err := s.Markdown(p)
	if err != nil {
		return nil, err
	}
	body, _ := u.renderer.HTML(text)
	data := playgroundPage{frame: u.around(s, p, lang), W: playgroundWordsOf(lang), Least: evergreen.MinBudget, Most: evergreen.MaxBudget,
		Empty: cardView{Title: "…", URL: "#", Sure: true}, Examples: examples(s, lang), Body: template.HTML(withoutTitle(body))}
	data.Scripts = []string{"playground.mjs"}
	data.Data = playgroundData{Words: data.W, Static: u.o.Static, Lang: data.Words.Lang, Base: s.Base(), Given: q.Topic != ""}
	if q.Topic == "" && len(data.Examples) > 0 {
		q.Topic = data.Examples[0].Text
	}
	q.Budget = cmp.Or(q.Budget, evergreen.DefaultBudget)
	q.AcceptLang = data.Words.Lang
	data.Query = q
	data.Collections, data.Categories = choices(s, q)
	bundle, err := ask(q)
	if err != nil {
		data.Fault, data.Answer.Bar.Label = sentences(err), data.W.Budget
	} else {
		data.Answer = data.W.view(bundle, q, data.Root)
	}
	if !u.o.Static {
		data.JSON = data.Root + "/api/context?" + address(q)
		data.OtherURL = "?" + address(q, "lang", data.OtherCode)
		if !data.Data.Given {
			data.OtherURL = "?lang=" + data.OtherCode
		}
	}
	data.Lines = u.lines(s.Base(), q)
	return u.execute("playground.tmpl", data)
}

// withoutTitle is a page's HTML without its first heading, which the page
// around it has already.
func withoutTitle(body string) string {
	if from, to := strings.Index(body, "<h1"), strings.Index(body, "</h1>"); from >= 0 && to > from {
		return body[:from] + strings.TrimLeft(body[to+len("</h1>"):], "\n")
	}
	return body
}

// sentences are an error and what to try next.
func sentences(err error) string {
	var e *evergreen.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	text := e.Message
	for _, fix := range e.Fixes {
		text += ". " + fix
	}
	return strings.TrimRight(text, ".") + "."
}

// address is a question as the query of an address, defaults left out, with
// further pairs at its end.
func address(q evergreen.Query, further ...string) string {
	pairs := []string{"topic", q.Topic}
	if q.Budget != evergreen.DefaultBudget {
		pairs = append(pairs, "budget", strconv.Itoa(q.Budget))
	}
	if q.Collection != "" {
		pairs = append(pairs, "collection", q.Collection)
	}
	if q.Category != "" {
		pairs = append(pairs, "category", q.Category)
	}
	var b strings.Builder
	for i := 0; i+1 < len(pairs)+len(further); i += 2 {
		pair := append(pairs, further...)[i : i+2]
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(pair[0] + "=" + url.QueryEscape(pair[1]))
	}
	return b.String()
}

// choices are what a question may be narrowed to.
func choices(s *site.Site, q evergreen.Query) (collections, categories []option) {
	snapshot := s.Snapshot()
	known := map[string]bool{}
	for _, c := range snapshot.Collections() {
		collections = append(collections, option{c.Name, c.Name == q.Collection})
		for d := range snapshot.Documents(c.Name) {
			known[cmp.Or(d.Meta.Category, "doc")] = true
		}
	}
	for _, e := range snapshot.Entries() {
		known[e.Category] = true
	}
	delete(known, "")
	for name := range known {
		categories = append(categories, option{name, name == q.Category})
	}
	slices.SortFunc(categories, func(a, b option) int { return cmp.Compare(a.Value, b.Value) })
	return collections, categories
}

// examples are questions that the site's content answers: titles of curated
// entries, else of documents, those in the reader's language first. Of equally
// good ones they are taken from all over the content.
func examples(s *site.Site, lang string) []example {
	best := map[int][]string{}
	add := func(title string, worse int) {
		title = half(title, lang)
		if n := len([]rune(title)); n < minExample || n > maxExample {
			worse++
		}
		if (lang == evergreen.LangChinese) != strings.ContainsFunc(title, isHan) {
			worse += 4
		}
		if title != "" && !slices.Contains(best[worse], title) {
			best[worse] = append(best[worse], title)
		}
	}
	for _, e := range s.Snapshot().Entries() {
		add(e.Title, 0)
	}
	pages := s.Pages()
	step := max(len(pages)/sampledTitles, 1)
	for i := 0; i < len(pages); i += step {
		if p := pages[i]; p.Kind == site.KindDocument {
			worse := 2
			if housekeeping(p.DocPath) || !strings.ContainsFunc(p.Title, isHan) && !strings.Contains(strings.TrimSpace(p.Title), " ") {
				worse += 2 // a lone word is a name, seldom what somebody asks
			}
			add(p.Title, worse)
		}
	}
	var list []example
	for _, worse := range slices.Sorted(maps.Keys(best)) {
		titles, want := best[worse], exampleCount-len(list)
		for i := range min(want, len(titles)) {
			t := titles[i*len(titles)/min(want, len(titles))]
			list = append(list, example{t, "?topic=" + url.QueryEscape(t)})
		}
	}
	return list
}

// housekeeping tells whether a document is about the project that it lies in, by
// the names that such files go by everywhere.
func housekeeping(docPath string) bool {
	name := strings.ToLower(strings.TrimSuffix(path.Base(docPath), path.Ext(docPath)))
	name = strings.NewReplacer("-", "_", " ", "_").Replace(name)
	return slices.Contains([]string{"license", "licence", "copying", "notice", "changelog", "changes", "history", "contributing",
		"code_of_conduct", "security", "authors", "maintainers", "support", "readme", "summary", "todo", "404"}, name)
}

// half is the part of a title in two languages that is in the given one.
func half(title, lang string) string {
	first, second, both := strings.Cut(title, " · ")
	if both && strings.ContainsFunc(first, isHan) != strings.ContainsFunc(second, isHan) {
		if strings.ContainsFunc(second, isHan) == (lang == evergreen.LangChinese) {
			return second
		}
		return first
	}
	return strings.TrimSpace(title)
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }
