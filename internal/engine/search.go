package engine

import (
	"cmp"
	"context"
	"encoding/base64"
	"iter"
	"math"
	"runtime/debug"
	"strconv"
	"strings"

	"evergreen"
	"evergreen/internal/index"
	"evergreen/internal/kb"
	"evergreen/internal/store"
)

// Search ranks sections and entries for a query and returns one page of hits.
// Mode auto is weighted over curated knowledge alone, else BM25.
func (e *Engine) Search(ctx context.Context, req evergreen.SearchRequest) (_ evergreen.SearchResult, err error) {
	if strings.TrimSpace(req.Query) == "" {
		return evergreen.SearchResult{}, evergreen.Errorf(evergreen.Invalid, "the query is empty").Fix("Say what to look for, for example `evergreen search \"clean up\"`.")
	}
	s, err := e.acquire()
	if err != nil {
		return evergreen.SearchResult{}, err
	}
	defer e.release(s)
	defer e.settle(debug.SetPanicOnFault(true), "", &err)
	sc, err := e.scope(s, req.Collection, req.PathGlob, req.Category)
	if err != nil {
		return evergreen.SearchResult{}, err
	}
	offset, err := readCursor(req.Cursor, s.revision)
	if err != nil {
		return evergreen.SearchResult{}, err
	}
	limit := req.Limit
	if limit <= 0 {
		limit = defaultHits
	}
	limit = min(limit, maxHits)
	mode, err := sc.mode(req.Mode)
	if err != nil {
		return evergreen.SearchResult{}, err
	}
	res := evergreen.SearchResult{Query: req.Query, Mode: mode, Hits: []evergreen.Hit{}, Warnings: sc.lost(req.Collection != "")}
	query := index.ParseQuery(req.Query)
	var found []scoredSection
	if mode == evergreen.ModeBM25 {
		found, res.Total = e.searchBM25(sc, query, offset+limit)
	} else {
		found, res.Total = sc.searchWeighted(req.Query, offset+limit)
	}
	matcher := query.Matcher()
	for _, f := range found[min(offset, len(found)):] {
		if ctx.Err() != nil {
			return res, ctx.Err()
		}
		hit := sc.hit(f, matcher)
		res.Hits = append(res.Hits, hit)
		res.Warnings = append(res.Warnings, e.warnings(hit.ID, hit.Title, hit.Snippet)...)
	}
	if sc.fault != nil {
		return evergreen.SearchResult{}, sc.fault
	}
	res.Matched = res.Total > 0
	if offset+limit < res.Total {
		res.NextCursor = writeCursor(offset+limit, s.revision)
	}
	if !res.Matched {
		res.Suggestions = index.Suggest(sc.views, query, suggestions)
	}
	return res, nil
}

// scoredSection is a ranked section, whatever ranked it.
type scoredSection struct {
	index.Ref
	score float64
}

func (e *Engine) searchBM25(sc *scope, q index.Query, limit int) ([]scoredSection, int) {
	ranked, total := e.rank(sc, q, limit)
	out := make([]scoredSection, len(ranked))
	for i, r := range ranked {
		out[i] = scoredSection{r.Ref, round3(r.Score)}
	}
	return out, total
}

// mode decides how to rank.
func (sc *scope) mode(asked string) (string, error) {
	switch asked {
	case "", evergreen.ModeAuto:
		if sc.curated() {
			return evergreen.ModeWeighted, nil
		}
		return evergreen.ModeBM25, nil
	case evergreen.ModeBM25, evergreen.ModeWeighted:
		return asked, nil
	}
	return "", unknownMode(asked)
}

func unknownMode(asked string) error {
	modes := []string{evergreen.ModeAuto, evergreen.ModeBM25, evergreen.ModeWeighted}
	return evergreen.Errorf(evergreen.Invalid, "mode %q is not known", asked).
		Fix("The modes are %s.", strings.Join(modes, ", ")).Near(nearest(asked, modes)[:1]...)
}

// searchWeighted uses weighted retrieval over curated knowledge, and its
// integer form over anything else.
func (sc *scope) searchWeighted(query string, limit int) ([]scoredSection, int) {
	at := map[string]index.Ref{}
	if sc.curated() {
		ranked, matched := kb.Rank(sc.entries(at), query)
		if !matched {
			return nil, 0
		}
		out := make([]scoredSection, 0, min(limit, len(ranked)))
		for _, r := range ranked[:min(limit, len(ranked))] {
			out = append(out, scoredSection{at[r.ID], r.Score})
		}
		return out, len(ranked)
	}
	ranked, total := kb.RankInteger(sc.rows(at), query, limit)
	out := make([]scoredSection, len(ranked))
	for i, r := range ranked {
		out[i] = scoredSection{at[r.ID], float64(r.Score)}
	}
	return out, total
}

// rows yields what the integer form knows of each section in scope. Places of
// sections are noted in at by id.
func (sc *scope) rows(at map[string]index.Ref) iter.Seq[kb.Row] {
	return func(yield func(kb.Row) bool) {
		for v, p := range sc.parts {
			for n := range p.Docs() {
				if p.dead[n] {
					continue
				}
				d := p.Doc(n)
				for i := d.First; i < d.First+d.Sections; i++ {
					ref := index.Ref{View: v, Section: uint32(i)}
					if !sc.passes(ref) {
						break
					}
					id := idOf(p.collection.name(), p.Segment, d, i)
					at[id] = ref
					row := kb.Row{ID: id, Title: p.Row(i).Title, DocPath: filePath(d), Keywords: p.index.Keywords(uint32(i))}
					if !yield(row) {
						return
					}
				}
			}
		}
	}
}

// hit describes a ranked section.
func (sc *scope) hit(f scoredSection, m *index.Matcher) evergreen.Hit {
	p := sc.parts[f.View]
	r := p.Row(int(f.Section))
	d := p.Doc(r.Doc)
	id := idOf(p.collection.name(), p.Segment, d, int(f.Section))
	h := evergreen.Hit{
		ID: id, Collection: p.collection.name(), DocPath: filePath(d), Title: r.Title,
		Score: f.score, Tokens: r.Tokens, Marker: markerText(p.collection.name(), id),
	}
	if d.Flags&store.FlagEntry != 0 {
		h.Marker = id
	} else if d.Title != r.Title {
		h.DocTitle = d.Title
	}
	body, err := p.RowText(d, int(f.Section), r.BodyStart)
	if err != nil {
		sc.note(err)
		return h
	}
	h.Snippet = m.Snippet(string(body))
	return h
}

func round3(x float64) float64 { return math.Round(float64(x*1000)) / 1000 }

// A cursor is the offset and the state of the library it counts in, so that a
// page never silently continues in another order.
func writeCursor(offset int, revision string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(offset) + "." + revision))
}

func readCursor(cursor, revision string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	number, of, ok := strings.Cut(string(b), ".")
	offset, nerr := strconv.Atoi(number)
	if err != nil || !ok || nerr != nil || offset < 0 {
		return 0, evergreen.Errorf(evergreen.Invalid, "the cursor %q is not one of ours", cursor).
			Fix("Pass next_cursor of the previous page as it is, or leave the cursor out to start over.")
	}
	if of != revision {
		return 0, evergreen.Errorf(evergreen.Conflict, "the library has changed since this cursor was given").
			Fix("Leave the cursor out to start over.")
	}
	return offset, nil
}

// RankIDs ranks to ids alone: what a search costs before snippets are cut.
func (e *Engine) RankIDs(ctx context.Context, name, query string, limit int) (_ []string, err error) {
	s, err := e.acquire()
	if err != nil {
		return nil, err
	}
	defer e.release(s)
	defer e.settle(debug.SetPanicOnFault(true), "", &err)
	sc, err := e.scope(s, name, "", "")
	if err != nil {
		return nil, err
	}
	found, _ := e.rank(sc, index.ParseQuery(query), limit)
	ids := make([]string, len(found))
	for i, f := range found {
		ids[i] = sc.id(f.Ref)
	}
	return ids, cmp.Or(sc.fault, ctx.Err())
}
