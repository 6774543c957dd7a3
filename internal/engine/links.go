package engine

import (
	"context"
	"path"
	"runtime/debug"
	"strings"

	"evergreen/internal/section"
	"evergreen/internal/store"
)

// LinkFault is a link of a stored document that leads nowhere.
type LinkFault struct {
	DocPath string `json:"doc_path"`
	Target  string `json:"target"`
	Fault   string `json:"fault"`
}

// CheckLinks looks through the links between the documents of a collection:
// relative targets that the collection does not hold, and slips in schemes.
// Targets elsewhere are not fetched.
func (e *Engine) CheckLinks(ctx context.Context, name string) (checked int, faults []LinkFault, err error) {
	s, err := e.acquire()
	if err != nil {
		return 0, nil, err
	}
	defer e.release(s)
	defer e.settle(debug.SetPanicOnFault(true), name, &err)
	c, err := s.collection(name)
	if err != nil {
		return 0, nil, err
	}
	docs := c.docs(true)
	have := map[string]bool{}
	for _, d := range docs {
		for _, p := range []string{d.doc.Path, strings.TrimSuffix(d.doc.Path, path.Ext(d.doc.Path)), path.Dir(d.doc.Path)} {
			have[p] = true
		}
	}
	for _, d := range docs {
		if ctx.Err() != nil {
			return checked, faults, ctx.Err()
		}
		if d.doc.Flags&(store.FlagEntry|store.FlagPlain) != 0 {
			continue
		}
		text, err := d.segment.DocText(d.doc)
		if err != nil {
			return checked, faults, err
		}
		for _, l := range section.Links(text, d.doc.HeadBytes) {
			checked++
			if why := linkFault(l, d.doc.Path, have); why != "" {
				faults = append(faults, LinkFault{d.doc.Path, l.Target, why})
			}
		}
	}
	return checked, faults, nil
}

func linkFault(l section.Link, docPath string, have map[string]bool) string {
	if why := l.Suspicion(); why != "" {
		return why
	}
	target, _, ok := l.Relative(docPath)
	if !ok || l.Image || have[strings.TrimSuffix(target, "/")] || target == "" {
		return ""
	}
	switch strings.ToLower(path.Ext(target)) {
	case ".md", ".markdown", ".mdx":
		return "no such document in the collection"
	case ".html", ".htm", "":
		if !have[strings.TrimSuffix(target, path.Ext(target))] {
			return "no such document in the collection"
		}
	}
	return "" // files of other kinds are not indexed, so nothing is known
}
