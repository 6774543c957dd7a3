package engine

import (
	"io/fs"
	"path/filepath"
	"strconv"

	"evergreen"
)

// This file refuses runs that would leave more behind than the caller may.

// withinBounds judges what the run is about to commit. A run that added nothing
// passes: it makes nothing larger.
func (r *run) withinBounds() error {
	if r.report.Documents.Indexed == 0 {
		return nil
	}
	if most := r.req.MaxText; most > 0 {
		var text int64
		for _, s := range r.manifest.Segments {
			text += s.TextBytes - s.DeadBytes
		}
		if text > most {
			return evergreen.Errorf(evergreen.Exhausted, "the collection %q would hold %s of text, at most %s are allowed", r.manifest.Name, megabytes(text), megabytes(most)).
				Fix("index a part of it with include or exclude").
				Fix("raise limits.collection_mb in evergreen.json")
		}
	}
	if most := r.req.MaxLibrary; most > 0 {
		if used := diskUse(r.e.lib.Root()); used > most {
			return evergreen.Errorf(evergreen.Exhausted, "the library would take %s of disk, at most %s are allowed", megabytes(used), megabytes(most)).
				Fix("delete a collection that is not needed").
				Fix("raise limits.library_mb in evergreen.json")
		}
	}
	return r.withinClientBounds()
}

// diskUse is what the files below a folder take, in bytes. Files that vanish
// while they are counted take nothing.
func diskUse(root string) (bytes int64) {
	_ = filepath.WalkDir(root, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}

// megabytes writes a size, rounded up.
func megabytes(bytes int64) string {
	return strconv.FormatInt((bytes+1<<20-1)>>20, 10) + " MB"
}
