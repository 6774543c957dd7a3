// Crawl measures what it takes to index a whole documentation site over HTTP,
// and whether the sections are those of the site's own sources.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	pathpkg "path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"evergreen"

	"evergreen/bench/internal/program"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

func main() {
	lost := flag.String("lost", "", "also write which pages and headings were not found to this `FILE`")
	study.Main("crawl", "Indexing sites", []string{
		"What does it take to index a documentation site over HTTP, and are its sections those of the site's own sources?",
		"The HTML of Debian's packages python3.11-doc and python-django-doc (apt-get, unpacked with dpkg), each served by a plain file server over loopback. " +
			"Each run starts with an empty library: `evergreen index URL --allow-private` for both sites (cold), then again with nothing changed; seconds are wall time of whole processes.",
		"A page is in scope when a link below the start page leads to it; each is indexed or named with a reason. " +
			"Headings: the sources of the pages (`_sources/*.rst.txt`; for Django, whose package has none, `docs/*.txt` of the same release) are scanned for section titles by their adornments; " +
			"a title counts as found when a section of the same page has it, letters and digits compared.",
	}, func(ctx context.Context, s *study.Study) error { return measure(ctx, s, *lost) })
}

func measure(ctx context.Context, s *study.Study, lost string) error {
	sites := []*site{
		{name: "python3.11-doc", folder: "usr/share/doc/python3.11/html"},
		{name: "python-django-doc", folder: "usr/share/doc/python-django-doc/html"},
	}
	var there []*site
	for _, d := range sites {
		if why := d.unpack(ctx, s.Work); why != "" {
			s.Absent(d.name, why)
			continue
		}
		there = append(there, d)
	}
	if len(there) == 0 {
		return nil
	}
	library := filepath.Join(s.Work, "library-crawl")
	crawls, t, err := race(ctx, s, there, library)
	if err != nil {
		return err
	}
	s.Table(t)
	var notes strings.Builder
	pages, headings, contents := pageTable(), headingTable(), contentTable()
	for i, d := range there {
		files, err := d.pages()
		if err != nil {
			return err
		}
		titles, err := titlesOf(ctx, library, d.name)
		if err != nil {
			return err
		}
		crawls[i].account(d, files, titles, &pages, &notes)
		if err := d.content(files, &contents, &notes); err != nil {
			return err
		}
		if why := d.findSources(ctx, s.Work, map[string]string{"python-django-doc": "Django"}[d.name]); why != "" {
			s.Absent("sources of "+d.name, why)
			continue
		}
		found, sources, err := d.headings(titles, files)
		if err != nil {
			return err
		}
		headings.Add(d.name, report.Thousands(sources), report.Thousands(found.All), report.Thousands(found.Found), fmt.Sprintf("%.4f", found.Value()))
		for _, h := range found.Lost() {
			fmt.Fprintln(&notes, "heading", h)
		}
	}
	s.Table(pages)
	s.Table(headings)
	s.Table(contents)
	if lost == "" {
		return nil
	}
	return os.WriteFile(lost, []byte(notes.String()), 0o600)
}

// crawled is what became of one site.
type crawled struct {
	evergreen.IndexReport
	base     string
	requests [2]int64 // cold, and again
}

// race indexes all sites cold and again, once a run, and returns the reports of
// the last cold pass.
func race(ctx context.Context, s *study.Study, sites []*site, library string) (last []crawled, t report.Table, err error) {
	var cold, again, coldCPU, againCPU, peak report.Sample
	err = s.Each(func(int) error {
		if err := os.RemoveAll(library); err != nil {
			return err
		}
		last = nil
		var first, second, firstCPU, secondCPU, most float64
		for _, d := range sites {
			c, one, two, err := d.index(ctx, s, library)
			if err != nil {
				return err
			}
			last = append(last, c)
			first, second = first+one.Wall.Seconds(), second+two.Wall.Seconds()
			firstCPU, secondCPU = firstCPU+one.CPU.Seconds(), secondCPU+two.CPU.Seconds()
			most = max(most, one.Peak)
		}
		cold, again, peak = append(cold, first), append(again, second), append(peak, most)
		coldCPU, againCPU = append(coldCPU, firstCPU), append(againCPU, secondCPU)
		return nil
	})
	t = report.Table{Heading: "Both sites together", Columns: report.Columns("what")}
	if len(sites) == 1 {
		t.Heading = "Only " + sites[0].name
	}
	t.Add(append([]string{"cold"}, report.AtMost(cold, " s", 30)...)...)
	t.Add(append([]string{"again, nothing changed"}, report.AtMost(again, " s", 3)...)...)
	t.Add(append([]string{"processor time, cold"}, report.Plain(coldCPU, " s")...)...)
	t.Add(append([]string{"processor time, again"}, report.Plain(againCPU, " s")...)...)
	t.Add(append([]string{"peak memory, cold"}, report.Plain(peak, " MB")...)...)
	return last, t, err
}

// index serves a site and indexes it twice.
func (d *site) index(ctx context.Context, s *study.Study, library string) (c crawled, cold, again program.Usage, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return c, cold, again, err
	}
	var asked atomic.Int64
	files := plainFiles(d.html)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		files.ServeHTTP(w, r)
	})}
	go func() { _ = server.Serve(listener) }() // ends with Close
	defer server.Close()
	c.base = "http://" + listener.Addr().String() + "/"
	pass := func(into *evergreen.IndexReport) (program.Usage, error) {
		u, err := s.Program.Run(ctx, "index", c.base, "--name", d.name, "--allow-private", "--max-pages", "5000", "--library", library, "--json", "--quiet")
		if err != nil {
			return u, err
		}
		return u, json.Unmarshal(u.Out, into)
	}
	if cold, err = pass(&c.IndexReport); err != nil {
		return c, cold, again, err
	}
	c.requests[0] = asked.Swap(0)
	var second evergreen.IndexReport
	if again, err = pass(&second); err != nil {
		return c, cold, again, err
	}
	c.requests[1] = asked.Load()
	if second.Documents.Indexed > 0 {
		s.Absent("unchanged pages of "+d.name, fmt.Sprintf("the second pass indexed %d anew", second.Documents.Indexed))
	}
	return c, cold, again, nil
}

// plainFiles serves a folder without redirecting from index.html, which
// http.FileServer does and other servers do not.
func plainFiles(folder string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := filepath.Join(folder, filepath.FromSlash(pathpkg.Clean("/"+r.URL.Path)))
		if strings.HasSuffix(r.URL.Path, "/") {
			path = filepath.Join(path, "index.html")
		}
		file, err := os.Open(path)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		defer file.Close()
		info, err := file.Stat()
		if err != nil || info.IsDir() {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, info.Name(), info.ModTime(), file)
	})
}

func pageTable() report.Table {
	return report.Table{Heading: "Pages", Columns: []string{"site", "version", "HTML files", "found by links", "indexed", "skipped, by reason", "files no link leads to", "sections", "tokens", "requests", "again"}}
}

// account books what became of every HTML file: it is indexed, skipped with a
// reason, or no link leads to it.
func (c crawled) account(d *site, files []string, titles map[string][]string, t *report.Table, notes *strings.Builder) {
	reasons, told := map[string]int{}, map[string]bool{}
	for _, skip := range c.Skipped {
		reason, _, _ := strings.Cut(skip.Reason, ":")
		reasons[reason]++
		told[strings.TrimPrefix(skip.Path, c.base)] = true
		fmt.Fprintln(notes, "skipped", d.name, strings.TrimPrefix(skip.Path, c.base), skip.Reason)
	}
	unlinked := 0
	for _, f := range files {
		if _, indexed := titles[docPath(f)]; !indexed && !told[f] {
			unlinked++
			fmt.Fprintln(notes, "unlinked", d.name, f)
		}
	}
	var list []string
	for reason, n := range reasons {
		list = append(list, fmt.Sprintf("%s %d", reason, n))
	}
	slices.Sort(list)
	t.Add(d.name, d.version, report.Thousands(len(files)), report.Thousands(c.Documents.Discovered), report.Thousands(c.Documents.Indexed), strings.Join(list, ", "),
		report.Thousands(unlinked), report.Thousands(c.Sections), report.Thousands(c.Tokens), report.Thousands(int(c.requests[0])), report.Thousands(int(c.requests[1])))
}

func headingTable() report.Table {
	return report.Table{Heading: "Headings of the sources found among the sections",
		Columns: []string{"site", "sources with a page", "headings", "found", "share"}}
}
