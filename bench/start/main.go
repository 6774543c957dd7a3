// Start measures the way from nothing to the first answer: of a large folder, of
// a program over a library that is there, and of a server.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"evergreen/bench/internal/data"
	"evergreen/bench/internal/program"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

const (
	tree  = "mdn-en"
	query = "how do I keep an array sorted while inserting"
)

func main() {
	study.Main("start", "From the start to the first answer", []string{
		"How long until the first answer: from a folder of documentation, over a library that is there, and from a server?",
		"MDN, English. The pipeline is `evergreen index` of the folder, just unpacked, into an empty library, and `evergreen context` over it, one after the other, in wall time and in processor time. " +
			"Unpacking the archive is the measuring program's work, with Go's gzip, and mostly the system's, which makes 14,074 files; it is shown beside. " +
			"A start is a whole process of the stripped binary over that library, which lies in the system's file cache: `search` and `context` to their end, `serve` until the first answer has been read. " +
			"The binary is built with the options of `make dist`. The floors are those that the project set itself.",
	}, measure)
}

func measure(ctx context.Context, s *study.Study) error {
	stripped, size, err := build(ctx, s)
	if err != nil {
		return err
	}
	t := report.Table{Columns: report.Columns("what")}
	library := filepath.Join(s.Work, "library-start")
	if err := pipeline(ctx, s, &t, stripped, library); err != nil {
		return err
	}
	if err := starts(ctx, s, &t, stripped, library); err != nil {
		return err
	}
	t.Add(append([]string{"stripped binary"}, report.AtMost(report.Sample{size}, " MB", 30)...)...)
	s.Table(t)
	return nil
}

// build builds the product as it is distributed. size is in MB.
func build(ctx context.Context, s *study.Study) (p program.Program, size float64, err error) {
	module, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return p, 0, err
	}
	folder := filepath.Join(s.Work, "stripped")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return p, 0, err
	}
	if p, err = program.Build(ctx, strings.TrimSpace(string(module)), folder, "-trimpath", "-ldflags", "-s -w"); err != nil {
		return p, 0, err
	}
	info, err := os.Stat(p.Path())
	if err != nil {
		return p, 0, err
	}
	return p, float64(info.Size()) / 1e6, nil
}

// pipeline measures the way from a folder to an answer.
func pipeline(ctx context.Context, s *study.Study, t *report.Table, p program.Program, library string) error {
	var both, unpack, index, answer, cpu report.Sample
	folder := filepath.Join(s.Work, "start-unpacked")
	defer os.RemoveAll(folder)
	err := s.Each(func(int) error {
		if err := os.RemoveAll(library); err != nil {
			return err
		}
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
		began := time.Now()
		if err := data.Unpack(s.Corpora.Path("docs", tree+".tar.gz"), folder); err != nil {
			return err
		}
		unpack = append(unpack, time.Since(began).Seconds())
		i, err := p.Run(ctx, "index", folder, "--name", tree, "--library", library, "--quiet")
		if err != nil {
			return err
		}
		a, err := p.Run(ctx, "context", query, "--library", library, "--quiet")
		if err != nil {
			return err
		}
		index, answer = append(index, i.Wall.Seconds()), append(answer, a.Wall.Seconds())
		both = append(both, (i.Wall + a.Wall).Seconds())
		cpu = append(cpu, (i.CPU + a.CPU).Seconds())
		return nil
	})
	if err != nil {
		return err
	}
	t.Add(append([]string{"folder to first answer"}, report.AtMost(both, " s", 6)...)...)
	t.Add(append([]string{"of it `evergreen index`"}, report.Plain(index, " s")...)...)
	t.Add(append([]string{"of it `evergreen context`"}, report.Plain(answer, " s")...)...)
	t.Add(append([]string{"processor time of both"}, report.Plain(cpu, " s")...)...)
	t.Add(append([]string{"unpacking the archive before"}, report.Plain(unpack, " s")...)...)
	return nil
}

// starts measures whole processes until their first answer.
func starts(ctx context.Context, s *study.Study, t *report.Table, p program.Program, library string) error {
	for _, m := range []struct {
		name string
		do   func() (time.Duration, error)
	}{
		{"`evergreen search`, whole process", command(ctx, p, "search", library)},
		{"`evergreen context`, whole process", command(ctx, p, "context", library)},
		{"`evergreen serve`, start to first `/api/context`", func() (time.Duration, error) { return serve(ctx, s, p, library) }},
	} {
		var took report.Sample
		if err := s.Each(func(int) error {
			d, err := m.do()
			took = append(took, report.Milliseconds(d))
			return err
		}); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		t.Add(append([]string{m.name}, report.AtMost(took, " ms", 100)...)...)
	}
	return nil
}

func command(ctx context.Context, p program.Program, name, library string) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		u, err := p.Run(ctx, name, query, "--library", library, "--json", "--quiet")
		return u.Wall, err
	}
}

// serve starts a server and asks it once.
func serve(ctx context.Context, s *study.Study, p program.Program, library string) (time.Duration, error) {
	began := time.Now()
	server, err := p.Serve(ctx, s.Work, "--library", library)
	if err != nil {
		return 0, err
	}
	defer func() { _ = server.Stop() }() // it has answered
	r, err := http.Get(server.URL + "/api/context?topic=" + strings.ReplaceAll(query, " ", "+"))
	if err != nil {
		return 0, err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	took := time.Since(began)
	if err == nil && (r.StatusCode != http.StatusOK || !strings.Contains(string(body), `"entries"`)) {
		err = fmt.Errorf("status %d: %.200s", r.StatusCode, body)
	}
	return took, err
}
