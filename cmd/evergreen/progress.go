package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"evergreen"

	"golang.org/x/term"
)

// progressEvery is how often the line is redrawn: often enough to look alive.
const progressEvery = 100 * time.Millisecond

// progressLine shows long work as one line that is overwritten, on a terminal
// only. done ends it.
func (a *app) progressLine() (report evergreen.Progress, done func()) {
	if a.quiet || !isTerminal(a.stderr) {
		return nil, func() {}
	}
	p := &progressWriter{out: a.stderr}
	return p.report, p.clear
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// progressWriter draws the line. It uses carriage returns and spaces only, so
// that every console understands it.
type progressWriter struct {
	mu    sync.Mutex
	out   io.Writer
	shown int // columns of the line on the screen
	stage string
	drawn time.Time
}

func (p *progressWriter) report(stage string, done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if stage == p.stage && now.Sub(p.drawn) < progressEvery {
		return
	}
	p.stage, p.drawn = stage, now
	line := fmt.Sprintf("%s %s", stage, thousands(done))
	if total > 0 {
		const cells = 24
		full := min(cells, done*cells/total)
		line = fmt.Sprintf("%s%s %s / %s %s", strings.Repeat("█", full), strings.Repeat("░", cells-full),
			thousands(done), thousands(total), stage)
	}
	p.draw(line)
}

// draw overwrites the line that is on the screen.
func (p *progressWriter) draw(line string) {
	width := columns(line)
	fmt.Fprintf(p.out, "\r%s%s", line, strings.Repeat(" ", max(0, p.shown-width)))
	p.shown = width
}

func (p *progressWriter) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown > 0 {
		p.draw("")
		fmt.Fprint(p.out, "\r")
		p.shown = 0
	}
}
