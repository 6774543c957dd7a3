// Indexing measures what it costs to bring a library in line with a folder:
// anew, unchanged, and after one edit. Each figure is that of a whole process,
// start and commit included.
package main

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"

	"evergreen/bench/internal/program"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

func main() {
	study.Main("indexing", "Indexing", []string{
		"What does it cost to bring a library in line with a folder of documentation?",
		"Each run starts with an empty library: `evergreen index FOLDER` (cold), again with nothing changed, again after a line was added to one file. " +
			"Cold is the whole pipeline: files read, split, indexed and committed; `start` adds the unpacking before it and the first answer after it. " +
			"Seconds are wall time of the whole process. The files lie in the system's file cache, as after a checkout. " +
			"The floors are those that the project set itself.",
	}, measure)
}

func measure(ctx context.Context, s *study.Study) error {
	for _, t := range []tree{
		{name: "mdn-en", title: "MDN, English", cold: 6, unchanged: .5, edited: 1, beside: 40, peak: 600},
		{name: "react", title: "React docs", cold: .6},
	} {
		if err := t.measure(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// tree is one folder of documentation with its floors; 0 is none.
type tree struct {
	name, title             string
	cold, unchanged, edited float64 // seconds
	beside, peak            float64 // MB
}

// figures of all runs.
type figures struct {
	cold, unchanged, edited, peak, cpu, beside, text, sections, speed report.Sample
	documents                                                         int
}

func (t tree) measure(ctx context.Context, s *study.Study) error {
	source, err := s.Corpora.Docs(t.name, s.Work)
	if err != nil {
		return err
	}
	if source, err = copyOf(source, filepath.Join(s.Work, "edited-"+t.name)); err != nil {
		return err
	}
	defer os.RemoveAll(source)
	var f figures
	if err := s.Each(func(run int) error { return f.run(ctx, s, source, t.name) }); err != nil {
		return err
	}
	s.Table(t.table(f))
	return nil
}

// run measures one round.
func (f *figures) run(ctx context.Context, s *study.Study, source, name string) error {
	library := filepath.Join(s.Work, "library-indexing")
	if err := os.RemoveAll(library); err != nil {
		return err
	}
	index := func(into *report.Sample) (r indexed, u program.Usage, err error) {
		u, err = s.Program.Run(ctx, "index", source, "--name", name, "--library", library, "--json", "--quiet")
		if err != nil {
			return r, u, err
		}
		*into = append(*into, u.Wall.Seconds())
		return r, u, json.Unmarshal(u.Out, &r)
	}
	r, u, err := index(&f.cold)
	if err != nil {
		return err
	}
	f.peak, f.cpu = append(f.peak, u.Peak), append(f.cpu, u.CPU.Seconds())
	text, beside, err := study.Sizes(library)
	if err != nil {
		return err
	}
	f.text, f.beside = append(f.text, text), append(f.beside, beside)
	f.documents = r.Documents.Indexed
	f.sections = append(f.sections, float64(r.Sections))
	f.speed = append(f.speed, text/f.cold[len(f.cold)-1])
	if _, _, err := index(&f.unchanged); err != nil {
		return err
	}
	if err := edit(source); err != nil {
		return err
	}
	if r, _, err = index(&f.edited); err == nil && r.Documents.Indexed != 1 {
		s.Absent("one file changed", "the pass read "+report.Thousands(r.Documents.Indexed)+" files")
	}
	return err
}

// indexed is what "evergreen index --json" tells.
type indexed struct {
	Documents struct{ Indexed int }
	Sections  int
}

func (t tree) table(f figures) report.Table {
	table := report.Table{
		Heading: t.title + ": " + report.Thousands(f.documents) + " files, " + report.Number(f.text.Median()) +
			" MB of text, " + report.Number(f.sections.Median()) + " sections",
		Columns: report.Columns("what"),
	}
	add := func(name string, s report.Sample, unit string, floor float64) {
		cells := report.Plain(s, unit)
		if floor > 0 {
			cells = report.AtMost(s, unit, floor)
		}
		table.Add(append([]string{name}, cells...)...)
	}
	add("cold", f.cold, " s", t.cold)
	add("nothing changed", f.unchanged, " s", t.unchanged)
	add("one file changed", f.edited, " s", t.edited)
	add("index beside the text", f.beside, " MB", t.beside)
	add("peak memory, cold", f.peak, " MB", t.peak)
	add("processor time, cold", f.cpu, " s", 0)
	add("text read, cold", f.speed, " MB/s", 0)
	return table
}

// edit adds a line to the file in the middle of the list.
func edit(source string) error {
	var files []string
	if err := filepath.WalkDir(source, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".md" {
			files = append(files, path)
		}
		return err
	}); err != nil {
		return err
	}
	file, err := os.OpenFile(files[len(files)/2], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.WriteString("\nOne more line.\n")
	return err
}

// copyOf copies a folder with the files' times, so that files can be edited.
func copyOf(from, to string) (string, error) {
	if err := os.RemoveAll(to); err != nil {
		return "", err
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return "", err
	}
	return to, filepath.WalkDir(to, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		relative, err := filepath.Rel(to, path)
		if err != nil {
			return err
		}
		info, err := os.Stat(filepath.Join(from, relative))
		if err != nil {
			return err
		}
		if err := os.Chmod(path, 0o644); err != nil {
			return err
		}
		return os.Chtimes(path, info.ModTime(), info.ModTime())
	})
}
