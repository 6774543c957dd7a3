package engines

// This file is the product as a contender: it reads and splits the folder that
// the units of the others come from, and keeps their text.

import (
	"context"

	"evergreen"
	"evergreen/internal/engine"
)

type own struct{ engine *engine.Engine }

func (o *own) build(q question) (int, error) {
	if err := o.open(q); err != nil {
		return 0, err
	}
	report, err := o.engine.Index(context.Background(), evergreen.IndexRequest{
		Source: evergreen.Source{Kind: evergreen.SourceFolder, Location: q.Source}, Name: "bench"}, nil)
	return report.Sections, err
}

func (o *own) open(q question) (err error) {
	o.engine, err = engine.Open(engine.Options{Root: q.Index})
	return err
}

func (o *own) search(query string, limit int) ([]string, error) {
	return o.engine.RankIDs(context.Background(), "", query, limit)
}

func (o *own) close() error {
	if o.engine == nil {
		return nil
	}
	return o.engine.Close()
}
