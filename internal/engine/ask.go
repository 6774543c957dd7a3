package engine

import (
	"cmp"
	"context"
	"path"
	"runtime/debug"
	"slices"
	"strings"

	"evergreen"
	"evergreen/internal/index"
	"evergreen/internal/kb"
	"evergreen/internal/pack"
	"evergreen/internal/store"
	"evergreen/internal/text"
)

// Ask answers a question with a bundle: the best entries within the budget,
// how to cite them, and the rules for using them.
func (e *Engine) Ask(ctx context.Context, q evergreen.Query) (_ evergreen.Bundle, err error) {
	lang, err := kb.Lang(q.Lang, q.Topic, q.AcceptLang)
	if err != nil {
		return evergreen.Bundle{}, err
	}
	s, err := e.acquire()
	if err != nil {
		return evergreen.Bundle{}, err
	}
	defer e.release(s)
	defer e.settle(debug.SetPanicOnFault(true), "", &err)
	sc, err := e.scope(s, q.Collection, "", q.Category)
	if err != nil {
		return evergreen.Bundle{}, err
	}
	mode, err := sc.mode(q.Mode)
	if err != nil {
		return evergreen.Bundle{}, err
	}
	c := e.candidates(sc, mode, q.Topic)
	if sc.fault != nil {
		return evergreen.Bundle{}, sc.fault
	}
	req := pack.Request{
		Query: q, Lang: lang, Ranked: c.ranked, Matched: c.matched, Suggestions: c.suggestions,
		Rules: kb.Rules(lang), Shared: mode == evergreen.ModeBM25, WholeText: q.WholeText,
		Load: c.load, Estimate: e.opts.Estimate, BaseURL: e.opts.BaseURL,
		Revision: s.revision, KnowledgeVersion: s.revision, GeneratedAt: s.at,
	}
	if k := sc.knowledge(); k != nil {
		req.KnowledgeVersion = k.Version
		if k.Revision != "" && sc.curated() {
			req.Revision = k.Revision
		}
	}
	if ctx.Err() != nil {
		return evergreen.Bundle{}, ctx.Err()
	}
	b, err := e.guardBundle(pack.Bundle(req))
	b.Warnings = append(sc.lost(q.Collection != ""), b.Warnings...)
	return b, err
}

// knowledge returns what the first knowledge base in scope says of itself.
func (sc *scope) knowledge() *store.Knowledge {
	for _, p := range sc.parts {
		if k := p.collection.manifest.Knowledge; k != nil && k.Version != "" {
			return k
		}
	}
	return nil
}

// candidates are ranked entries, bodies not yet read.
type candidates struct {
	ranked      []evergreen.PackedEntry
	matched     bool
	suggestions []string
	terms       []string
	load        func(*evergreen.Entry) error
}

func (e *Engine) candidates(sc *scope, mode, topic string) candidates {
	if mode == evergreen.ModeWeighted && sc.curated() {
		ranked, matched := kb.Rank(sc.entries(map[string]index.Ref{}), topic)
		return candidates{ranked: ranked, matched: matched, terms: kb.Terms(topic)}
	}
	places := map[string]index.Ref{}
	c := candidates{load: sc.loader(places)}
	query := index.ParseQuery(topic)
	c.terms = query.Words()
	var found []scoredSection
	if mode == evergreen.ModeBM25 {
		found, _ = e.searchBM25(sc, query, maxCandidates)
	} else {
		found, _ = sc.searchWeighted(topic, maxCandidates)
	}
	near := slices.IndexFunc(found, func(f scoredSection) bool { return f.score < minRelevance*found[0].score })
	if near < 0 {
		near = len(found)
	}
	c.ranked = make([]evergreen.PackedEntry, 0, near)
	for _, f := range found[:near] {
		entry, ok := sc.entry(f.Ref, places)
		if !ok {
			continue
		}
		p := evergreen.PackedEntry{Entry: entry, Score: f.score, Relevance: round3(f.score / found[0].score)}
		c.ranked = append(c.ranked, p)
	}
	c.matched = len(c.ranked) > 0
	if !c.matched {
		c.suggestions = index.Suggest(sc.views, query, suggestions)
		c.ranked = sc.fallback(places)
	}
	return c
}

// entry describes a ranked section; ok is false when it holds nothing but its
// heading, which would answer nobody.
func (sc *scope) entry(ref index.Ref, places map[string]index.Ref) (evergreen.Entry, bool) {
	p := sc.parts[ref.View]
	i := int(ref.Section)
	r := p.Row(i)
	d := p.Doc(r.Doc)
	if r.Tokens <= text.TokensOf(r.Title, "\n")+1 { // too few for words: look
		b, err := p.RowText(d, i, r.BodyStart)
		if err != nil {
			sc.note(err)
		}
		if err != nil || strings.TrimSpace(string(b)) == "" {
			return evergreen.Entry{}, false
		}
	}
	entry := entryOf(p.collection.name(), p.segment, p.full(r.Doc), i, sc.origin)
	places[entry.Collection+"\x00"+entry.ID] = ref
	return entry, true
}

// loader reads the body of an entry that sc.entry described.
func (sc *scope) loader(places map[string]index.Ref) func(*evergreen.Entry) error {
	return func(entry *evergreen.Entry) error {
		ref, ok := places[entry.Collection+"\x00"+entry.ID]
		if !ok || entry.Body != "" {
			return nil
		}
		p := sc.parts[ref.View]
		i := int(ref.Section)
		return loadBody(p.segment, p.Doc(p.RowDoc(i)), i, entry)
	}
}

// fallback stands in when nothing matches: curated entries by confidence, then
// the home documents. An empty answer would not tell an agent whether nothing
// is known or the question was mistaken.
func (sc *scope) fallback(places map[string]index.Ref) []evergreen.PackedEntry {
	at := map[string]index.Ref{}
	entries := sc.entries(at)
	slices.SortStableFunc(entries, func(a, b evergreen.Entry) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), strings.Compare(a.ID, b.ID))
	})
	var out []evergreen.PackedEntry
	add := func(entry evergreen.Entry) {
		if len(out) < fallbackEntries {
			score := round3(entry.Confidence * 0.1)
			out = append(out, evergreen.PackedEntry{Entry: entry, Score: score, Relevance: fallbackRelevance})
		}
	}
	for _, entry := range entries {
		add(entry)
	}
	for _, home := range sc.homes() {
		d := home.doc
		for i := d.First; i < d.First+d.Sections; i++ {
			ref := index.Ref{View: home.view, Section: uint32(i)}
			if entry, ok := sc.entry(ref, places); ok && sc.passes(ref) {
				add(entry)
				break
			}
		}
	}
	return out
}

type homeDoc struct {
	view int
	doc  store.Doc
}

// homes finds where a reader of each collection starts: the documents at its
// top that are named so, else its first document of those least deep.
func (sc *scope) homes() []homeDoc {
	var out []homeDoc
	seen := map[*collection]bool{}
	for _, p := range sc.parts {
		c := p.collection
		if seen[c] || c.curated {
			continue
		}
		seen[c] = true
		docs := c.docs(sc.drafts)
		named := slices.DeleteFunc(slices.Clone(docs), func(d liveDoc) bool { return !isHome(d.doc.Path) })
		docs = slices.DeleteFunc(slices.Clone(docs), func(d liveDoc) bool { return isLegal(d.doc.Path) })
		if len(named) == 0 && len(docs) > 0 {
			named = []liveDoc{slices.MinFunc(docs, func(a, b liveDoc) int {
				return strings.Count(a.doc.Path, "/") - strings.Count(b.doc.Path, "/")
			})}
		}
		for _, d := range named {
			view := slices.IndexFunc(sc.parts, func(p scopedPart) bool { return p.segment == d.segment && p.collection == c })
			out = append(out, homeDoc{view, d.doc})
		}
	}
	return out
}

// isLegal tells whether a document at the top is about the project, not its
// subject.
func isLegal(docPath string) bool {
	name := strings.ToLower(strings.TrimSuffix(path.Base(docPath), path.Ext(docPath)))
	switch strings.NewReplacer("_", "", "-", "").Replace(name) {
	case "license", "licence", "copying", "notice", "authors", "changelog", "changes", "contributing", "codeofconduct", "security":
		return true
	}
	return false
}

// isHome tells whether a document is where a reader starts.
func isHome(docPath string) bool {
	dir, name := path.Split(docPath)
	if dir != "" {
		return false
	}
	switch strings.ToLower(strings.TrimSuffix(name, path.Ext(name))) {
	case "index", "_index", "readme", "home", "introduction", "summary":
		return true
	}
	return false
}
