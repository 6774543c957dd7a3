package console

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"evergreen"
	"evergreen/internal/measure"
)

func TestFiguresInSentencesChartsAndTables(t *testing.T) {
	b := newBench(t)
	r, page := b.ask("GET", remote, "/metrics-report", "")
	if r.StatusCode != http.StatusOK {
		t.Fatalf("%d", r.StatusCode)
	}
	has(t, page, "An agent reaches a usable answer in 2.2 requests, for 10 of 10 questions; without llms.txt in 8, for 4.",
		"/llms.txt costs 100 tokens to read whole, /context.json costs 2,500.", "Of the tokens of an HTML page 18 % are its content; of its Markdown mirror 88 %.",
		"With 2,000 tokens the answer cites the page asked about for 9 of 10 questions, and uses 1,300 tokens.",
		`<svg class="chart"`, "How it was measured:", "<td class=\"to-right\">7 / 10</td>", "2,500", "Repairs and request rates are shown to operators only.")
	if n := strings.Count(page, `<svg class="chart"`); n != 4 {
		t.Errorf("%d charts", n)
	}
	if strings.Contains(page, "Requests per minute") || strings.Contains(page, "style=") {
		t.Error("others see the operator's figures, or styles that the policy forbids")
	}
	first := strings.Index(page, ">/a</th>")
	if first < 0 || first > strings.Index(page, ">/b</th>") {
		t.Error("the least dense page does not come first")
	}
	_, page = b.ask("GET", remote, "/metrics-report?lang=zh", "")
	has(t, page, "智能体平均用 2.2 次请求得到可用的回答，10 个问题中成功 10 个", "回答为 10 个问题中的 9 个引用了所问的页面")
}

func TestOperatorsSeeTheServersFigures(t *testing.T) {
	b := newBench(t)
	b.ask("GET", remote, "/llms.txt", "")
	_, page := b.ask("GET", local, "/metrics-report", "")
	has(t, page, "Requests per minute", "Repairs by kind", "Of 0 tool calls", "requests in the last hour", ">resource</th>")
	_, text := b.ask("GET", local, "/metrics-report.json", "")
	var out struct {
		Ready   bool
		Figures measure.Metrics
		Calls   map[string]any
		Minutes []any
	}
	if err := json.Unmarshal([]byte(text), &out); err != nil || !out.Ready || out.Figures.Walk.With.Requests != 2.2 || out.Calls == nil || len(out.Minutes) == 0 {
		t.Errorf("%v\n%s", err, text)
	}
	_, text = b.ask("GET", remote, "/metrics-report.json", "")
	if strings.Contains(text, `"minutes"`) || strings.Contains(text, `"calls"`) || !strings.Contains(text, `"ready": true`) {
		t.Errorf("others see\n%s", text)
	}
}

func TestFiguresAreTakenOncePerState(t *testing.T) {
	var taken atomic.Int32
	var revision atomic.Value
	revision.Store("r1")
	b := newBench(t, func(o *Options) {
		o.Measure = func(context.Context) (measure.Metrics, error) { taken.Add(1); return exampleFigures(), nil }
		o.Served = func() string { return revision.Load().(string) }
	})
	for range 3 {
		b.ask("GET", local, "/metrics-report", "")
	}
	if taken.Load() != 1 {
		t.Errorf("taken %d times", taken.Load())
	}
	revision.Store("r2")
	b.ask("GET", local, "/metrics-report", "")
	if taken.Load() != 2 {
		t.Errorf("after a change taken %d times", taken.Load())
	}
}

func TestWhileFiguresAreTaken(t *testing.T) {
	release := make(chan struct{})
	b := newBench(t, func(o *Options) {
		o.Measure = func(context.Context) (measure.Metrics, error) { <-release; return exampleFigures(), nil }
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // who cannot wait is told at once
	if _, _, ready, err := b.console.present(ctx); ready || err != nil {
		t.Errorf("ready %v, %v", ready, err)
	}
	close(release)
	_, page := b.ask("GET", local, "/metrics-report", "")
	if strings.Contains(page, "data-again") {
		t.Error("the page still waits")
	}
}

func TestFiguresThatCannotBeTaken(t *testing.T) {
	for _, fault := range []error{evergreen.Errorf(evergreen.Upstream, "the site does not answer"), errors.New("the site does not answer")} {
		b := newBench(t, func(o *Options) {
			o.Measure = func(context.Context) (measure.Metrics, error) { return measure.Metrics{}, fault }
		})
		r, page := b.ask("GET", local, "/metrics-report", "")
		if r.StatusCode != http.StatusOK {
			t.Errorf("%d", r.StatusCode)
		}
		has(t, page, "The site does not answer.", "Requests per minute")
	}
}
