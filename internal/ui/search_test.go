package ui_test

// This file holds offline.mjs equal to the server's search: the same order, and
// the same scores to three decimals.

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"evergreen"
	"evergreen/docs"
	"evergreen/internal/engine"
	"evergreen/internal/offline"
	"evergreen/internal/text"
)

// library is a library that both sides search.
type library struct {
	*base
	bytes map[string]int // of each collection's index
}

// newLibrary indexes folders by name, and hands what is written of them to n.
func newLibrary(t *testing.T, n *node, folders map[string]string) *library {
	t.Helper()
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	e, err := engine.Open(engine.Options{Root: t.TempDir(), Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	l := &library{bytes: map[string]int{}}
	for name, folder := range folders {
		req := evergreen.IndexRequest{Source: evergreen.Source{Location: folder}, Name: name}
		if _, err := e.Index(context.Background(), req, nil); err != nil {
			t.Fatal(err)
		}
	}
	published, err := e.Publish()
	if err != nil {
		t.Fatal(err)
	}
	defer published.Close()
	for _, c := range published.Collections() {
		folder := t.TempDir()
		err := offline.WriteCollection(c.Name, documents(published, c.Name), func(file string, data []byte) error {
			if file == offline.IndexName {
				l.bytes[c.Name] = len(data)
			}
			return os.WriteFile(filepath.Join(folder, file), data, 0o600)
		})
		if err != nil {
			t.Fatal(err)
		}
		n.call(map[string]any{"op": "index", "data": folder})
	}
	l.base = &base{engine: e, knowledge: knowledgeOf(published)}
	return l
}

// knowledgeOf is what an export knows of the knowledge bases of a library: the
// first one's version stands for all.
func knowledgeOf(p *engine.Published) offline.Knowledge {
	k := offline.Knowledge{Revision: p.Revision(), GeneratedAt: p.Time(), Entries: p.Entries()}
	about := p.Knowledge()
	for _, c := range p.Collections() {
		if c.Knowledge {
			k.Collections = append(k.Collections, offline.Base{Name: c.Name, Version: about.Version, Revision: about.Revision})
		}
	}
	return k
}

// documents are what a collection holds, curated entries last.
func documents(p *engine.Published, name string) iter.Seq2[offline.Document, error] {
	return func(yield func(offline.Document, error) bool) {
		for d := range p.Documents(name) {
			sections, err := p.Sections(d)
			if !yield(offline.Document{Path: d.Path, Title: d.Title, Sections: sections}, err) {
				return
			}
		}
		var curated []evergreen.Entry
		for _, e := range p.Entries() {
			if e.Collection == name {
				curated = append(curated, e)
			}
		}
		if len(curated) > 0 {
			yield(offline.Document{Path: curated[0].DocPath, Sections: curated}, nil)
		}
	}
}

type found struct {
	Total       int
	IDs         []string
	Scores      []float64
	Suggestions []string
}

func foundBy(r evergreen.SearchResult) found {
	f := found{Total: r.Total, Suggestions: r.Suggestions}
	for _, h := range r.Hits {
		f.IDs, f.Scores = append(f.IDs, h.ID), append(f.Scores, h.Score)
	}
	return f
}

// compare asks both sides and returns what the server found.
func (l *library) compare(t *testing.T, n *node, queries []string, collection string) (matched int) {
	t.Helper()
	go func() {
		for _, q := range queries {
			n.send(map[string]any{"op": "search", "query": q, "options": map[string]any{"collection": collection, "limit": 50}})
		}
	}()
	for _, q := range queries {
		want, err := l.engine.Search(context.Background(), evergreen.SearchRequest{
			Query: q, Collection: collection, Limit: 50, Mode: evergreen.ModeBM25,
		})
		if err != nil {
			t.Fatal(err)
		}
		var got evergreen.SearchResult
		if err := json.Unmarshal([]byte(n.receive()), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(foundBy(want), foundBy(got)); diff != "" {
			t.Fatalf("%q in %q: %s", q, collection, diff)
		}
		if want.Matched {
			matched++
		}
	}
	return matched
}

// block makes up a block of Markdown, now and then one that is never closed.
func (g generator) block() string {
	text := func() string { return g.text(1+g.IntN(30), g.IntN(9)) }
	mark := g.pick([]string{"```", "~~~~", "`````"})
	end := g.pick([]string{"\n", "\n\n", "\n\n\n"})
	switch g.IntN(10) {
	case 0:
		return mark + g.pick([]string{"", "js", " go title"}) + "\n" + text() + "\n\n" + text() + "\n" + mark + end
	case 1:
		return mark + "\n" + text() + g.pick([]string{end, "\n" + mark + end})
	case 2:
		return "- " + text() + "\n\n  " + text() + "\n\n  " + mark + "\n  " + text() + g.pick([]string{"\n", "\n  " + mark}) + end
	case 3:
		return "12. " + text() + "\n    - " + text() + end + "\ttabbed\n" + end
	case 4:
		return "<PRE class=x>\n" + text() + "\n\n" + text() + g.pick([]string{"</pre>", ""}) + end
	case 5:
		return "<!-- " + text() + "\n\n" + text() + g.pick([]string{"-->", ""}) + end
	case 6:
		return text() + ". " + text() + "! " + text() + "。" + text() + end
	}
	return text() + end
}

// folder makes up Markdown documents.
func (g generator) folder(t *testing.T, files int) string {
	t.Helper()
	dir := t.TempDir()
	for i := range files {
		var b strings.Builder
		for range 1 + g.IntN(6) {
			title := strings.ReplaceAll(g.text(1+g.IntN(4), g.IntN(9)), "\n", " ")
			fmt.Fprintf(&b, "%s %s\n\n", strings.Repeat("#", 1+g.IntN(4)), title)
			for range g.IntN(12) {
				b.WriteString(g.block())
			}
		}
		name := filepath.Join(dir, g.pick([]string{"", "guide", "api_ref"}), fmt.Sprintf("%s-%d.md", g.pick([]string{"readMe", "文档", "use_hook"}), i))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// longWords are words of the docs, Latin ones, a few that only ask.
var longWords = strings.Fields("index folder collection budget tokens section sections answer answers source sources page pages server " +
	"file files path question search agent agents tool tools website crawl export citations marker config flag default limits " +
	"articles describe which repair schema JSON list client knowledge base entries useEffect doc_path")

func TestOfflineSearchRanksAsTheServerDoes(t *testing.T) {
	n := startNode(t)
	g := newGenerator(3)
	own := t.TempDir()
	if err := os.CopyFS(own, docs.Files); err != nil {
		t.Fatal(err)
	}
	l := newLibrary(t, n, map[string]string{"docs": own, "gen": g.folder(t, 60)})
	words := strings.Fields("index collection budget tokens useEffect configuring citations 检索 小节 文档 migrations XMLHttpRequest doc_path " +
		"how what it the 一 引 indxe colection bugdet café naïve serving's don’t ＡＰＩ ひら")
	var queries []string
	for range 300 {
		q := g.text(1+g.IntN(4), g.IntN(9))
		if g.IntN(2) == 0 {
			q = g.pick(words) + " " + g.pick(words)
		}
		queries = append(queries, q)
	}
	for range 200 { // long enough to learn from the best sections
		var long []string
		for range 9 + g.IntN(9) {
			long = append(long, g.pick(longWords))
		}
		queries = append(queries, strings.Join(long, " "))
	}
	queries = append(queries, words...)
	matched := 0
	for _, collection := range []string{"", "docs", "gen"} {
		matched += l.compare(t, n, queries, collection)
	}
	t.Logf("%d questions, %d matched; indexes: %v bytes", 3*len(queries), matched, l.bytes)
	if matched < len(queries) {
		t.Errorf("only %d questions matched anything", matched)
	}
}

func TestOfflineAnswersEqualTheServers(t *testing.T) {
	n := startNode(t)
	g := newGenerator(7)
	own, knowledge := t.TempDir(), t.TempDir()
	if err := os.CopyFS(own, docs.Files); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(own, docs.KnowledgeFile), filepath.Join(knowledge, docs.KnowledgeFile)); err != nil {
		t.Fatal(err)
	}
	l := newLibrary(t, n, map[string]string{"docs": own, "gen": g.folder(t, 90), "kb": knowledge})
	n.call(map[string]any{"op": "knowledge", "data": l.data(t)})
	count := 600
	if testing.Short() {
		count = 200
	}
	var asked shares
	passages := 0
	for range count {
		params := g.question([]string{"fact", "doc"}, []string{"docs", "gen", "kb"})
		params["topic"] = strings.ReplaceAll(params["topic"].(string), `"`, "")
		if g.IntN(2) == 0 {
			params["topic"] = g.pick([]string{"index a folder", "如何 引用", "how are collections refreshed", "budget", "MCP tools list", "http status 404"})
		}
		if params["mode"] == "weighted" {
			params["mode"] = "bm25"
		}
		n.send(map[string]any{"op": "answer", "params": params})
		bundle, text := l.ask(t, params)
		asked.count(params["topic"].(string), bundle)
		text = strings.Replace(text, `"source":"api/context"`, `"source":"local-fallback"`, 1)
		if got := n.receive(); got != text {
			t.Fatalf("%v\n%s", params, cmp.Diff(pretty(text), pretty(got)))
		}
		for _, e := range bundle.Entries {
			if e.Partial != nil {
				passages++
			}
		}
	}
	t.Logf("%s, %d passages", &asked, passages)
	if passages < count/10 {
		t.Error("hardly an entry was cut to a passage")
	}
}

// A phrase offline stands for all its words: what the server finds is found, in
// the sections that hold them in another order too.
func TestOfflinePhrasesHoldAllWords(t *testing.T) {
	n := startNode(t)
	dir := t.TempDir()
	text := "# A\n\nblue green sea\n\n# B\n\nsea of green and blue\n\n# C\n\nblue\n\n# D\n\n检索 预算 blue\n"
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	newLibrary(t, n, map[string]string{"c": dir})
	for query, want := range map[string]string{
		`"blue green"`:     "A B",     // only phrases: nothing else matches
		`"blue green" sea`: "A B C D", // those with the phrase first
		`「检索 预算」`:          "D",
		`"blue"`:           "C A B D", // one word is no phrase
		`"blue green`:      "A B C D", // never closed
	} {
		var got evergreen.SearchResult
		if err := json.Unmarshal([]byte(n.call(map[string]any{"op": "search", "query": query})), &got); err != nil {
			t.Fatal(err)
		}
		var titles []string
		for _, h := range got.Hits {
			titles = append(titles, h.Title)
		}
		if strings.Join(titles, " ") != want {
			t.Errorf("%s: found %v, want %s", query, titles, want)
		}
	}
}

func TestOfflineSearchOverCorpora(t *testing.T) {
	root := os.Getenv("EVERGREEN_CORPORA")
	if root == "" {
		t.Skip("EVERGREEN_CORPORA is not set: offline search over real documentation not compared")
	}
	for _, name := range []string{"vue-zh", "rust-book"} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(root, "docs", name)
			if _, err := os.Stat(folder); err != nil {
				t.Fatal(err)
			}
			n := startNode(t)
			l := newLibrary(t, n, map[string]string{name: folder})
			g := newGenerator(4)
			var titles, queries []string
			outline, err := l.engine.Outline(context.Background(), evergreen.OutlineRequest{Collection: name, Limit: -1})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range outline.Documents {
				for _, s := range d.Sections {
					titles = append(titles, s.Title)
				}
			}
			for range 500 {
				queries = append(queries, strings.ReplaceAll(g.pick(titles), `"`, ""), g.text(2, 4))
				queries = append(queries, strings.ReplaceAll(g.pick(titles)+" "+g.pick(titles)+" "+g.pick(titles), `"`, ""))
			}
			queries = slices.DeleteFunc(queries, func(q string) bool { return strings.ContainsAny(q, "“「『") })
			matched := l.compare(t, n, queries, "")
			t.Logf("%d questions, %d matched; index: %d bytes", len(queries), matched, l.bytes[name])
		})
	}
}

func TestOfflineStemsAsTheServerDoes(t *testing.T) {
	n := startNode(t)
	list := vocabulary(t)
	n.send(map[string]any{"op": "stem", "data": list})
	got := strings.Split(n.receive(), " ")
	for i, word := range list {
		if want := text.Stem(word); got[i] != want {
			t.Errorf("%s: got %s, want %s", word, got[i], want)
		}
	}
	t.Logf("%d words", len(list))
}

// vocabulary makes up words of every ending, and of odd beginnings.
func vocabulary(t *testing.T) []string {
	t.Helper()
	begins := strings.Fields("a y '  ab yy ayy say boy cry tie hop hope hopp fall fill fix box bow snow beau eat arsen commun gener gen general " +
		"univers succ proc exc inn cann earr herr out fluent cad dog geolog log nation ration condit real relat digit use utiliz viet feud " +
		"vowel gry by syzyg agre feed need controll bb odd egg err 4x 'y toy yield qu queue happi sensib relativ act adjust depend depart x")
	ends := strings.Fields("s ' 's 's' ies ied sses ss us ed eed ing edly eedly ingly y ily anci enci ogi li bli abli alli fulli lessli ousli entli " +
		"aliti biliti iviti tional ational alism ation ization izer ator iveness fulness ousness icate ative alize iciti ical ful ness ance ence " +
		"able ible ate ive ize iti al ism ion sion tion er ous ant ent ment ement e l ll le Y")
	var list []string
	seconds := len(ends) // endings that follow an ending
	if testing.Short() {
		seconds = 4
	}
	for _, b := range begins {
		list = append(list, b)
		for _, e := range ends {
			list = append(list, strings.ToLower(b+e))
			for _, f := range ends[:seconds] {
				list = append(list, strings.ToLower(b+e+f))
			}
		}
	}
	list = append(list, strings.Fields("andes atlas bias cosmos dying early gently howe idly lying news only singly skies skis sky tying ugly "+
		"succeed proceeds exceeding cannings inning earrings herring outing")...)
	return list
}

func TestOfflineAnalysisEqualsTheServers(t *testing.T) {
	n := startNode(t)
	g := newGenerator(5)
	samples := []string{"useEffect XMLHttpRequest a_b __x__ snake__case_ don't o''clock it’s’x ’a 'b' İI ΣΑΣ ＡＰＩ_key １２ é́a ́x 々〇・ー ヶ豈𠀀字x字",
		strings.Repeat("x", 64) + " " + strings.Repeat("y", 65) + " " + strings.Repeat("é", 33)}
	for range 2000 {
		samples = append(samples, g.text(1+g.IntN(12), g.IntN(9)))
	}
	for _, s := range samples {
		want := [][]any{}
		for at := 0; ; {
			u, next, ok := text.NextUnit(s, at)
			if !ok {
				break
			}
			at = next
			terms := text.Expand(s[u.Start:u.End], u.CJK)
			want = append(want, []any{s[u.Start:u.End], u.CJK, map[string][]string{
				"base": append([]string{}, terms.Base...), "extra": append([]string{}, terms.Extra...),
			}})
		}
		if got := n.call(map[string]any{"op": "expand", "data": s}); got != encode(t, want) {
			t.Errorf("%q:\n got %s\nwant %s", s, got, encode(t, want))
		}
	}
}
