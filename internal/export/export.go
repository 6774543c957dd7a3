// Package export writes a site as plain files: every layer, every page, and what
// pages load, for any host that serves a folder. Pages link relatively, and so
// do mirrors where no base URL is known, so that the files work below any path.
//
// It makes none of the documents: package site writes the layers, and the pages
// come from who is handed in. It keeps no server and no protocols; questions and
// searches are answered by the pages' scripts, from files beside them.
package export

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"evergreen"
	"evergreen/internal/site"
)

// Pages makes what people read.
type Pages interface {
	Page(s *site.Site, p site.Page, lang string) ([]byte, error)
	Playground(s *site.Site, p site.Page, lang string, q evergreen.Query, ask func(evergreen.Query) (evergreen.Bundle, error)) ([]byte, error)
	Layers(s *site.Site, lang string) ([]byte, error)
	Search(s *site.Site, lang string, r evergreen.SearchRequest, find func(evergreen.SearchRequest) (evergreen.SearchResult, error)) ([]byte, error)
	Data(s *site.Site, most int, put func(path string, body []byte) error) error
	Assets() []string
	Asset(path string) (body []byte, kind string, fixed, ok bool)
}

// File is a further file of the export.
type File struct {
	Path string // from the site's root
	Body []byte
}

// Options say what is exported.
type Options struct {
	Site  *site.Site // under its base URL, or under none
	Pages Pages
	// Ask answers the question on the home page.
	Ask   func(evergreen.Query) (evergreen.Bundle, error)
	Files []File
}

// Report says what was written.
type Report struct {
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
}

// writer writes one export.
type writer struct {
	o      Options
	root   *os.Root
	temp   string     // the file that is being written
	linked *site.Site // with every address under placeholder, for what links relatively
	report Report
}

// placeholder stands for the site's base URL until a file knows where it lies.
// No document can name a host below .invalid and mean it (RFC 2606).
const placeholder = "https://export.invalid"

// Write writes the site into a folder, which is made when it is missing. Files
// of an earlier export are overwritten, others are left alone. It stops at the
// first error, and between files when ctx ends.
func Write(ctx context.Context, dir string, o Options) (Report, error) {
	if loopback(o.Site.Base()) {
		return Report{}, evergreen.Errorf(evergreen.Invalid, "an export cannot be addressed at %s, which is every reader's own machine", o.Site.Base()).
			Fix("give the public address with --base-url, or none")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Report{}, evergreen.Errorf(evergreen.Invalid, "make %s: %w", dir, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Report{}, evergreen.Errorf(evergreen.Invalid, "open %s: %w", dir, err)
	}
	defer root.Close()
	temp, err := tempName(root)
	if err != nil {
		return Report{}, writeError(dir, err)
	}
	w := &writer{o: o, root: root, temp: temp, linked: o.Site.At(placeholder)}
	for _, step := range []func(context.Context) error{w.resources, w.pages, w.rest} {
		if err := step(ctx); err != nil {
			return w.report, err
		}
	}
	return w.report, nil
}

// loopback reports whether a base URL leads to the reader's own machine.
func loopback(base string) bool {
	u, err := url.Parse(base)
	if err != nil || base == "" {
		return false
	}
	host := u.Hostname()
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || strings.HasPrefix(host, "127.") || host == "::1"
}

// resources writes the documents and mirrors, under all of their names.
func (w *writer) resources(ctx context.Context) error {
	for r := range w.o.Site.Resources() {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, at := range append([]string{r.Path}, r.Aliases...) {
			if err := w.resource(r, at); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *writer) resource(r site.Resource, at string) error {
	if r.Page == nil || w.o.Site.Base() != "" {
		return w.create(at, func(out io.Writer) error { _, err := r.WriteTo(out); return err })
	}
	twin, ok := w.linked.Lookup(r.Path)
	if !ok {
		return evergreen.Errorf(evergreen.Internal, "the mirror %s is missing", r.Path)
	}
	body, err := twin.Bytes()
	if err != nil {
		return err
	}
	return w.create(at, func(out io.Writer) error { _, err := out.Write(w.relativeText(body, at)); return err })
}

// pages writes every page. A list that stands at a folder's own name is written
// into the folder too, where hosts look for it.
func (w *writer) pages(ctx context.Context) error {
	for _, p := range w.o.Site.Pages() {
		if err := ctx.Err(); err != nil {
			return err
		}
		body, err := w.html(p)
		if err != nil {
			return err
		}
		places := []string{fileOf(p.Path)}
		if p.Kind == site.KindCollection {
			if _, _, taken := w.o.Site.PageAt(p.Path + "/index"); !taken {
				places = append(places, p.Path+"/index.html")
			}
		}
		for _, at := range places {
			if err := w.page(at, body); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *writer) html(p site.Page) ([]byte, error) {
	lang := langOf(w.o.Site, p)
	if p.Kind == site.KindHome {
		return w.o.Pages.Playground(w.o.Site, p, lang, evergreen.Query{}, w.o.Ask)
	}
	return w.o.Pages.Page(w.o.Site, p, lang)
}

func (w *writer) page(at string, body []byte) error {
	rewritten, err := w.relativeHTML(body, at)
	if err != nil {
		return err
	}
	return w.bytes(at, rewritten)
}

// rest writes the pages of their own paths, what pages load, and further files.
func (w *writer) rest(context.Context) error {
	lang := langOf(w.o.Site, w.o.Site.Pages()[0])
	layers, err := w.o.Pages.Layers(w.o.Site, lang)
	if err == nil {
		err = w.page("/layers.html", layers)
	}
	if err != nil {
		return err
	}
	search, err := w.o.Pages.Search(w.o.Site, lang, evergreen.SearchRequest{}, nil)
	if err == nil {
		err = w.page("/search.html", search)
	}
	if err != nil {
		return err
	}
	if err := w.o.Pages.Data(w.o.Site, 0, w.bytes); err != nil {
		return err
	}
	for _, at := range w.o.Pages.Assets() {
		if body, _, _, ok := w.o.Pages.Asset(at); ok {
			if err := w.bytes(at, body); err != nil {
				return err
			}
		}
	}
	for _, f := range w.o.Files {
		if err := w.bytes(f.Path, f.Body); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) bytes(at string, body []byte) error {
	return w.create(at, func(out io.Writer) error { _, err := io.Copy(out, bytes.NewReader(body)); return err })
}

// create writes the file of a path of the site: under another name first, so
// that whoever serves the folder never sees half of one.
func (w *writer) create(at string, write func(io.Writer) error) error {
	name := filepath.FromSlash(strings.TrimPrefix(path.Clean(at), "/"))
	if err := w.root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return writeError(name, err)
	}
	f, err := w.root.Create(w.temp)
	if err != nil {
		return writeError(name, err)
	}
	counted := &counter{w: f}
	err = write(counted)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = w.root.Rename(w.temp, name)
	}
	if err != nil {
		_ = w.root.Remove(w.temp)
		return writeError(name, err)
	}
	w.report.Files++
	w.report.Bytes += counted.n
	return nil
}

// writeError says in the caller's terms why a file was not written.
func writeError(name string, err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return evergreen.Errorf(evergreen.Blocked, "write %s: %w", name, err).Fix("Name a folder that you may write to.")
	}
	return evergreen.Errorf(evergreen.Exhausted, "write %s: %w", name, err).
		Fix("Free disk space and export again; files that were not reached are as they were.")
}

// tempName is a name of this run's own. What runs that were interrupted have
// left is removed.
func tempName(root *os.Root) (string, error) {
	left, err := fs.Glob(root.FS(), tempPrefix+"*")
	for _, name := range left {
		err = errors.Join(err, root.Remove(name))
	}
	return tempPrefix + rand.Text(), err
}

// tempPrefix begins the name of the file that is being written.
const tempPrefix = ".tmp-export-"

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// langOf is the language of the words around a page: the page's own.
func langOf(s *site.Site, p site.Page) string {
	if strings.HasPrefix(strings.ToLower(s.Lang(p)), evergreen.LangChinese) {
		return evergreen.LangChinese
	}
	return evergreen.LangEnglish
}

// fileOf is the file of a page's path.
func fileOf(p string) string {
	switch {
	case strings.HasSuffix(p, "/"):
		return p + "index.html"
	case slices.Contains([]string{".html", ".htm"}, path.Ext(p)):
		return p
	}
	return p + ".html"
}
