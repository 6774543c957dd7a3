package folder

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Symbolic links are followed after everything else was walked, in path order,
// so that a real file always wins over a link to it and loops end.

// link is a symbolic link met on the way.
type link struct {
	rel   string // doc_path
	real  string // real path of the link itself, relative to the root
	rules *rules
}

// followLinks follows the links met so far and those found behind them.
func (w *walker) followLinks(ctx context.Context) {
	taken := map[string]bool{}
	known := 0
	for len(w.links) > 0 && ctx.Err() == nil {
		round := w.links
		w.links = nil
		slices.SortFunc(round, func(a, b link) int { return strings.Compare(a.rel, b.rel) })
		for _, l := range round {
			for ; known < len(w.files); known++ {
				taken[w.files[known].Abs] = true
			}
			w.follow(ctx, l, taken)
		}
	}
}

// follow enters the folder, or takes the file, behind one link.
func (w *walker) follow(ctx context.Context, l link, taken map[string]bool) {
	abs, err := filepath.EvalSymlinks(filepath.Join(w.root, filepath.FromSlash(l.real)))
	if err != nil {
		w.refuse(l, "symbolic link to nothing")
		return
	}
	target, inside := within(w.root, abs)
	if !inside {
		w.refuse(l, "symbolic link out of the folder")
		return
	}
	info, err := os.Stat(abs)
	if err != nil {
		w.refuse(l, "symbolic link: "+reason(err))
		return
	}
	if !info.IsDir() {
		if taken[abs] && w.scope.classify(l.rel) == document {
			w.refuse(l, "symbolic link to "+target+", which is taken already")
			return
		}
		w.file(&w.findings, l.rel, abs, l.rules, info.Mode().Type(), func() (fs.FileInfo, error) { return info, nil })
		return
	}
	why := w.scope.shut(l.rel, filepath.Base(l.rel), l.rules)
	if why == "" && w.seen[target] {
		why = "symbolic link to " + displayPath(target) + ", which is visited already"
	}
	if why != "" {
		w.place(l.rel, why)
		return
	}
	w.run(ctx, task{l.rel, target, l.rules})
}

// refuse reports a link that is not followed: as a document when it is named
// like one, as a place otherwise.
func (w *walker) refuse(l link, why string) {
	if w.scope.classify(l.rel) == document {
		w.skip(l.rel, why)
	} else {
		w.place(l.rel, why)
	}
}

// within returns abs relative to root, '/' between and "" for root itself, and
// whether it lies inside.
func within(root, abs string) (string, bool) {
	rel, err := filepath.Rel(root, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	if rel == "." {
		return "", true
	}
	return filepath.ToSlash(rel), true
}
