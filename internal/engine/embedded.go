package engine

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"

	"evergreen"
)

// OpenEmbedded opens an engine on a library of its own that holds the given
// documentation and the knowledge base beside it (context.json at its top),
// for the time when a user's library is still empty. Close removes it.
func OpenEmbedded(ctx context.Context, o Options, docs fs.FS, name string) (*Engine, error) {
	temp, err := os.MkdirTemp("", "evergreen-docs-")
	if err != nil {
		return nil, evergreen.Errorf(evergreen.Internal, "make a temporary folder: %w", err)
	}
	fail := func(err error) (*Engine, error) {
		_ = os.RemoveAll(temp)
		return nil, err
	}
	source := filepath.Join(temp, name)
	if err := os.CopyFS(source, docs); err != nil {
		return fail(evergreen.Errorf(evergreen.Internal, "unpack the documentation: %w", err))
	}
	o.Root = filepath.Join(temp, "library")
	e, err := Open(o)
	if err != nil {
		return fail(err)
	}
	e.temp = temp
	knowledge := filepath.Join(source, "context.json")
	for _, req := range []evergreen.IndexRequest{
		{Source: evergreen.Source{Location: source, Exclude: []string{"context.json"}}, Name: name},
		{Source: evergreen.Source{Location: knowledge}, Name: "kb"},
	} {
		if _, err := os.Stat(req.Source.Location); err != nil {
			continue
		}
		if _, err := e.Index(ctx, req, nil); err != nil {
			_ = e.Close()
			return nil, err
		}
	}
	return e, nil
}
