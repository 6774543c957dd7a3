package engines

// This file is bleve as a contender.

import (
	"evergreen/bench/internal/data"

	"github.com/blevesearch/bleve/v2"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/cjk"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/mapping"
)

// batch is how many units are written at once.
const batch = 1000

type bleveIndex struct{ index bleve.Index }

// mappingOf indexes title and body with the analyzer of the language, and
// stores nothing but the ids.
func mappingOf(language string) mapping.IndexMapping {
	m := bleve.NewIndexMapping()
	m.DefaultAnalyzer = map[string]string{"en": "en", "zh": "cjk"}[language]
	m.StoreDynamic, m.DocValuesDynamic = false, false
	return m
}

func (b *bleveIndex) build(q question) (n int, err error) {
	if b.index, err = bleve.New(q.Index, mappingOf(q.Language)); err != nil {
		return 0, err
	}
	pending := b.index.NewBatch()
	n, err = each(q.Units, func(u data.Unit) error {
		if err := pending.Index(u.ID, map[string]string{"title": u.Title, "body": u.Body}); err != nil || pending.Size() < batch {
			return err
		}
		defer pending.Reset()
		return b.index.Batch(pending)
	})
	if err != nil {
		return n, err
	}
	return n, b.index.Batch(pending)
}

func (b *bleveIndex) open(q question) (err error) {
	b.index, err = bleve.Open(q.Index)
	return err
}

func (b *bleveIndex) search(query string, limit int) ([]string, error) {
	title, body := bleve.NewMatchQuery(query), bleve.NewMatchQuery(query)
	title.SetField("title")
	body.SetField("body")
	result, err := b.index.Search(bleve.NewSearchRequestOptions(bleve.NewDisjunctionQuery(title, body), limit, 0, false))
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, hit := range result.Hits {
		ids = append(ids, hit.ID)
	}
	return ids, nil
}

func (b *bleveIndex) close() error {
	if b.index == nil {
		return nil
	}
	return b.index.Close()
}
