// Http measures what the layers cost a server: ours, a handler that writes the
// same bytes with the same headers from memory, and a file server over the
// exported site.
package main

import (
	"context"
	"encoding/xml"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"evergreen/bench/internal/load"
	"evergreen/bench/internal/program"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

const (
	tree    = "react"
	clients = 100
	turns   = 3                      // of each server and layer in each run, one server after the other
	slice   = 170 * time.Millisecond // of load in each turn
	proof   = 30 * time.Second       // of all layers at once

	floorAPI    = .7 // of the bare handler's throughput
	floorStatic = .8
)

func main() {
	if len(os.Args) == 4 && os.Args[1] == "serve" {
		if err := servePeer(os.Args[2], os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	study.Main("http", "HTTP layers", []string{
		"What does it cost to serve each layer, and how many answers a second are there for 100 clients at once?",
		"The React docs, served by the whole product with `--rate-limit 0` and its other guards, log level warn. " +
			"Each server is a process of its own. " +
			"100 connections are kept alive, one request under way on each, uncompressed. In each run every layer is asked for from one server after the other, three turns of 170 ms each. " +
			"Throughput depends on the client, which shares the processors; processor time is that of the server's process in user and system mode, divided by the answers. " +
			"The ratio is throughput beside the bare handler within the same run; on a machine that others use too, the ratio of processor time says more.",
	}, measure)
}

// layer is one path that is asked for.
type layer struct {
	name, path, accept string
	floor              float64
}

func measure(ctx context.Context, s *study.Study) error {
	s.Peers(
		report.Peer{Name: "bare handler", Version: runtime.Version(), Options: "`net/http` and a map from path to what Evergreen answered there: the same headers and bytes, written from memory in one call",
			Why: "looks at nothing else in a request: what these bytes cost at least"},
		report.Peer{Name: "file server", Version: runtime.Version(), Options: "`http.FileServer` over `evergreen export` of the same library", Why: "the usual way to serve a site; what no export holds is absent there"},
	)
	library, err := s.Index(ctx, tree)
	if err != nil {
		return err
	}
	server, err := s.Program.Serve(ctx, s.Work, "--library", library)
	if err != nil {
		return err
	}
	defer func() { _ = server.Stop() }() // what it has answered is measured
	address := strings.TrimPrefix(server.URL, "http://")
	layers, err := layersOf(address)
	if err != nil {
		return err
	}
	export := filepath.Join(s.Work, "http-export")
	if err := os.RemoveAll(export); err != nil {
		return err
	}
	if _, err := s.Program.Run(ctx, "export", export, "--library", library, "--base-url", "https://docs.example.com", "--quiet"); err != nil {
		return err
	}
	all := []*side{{name: "evergreen", address: address, pid: server.PID()}}
	record := filepath.Join(s.Work, "http-answers.json")
	if err := recordAnswers(address, layers, record); err != nil {
		return err
	}
	for _, p := range []struct{ name, from string }{{bare, record}, {files, export}} {
		other, stop, err := start(ctx, p.name, p.from)
		if err != nil {
			return err
		}
		defer stop()
		all = append(all, other)
	}
	if err := rounds(ctx, s, all, layers); err != nil {
		return err
	}
	return prove(ctx, s, all[0], layers)
}

// layersOf chooses a page in the middle of the site.
func layersOf(address string) ([]layer, error) {
	_, body, err := job(address, layer{path: "/sitemap.xml", accept: "*/*"}).Once()
	if err != nil {
		return nil, err
	}
	var sitemap struct {
		URLs []struct {
			Location string `xml:"loc"`
		} `xml:"url"`
	}
	if err := xml.Unmarshal(body, &sitemap); err != nil || len(sitemap.URLs) == 0 {
		return nil, fmt.Errorf("the sitemap names no pages: %w", err)
	}
	page, err := url.Parse(sitemap.URLs[len(sitemap.URLs)/2].Location)
	if err != nil {
		return nil, err
	}
	return []layer{
		{"`/api/context`, budget 2000", "/api/context?topic=how+do+I+update+state&budget=2000", "application/json", floorAPI},
		{"`llms.txt`", "/llms.txt", "*/*", floorStatic},
		{"`llms-full.txt`, streamed", "/llms-full.txt", "*/*", floorStatic},
		{"mirror of a page", page.Path + ".md", "*/*", floorStatic},
		{"HTML page", page.Path, "text/html", floorStatic},
		{"`context.json`", "/context.json", "*/*", floorStatic},
		{"`robots.txt`", "/robots.txt", "*/*", floorStatic},
		{"agent card", "/.well-known/agent-card.json", "*/*", floorStatic},
	}, nil
}

// job asks a server for a layer.
func job(address string, l layer) load.Job {
	request := "GET " + l.path + " HTTP/1.1\r\nHost: " + address + "\r\nUser-Agent: bench\r\nAccept: " + l.accept + "\r\n\r\n"
	return load.Job{Address: address, Requests: [][]byte{[]byte(request)}, Clients: clients}
}

// rounds loads every server with every layer once a run.
func rounds(ctx context.Context, s *study.Study, all []*side, layers []layer) error {
	for _, l := range layers {
		for _, at := range all {
			a, _, err := job(at.address, l).Once()
			if err != nil {
				return fmt.Errorf("%s, %s: %w", at.name, l.path, err)
			}
			if a.Status != 200 && at.name != files {
				return fmt.Errorf("%s, %s: status %d", at.name, l.path, a.Status)
			}
			at.first = append(at.first, a)
		}
	}
	found := make([][]figures, len(layers))
	for i := range found {
		found[i] = make([]figures, len(all))
	}
	err := s.Each(func(int) error {
		for i, l := range layers {
			sums := make([]sum, len(all))
			for range turns {
				for k, at := range all {
					if at.first[i].Status != 200 {
						continue
					}
					if err := sums[k].turn(ctx, at, l, at.first[i]); err != nil {
						return fmt.Errorf("%s, %s: %w", at.name, l.path, err)
					}
				}
			}
			for k := range all {
				found[i][k].add(sums[k])
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.Table(table(layers, all, found))
	return nil
}

// sum is what one server gave in the turns of one run.
type sum struct {
	answers   int
	wall, cpu time.Duration // cpu is 0 where the system does not tell it
}

// turn loads a server once.
func (s *sum) turn(ctx context.Context, at *side, l layer, first load.Answer) error {
	j := job(at.address, l)
	j.Check = load.Ok(first)
	before, _ := program.CPU(at.pid)
	r, err := j.For(ctx, slice)
	if err != nil {
		return err
	}
	after, _ := program.CPU(at.pid)
	s.answers, s.wall, s.cpu = s.answers+r.Answers, s.wall+r.Wall, s.cpu+after-before
	return nil
}

// figures of one server and layer, by run.
type figures struct{ rate, cpu report.Sample }

func (f *figures) add(s sum) {
	if s.answers == 0 {
		return
	}
	f.rate = append(f.rate, float64(s.answers)/s.wall.Seconds())
	if s.cpu > 0 {
		f.cpu = append(f.cpu, float64(s.cpu.Nanoseconds())/1e3/float64(s.answers))
	}
}

// beside is a ratio by run; inverse of what is better when it is small.
func beside(ours, other report.Sample, inverse bool) report.Sample {
	var ratio report.Sample
	for run := range min(len(ours), len(other)) {
		if inverse {
			ratio = append(ratio, other[run]/ours[run])
		} else {
			ratio = append(ratio, ours[run]/other[run])
		}
	}
	return ratio
}

func table(layers []layer, all []*side, found [][]figures) report.Table {
	t := report.Table{
		Heading: "Beside a handler of the same bytes and a file server",
		Columns: []string{"layer", "bytes", "answers a second", "bare handler", "file server", "CPU an answer", "bare handler", "file server", "CPU ratio", "ratio", "spread", "floor", "holds"},
		Note:    "The file server does less than we do: it sends no validator of the content, no links between layers, no policy, and the kernel copies its files (sendfile).",
	}
	cell := func(s report.Sample, unit string) string {
		if len(s) == 0 {
			return "–"
		}
		return report.Number(s.Median()) + unit
	}
	for i, l := range layers {
		ours, other, file := found[i][0], found[i][1], found[i][2]
		row := []string{l.name, report.Thousands(int(all[0].first[i].Bytes)), cell(ours.rate, ""), cell(other.rate, ""), cell(file.rate, ""),
			cell(ours.cpu, " µs"), cell(other.cpu, " µs"), cell(file.cpu, " µs"), cell(beside(ours.cpu, other.cpu, true), "")}
		t.Add(append(row, report.AtLeast(beside(ours.rate, other.rate, false), "", l.floor)...)...)
	}
	t.Note += "\n\n" + report.Wins("Evergreen",
		byLayer(layers, found, "processor time an answer", true, func(f figures) report.Sample { return f.cpu }),
		byLayer(layers, found, "answers a second", false, func(f figures) report.Sample { return f.rate }))
	return t
}

// byLayer compares the servers on each layer, medians over the runs.
func byLayer(layers []layer, found [][]figures, of string, lower bool, values func(figures) report.Sample) *report.Contest {
	c := &report.Contest{Each: "layer", Of: of, Lower: lower, Times: true}
	if lower {
		c.Format = func(x float64) string { return report.Number(x) + " µs" }
	}
	for i, l := range layers {
		for k, name := range []string{"Evergreen", "bare handler", "file server"} {
			if s := values(found[i][k]); len(s) > 0 {
				c.Put(name, l.name, s.Median())
			}
		}
	}
	return c
}

// prove asks for all layers at once for a long time.
func prove(ctx context.Context, s *study.Study, at *side, layers []layer) error {
	j := load.Job{Address: at.address, Clients: clients, Check: func(a load.Answer) error {
		if a.Status != 200 {
			return fmt.Errorf("status %d", a.Status)
		}
		return nil
	}}
	for _, l := range layers {
		if l.path != "/llms-full.txt" { // it alone would fill the time
			j.Requests = append(j.Requests, job(at.address, l).Requests[0])
		}
	}
	r, err := j.For(ctx, proof)
	verdict := "no error"
	if err != nil {
		verdict = "**" + strings.SplitN(err.Error(), "\n", 2)[0] + "**"
	}
	s.Say(fmt.Sprintf("## %d clients for %d s\n\nAll layers but the streamed one at once: %s answers, %s; half of them within %s ms, 99 of 100 within %s ms.",
		clients, int(proof.Seconds()), report.Thousands(r.Answers), verdict, report.Number(r.Waits.Percentile(50)), report.Number(r.Waits.Percentile(99))))
	return nil
}
