package main

// This file loads the servers in turn and writes the tables.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"evergreen/bench/internal/load"
	"evergreen/bench/internal/program"
	"evergreen/bench/internal/report"
	"evergreen/bench/internal/study"
)

type bench struct {
	study *study.Study
	id    string // of the section asked for
	want  string // the answer's text
	file  string // with the answer's result
}

// contender is one server and what was measured of it.
type contender struct {
	name, title string
	address     string         // over HTTP
	pid         map[string]int // by era

	session        string // of the older era, "" without
	cpu, perSecond map[string]report.Sample
}

func named(name, title string) *contender {
	return &contender{name: name, title: title, pid: map[string]int{}, cpu: map[string]report.Sample{}, perSecond: map[string]report.Sample{}}
}

// others are the contenders beside ours.
func others() []*contender {
	return []*contender{named(goSDK, "go-sdk"), named(goSDKHeld, "go-sdk, sessions"), named(mcpGo, "mcp-go"), named(bare, "bare handler")}
}

// peer starts this program as another server.
func (b *bench) peer(ctx context.Context, name, transport string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, "serve", name, transport, b.file)
	cmd.Stderr = os.Stderr
	return cmd, nil
}

// overHTTP measures all servers over HTTP in both eras.
func (b *bench) overHTTP(ctx context.Context, ours *program.Server) error {
	our := named("evergreen", "Evergreen")
	our.at(ours.URL, ours.PID())
	all := []*contender{our}
	for _, c := range others() {
		cmd, err := b.peer(ctx, c.name, overHTTP)
		if err != nil {
			return err
		}
		in, err1 := cmd.StdinPipe()
		out, err2 := cmd.StdoutPipe()
		if err := errors.Join(err1, err2, cmd.Start()); err != nil {
			return err
		}
		defer func() { _ = in.Close(); _ = cmd.Wait() }() // it ends with its input
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			return fmt.Errorf("%s did not start: %w", c.name, err)
		}
		c.at(strings.TrimSpace(line), cmd.Process.Pid)
		all = append(all, c)
	}
	for _, era := range []string{older, newer} {
		for _, c := range all {
			if c.takes(era) {
				if err := b.prepare(c, era); err != nil {
					return fmt.Errorf("%s, %s: %w", c.name, era, err)
				}
			}
		}
	}
	return b.rounds(ctx, all, overHTTP, func(c *contender, era string) (int, time.Duration, error) {
		r, err := b.job(c, era).For(ctx, slice)
		return r.Answers, r.Wall, err
	})
}

// takes reports whether the server speaks the era.
func (c *contender) takes(era string) bool { return c.name != goSDKHeld || era == older }

// at says where a server over HTTP is.
func (c *contender) at(url string, pid int) {
	c.address, _, _ = strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	c.pid[older], c.pid[newer] = pid, pid
}

// prepare opens a session where the server keeps any, and sees that the answer is
// the wanted one.
func (b *bench) prepare(c *contender, era string) error {
	if era == older {
		hello := b.job(c, era)
		hello.Requests[0] = request(c, era, []byte(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"`+older+`","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`))
		a, body, err := hello.Once()
		if err != nil || a.Status != 200 {
			return fmt.Errorf("initialize: status %d, %w: %.300s", a.Status, err, body)
		}
		c.session = a.Header["mcp-session-id"]
		hello.Requests[0] = request(c, era, []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
		if a, _, err := hello.Once(); err != nil || a.Status != 202 {
			return fmt.Errorf("initialized: status %d, %w", a.Status, err)
		}
	}
	_, body, err := b.job(c, era).Once()
	if err != nil {
		return err
	}
	return b.check(body)
}

func (b *bench) job(c *contender, era string) load.Job {
	var requests [][]byte
	for i := range clients { // of one session, where calls under way need ids of their own
		requests = append(requests, request(c, era, b.message(era, i+1)))
	}
	return load.Job{Address: c.address, Requests: requests, Clients: clients, Check: func(a load.Answer) error {
		if a.Status != 200 || a.Bytes < int64(len(b.want)) {
			return fmt.Errorf("%s: status %d, %d bytes", c.name, a.Status, a.Bytes)
		}
		return nil
	}}
}

// request is a message with the headers that a client of the era sends.
func request(c *contender, era string, body []byte) []byte {
	head := "POST /mcp HTTP/1.1\r\nHost: " + c.address + "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
		"User-Agent: bench\r\nMCP-Protocol-Version: " + era + "\r\n"
	if era == newer {
		head += "Mcp-Method: tools/call\r\nMcp-Name: " + tool + "\r\n"
	} else if c.session != "" {
		head += "Mcp-Session-Id: " + c.session + "\r\n"
	}
	return append([]byte(head+fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body))), body...)
}

// rounds loads every server in every era once a run.
func (b *bench) rounds(ctx context.Context, all []*contender, transport string, run func(*contender, string) (int, time.Duration, error)) error {
	eras := []string{older, newer}
	err := b.study.Each(func(int) error {
		for _, era := range eras {
			for _, c := range all {
				if !c.takes(era) {
					continue
				}
				before, known := program.CPU(c.pid[era])
				calls, wall, err := run(c, era)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", c.name, era, err)
				}
				after, _ := program.CPU(c.pid[era])
				c.perSecond[era] = append(c.perSecond[era], float64(calls)/wall.Seconds())
				if known {
					c.cpu[era] = append(c.cpu[era], float64((after-before).Nanoseconds())/1e3/float64(calls))
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, era := range eras {
		b.study.Table(table(transport+", "+era, all, era))
	}
	return nil
}

// table has one row for each server, and its share of ours in processor time.
func table(heading string, all []*contender, era string) report.Table {
	t := report.Table{Heading: heading, Columns: []string{"server", "CPU a call", "spread", "times ours", "calls a second", "spread", "floor", "holds"}}
	our := all[0].cpu[era].Median()
	for _, c := range all {
		cpu, rate := c.cpu[era], c.perSecond[era]
		if len(rate) == 0 {
			continue
		}
		row := []string{c.title, "–", "–", "–", report.Number(rate.Median()), rate.Spread(), "–", "–"}
		if len(cpu) > 0 {
			row[1], row[2], row[3] = report.Number(cpu.Median())+" µs", cpu.Spread(), report.Number(cpu.Median()/our)
		}
		if c == all[0] && len(cpu) > 0 {
			judged := report.AtMost(cpu, " µs", floor)
			row[6], row[7] = judged[2], judged[3]
		}
		t.Add(row...)
	}
	t.Note = report.Wins(all[0].title, byRun(all, "processor time a call", true, func(c *contender) report.Sample { return c.cpu[era] }),
		byRun(all, "calls a second", false, func(c *contender) report.Sample { return c.perSecond[era] }))
	return t
}

// byRun compares the servers in each run: the call is the same in all.
func byRun(all []*contender, of string, lower bool, values func(*contender) report.Sample) *report.Contest {
	c := &report.Contest{Each: "run", Of: of, Lower: lower, Times: true}
	if lower {
		c.Format = func(x float64) string { return report.Number(x) + " µs" }
	}
	for _, server := range all {
		for run, x := range values(server) {
			c.Put(server.title, fmt.Sprintf("%d of %s", run+1, tool), x)
		}
	}
	return c
}
