// Package study is the frame of every measuring program: it reads the flags,
// finds the corpora, builds the product, notes the circumstances and writes
// results/NAME.md, also when the corpora are absent.
package study

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"evergreen/bench/internal/data"
	"evergreen/bench/internal/endpoint"
	"evergreen/bench/internal/program"
	"evergreen/bench/internal/report"
)

// Study is one question while it is answered.
type Study struct {
	report.Report
	Name    string
	Runs    int // how often each figure is measured
	Corpora data.Corpora
	Work    string // folder for what is unpacked and indexed
	Out     string // folder for results
	Program program.Program

	repeated bool // something was measured Runs times
}

// Main answers the question called name: measure fills the tables.
func Main(name, title string, about []string, measure func(context.Context, *Study) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s := &Study{Name: name, Report: report.Report{Title: title, About: about}}
	if err := s.run(ctx, measure); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

func (s *Study) run(ctx context.Context, measure func(context.Context, *Study) error) error {
	flag.IntVar(&s.Runs, "runs", 5, "how often each figure is measured; fewer than 5 prove nothing")
	flag.StringVar(&s.Out, "out", "results", "folder for the result")
	work := flag.String("work", "", "folder for unpacked corpora, kept for the next program (default: a temporary one)")
	flag.Parse()
	var err error
	if s.Corpora, err = data.Find(); err != nil {
		return err
	}
	if s.Work = *work; s.Work == "" {
		if s.Work, err = os.MkdirTemp("", "evergreen-bench-"); err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(s.Work) }() // the system cleans up what stays
	} else if err := os.MkdirAll(s.Work, 0o755); err != nil {
		return err
	}
	if s.Work, err = filepath.Abs(s.Work); err != nil {
		return err
	}
	s.Facts = facts(ctx)
	if s.Corpora == "" {
		s.Absent("everything", "the corpora are not here; "+data.Variable+" names no folder")
	} else if err := s.measure(ctx, measure); err != nil {
		return err
	}
	s.Facts = append(s.Facts, method(s.Name, s.Runs, s.repeated)...)
	file := filepath.Join(s.Out, s.Name+".md")
	fmt.Fprintln(os.Stderr, "wrote", file)
	return s.Write(file)
}

func (s *Study) measure(ctx context.Context, measure func(context.Context, *Study) error) error {
	module, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return fmt.Errorf("find the module: %w", err)
	}
	if s.Program, err = program.Build(ctx, strings.TrimSpace(string(module)), s.Work); err != nil {
		return err
	}
	started := time.Now()
	if err := measure(ctx, s); err != nil {
		return err
	}
	s.Facts = append(s.Facts, [2]string{"took", strconv.Itoa(int(time.Since(started).Seconds())) + " s"})
	return nil
}

// Each measures Runs times.
func (s *Study) Each(f func(run int) error) error { return s.Times(s.Runs, f) }

// Times measures what would take too long Runs times; its table says how often.
func (s *Study) Times(runs int, f func(run int) error) error {
	s.repeated = true
	for run := range runs {
		fmt.Fprintf(os.Stderr, "%s: run %d of %d\n", s.Name, run+1, runs)
		if err := f(run); err != nil {
			return err
		}
	}
	return nil
}

// Index unpacks a tree and indexes it under its name into a library of its own.
func (s *Study) Index(ctx context.Context, tree string) (library string, err error) {
	source, err := s.Corpora.Docs(tree, s.Work)
	if err != nil {
		return "", err
	}
	library = filepath.Join(s.Work, "library-"+s.Name+"-"+tree)
	if err := os.RemoveAll(library); err != nil {
		return "", err
	}
	_, err = s.Program.Run(ctx, "index", source, "--name", tree, "--library", library, "--quiet")
	return library, err
}

// Endpoint is the MCP endpoint of a server.
func Endpoint(s *program.Server) endpoint.Endpoint {
	return endpoint.Endpoint{URL: s.URL + "/mcp", Client: &http.Client{Timeout: time.Minute}}
}
