// Package folder finds the documents of a folder, or takes one file, and tells
// what became of everything it met: documents found, documents left out and
// why, places not entered and why, files of other kinds by number. It looks at
// names, sizes and times only; what is inside a file is not its concern.
package folder

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"evergreen"
)

// Options narrows a walk. The zero value takes every document below the root.
type Options struct {
	// Include and Exclude are doublestar patterns over doc_path; one without a
	// slash is matched against the base name too. Include, when not empty,
	// admits only what it matches; a pattern that names an extension ("*.json")
	// also makes files of that kind documents, one that names a hidden folder
	// (".github/**") has it entered. Exclude wins over Include.
	Include, Exclude []string
	MaxFiles         int   // most documents; 0 means DefaultMaxFiles
	MaxFileBytes     int64 // largest document in bytes; 0 means DefaultMaxFileBytes
}

// File is a document found.
type File struct {
	Path    string // doc_path: relative to the root, '/' between, as spelt on disk
	Abs     string // where its bytes are: absolute, without symbolic links
	Size    int64  // bytes
	ModTime int64  // nanoseconds since 1970
	Inode   uint64 // 0 where the system has none
	Dev     uint64 // 0 where the system has none
}

// Result is everything a walk met. Discovered = len(Files) + len(Skipped).
type Result struct {
	Root       string           // the root as walked: absolute, without symbolic links; a file's folder
	Files      []File           // by Path in byte order
	Skipped    []evergreen.Skip // documents not taken, by path
	Places     []evergreen.Skip // folders and links not entered, once each, by path
	Folders    []string         // absolute real paths of the folders entered, in byte order
	OtherKinds map[string]int   // files that are no documents, by lower-case extension ("" for none)
	OutOfScope int              // files of a document's kind that Include or Exclude leaves out
	Discovered int              // documents by kind and scope
	Truncated  bool             // MaxFiles was reached: the first MaxFiles in path order were taken
}

// Walk finds the documents below root, or the one file that root is; a file
// named outright is a document whatever its extension.
//
// Rules of .gitignore files hold wherever one is found, and those of the
// repository around root too, unless they ignore root itself. Symbolic links
// are followed when they lead to a place inside root that was not visited.
// A place that cannot be read is reported and never ends the walk. Errors:
// NotFound and Invalid for root and the patterns, or the context's.
func Walk(ctx context.Context, root string, opts Options) (Result, error) {
	scope, err := newScope(opts)
	if err != nil {
		return Result{}, err
	}
	real, info, err := resolveRoot(root)
	if err != nil {
		return Result{}, err
	}
	limits := limits{cmp.Or(opts.MaxFiles, DefaultMaxFiles), cmp.Or(opts.MaxFileBytes, DefaultMaxFileBytes)}
	if !info.IsDir() {
		return single(real, info, limits), nil
	}
	w := newWalker(real, scope, limits)
	w.run(ctx, task{rules: outerRules(real)})
	w.followLinks(ctx)
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	return w.finish(), nil
}

// limits are the caps of one walk.
type limits struct {
	files int
	bytes int64
}

// resolveRoot returns the real path of root.
func resolveRoot(root string) (string, fs.FileInfo, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return "", nil, evergreen.Errorf(evergreen.Invalid, "cannot make %s an absolute path: %w", root, err)
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	info, err := os.Stat(abs)
	switch {
	case os.IsNotExist(err):
		return "", nil, evergreen.Errorf(evergreen.NotFound, "there is no file or folder %s", root).Fix("check the path; a relative one starts at the current folder")
	case err != nil:
		return "", nil, evergreen.Errorf(evergreen.Invalid, "cannot read %s: %s", root, reason(err)).Fix("check the permissions of the path")
	case !info.IsDir() && !info.Mode().IsRegular():
		return "", nil, evergreen.Errorf(evergreen.Invalid, "%s is neither a file nor a folder", root)
	}
	return abs, info, nil
}

// single is the result for a root that is one file.
func single(abs string, info fs.FileInfo, limits limits) Result {
	res := Result{Root: filepath.Dir(abs), OtherKinds: map[string]int{}, Discovered: 1, Folders: []string{filepath.Dir(abs)}}
	f := newFile(DocPath(filepath.Base(abs)), abs, info)
	if f.Size > limits.bytes {
		res.Skipped = []evergreen.Skip{{Path: f.Path, Reason: tooLarge(f.Size, limits.bytes)}}
		return res
	}
	res.Files = []File{f}
	return res
}

func newFile(docPath, abs string, info fs.FileInfo) File {
	inode, dev := fileID(info)
	return File{docPath, abs, info.Size(), info.ModTime().UnixNano(), inode, dev}
}

// finish orders what the walk met, drops doubles and applies the cap.
func (w *walker) finish() Result {
	slices.SortFunc(w.files, func(a, b File) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Abs, b.Abs))
	})
	taken := w.files[:0]
	for _, f := range w.files {
		switch {
		case len(taken) > 0 && taken[len(taken)-1].Path == f.Path:
			w.skip(f.Path, "another file has the same doc_path")
		case len(taken) == w.limits.files:
			w.truncated = true
			w.skip(f.Path, fmt.Sprintf("over the cap of %d files (the first in path order are taken)", w.limits.files))
		default:
			taken = append(taken, f)
		}
	}
	bySkip := func(a, b evergreen.Skip) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Reason, b.Reason))
	}
	slices.SortFunc(w.skipped, bySkip)
	slices.SortFunc(w.places, bySkip)
	folders := make([]string, 0, len(w.seen))
	for real := range w.seen {
		folders = append(folders, filepath.Join(w.root, filepath.FromSlash(real)))
	}
	slices.Sort(folders)
	return Result{
		Root: w.root, Folders: folders, Files: taken, Skipped: w.skipped, Places: w.places,
		OtherKinds: w.other, OutOfScope: w.outOfScope,
		Discovered: len(taken) + len(w.skipped), Truncated: w.truncated,
	}
}
