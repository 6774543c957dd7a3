package engine

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"evergreen"
	"evergreen/internal/store"
)

// OpenEmbedded opens an engine on a library of its own that holds the given
// documentation and the knowledge base beside it (context.json at its top),
// for the time when a user's library is still empty. Close removes it, or the next such start when the process was killed.
func OpenEmbedded(ctx context.Context, o Options, docs fs.FS, name string) (*Engine, error) {
	temp, err := store.NewTemporary("evergreen-docs-")
	if err != nil {
		return nil, err
	}
	fail := func(err error) (*Engine, error) {
		_ = temp.Remove()
		return nil, err
	}
	source := filepath.Join(temp.Path, name)
	if err := os.CopyFS(source, docs); err != nil {
		return fail(evergreen.Errorf(evergreen.Internal, "unpack the documentation: %w", err))
	}
	at, err := dateAll(source)
	if err != nil {
		return fail(err)
	}
	o.Root = filepath.Join(temp.Path, "library")
	o.Now = func() time.Time { return at }
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

// dateAll gives every file the day of the knowledge base's revision, so that
// two starts of one program answer alike.
func dateAll(source string) (time.Time, error) {
	at := time.Unix(0, 0).UTC()
	if b, err := os.ReadFile(filepath.Join(source, "context.json")); err == nil {
		var kb struct{ Revision string }
		if json.Unmarshal(b, &kb) == nil {
			if day, err := time.Parse(time.DateOnly, kb.Revision); err == nil {
				at = day
			}
		}
	}
	return at, filepath.WalkDir(source, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chtimes(p, at, at)
	})
}
