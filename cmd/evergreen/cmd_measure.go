package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"

	"evergreen"
	"evergreen/internal/config"
	"evergreen/internal/measure"
	"evergreen/internal/web"

	"github.com/spf13/cobra"
)

// libraryAddress is what a library's own site is called when it has no base
// URL, so that figures do not depend on a port.
const libraryAddress = "http://localhost:4173"

func measureCommand(a *app) *cobra.Command {
	var url, out, queries string
	cmd := &cobra.Command{
		Use:   "measure",
		Short: "Measure what layers, tools and bundles cost in tokens",
		Long: "Take the figures of the library's site, or of a running one with --url: tokens of each\n" +
			"layer, mirrors beside their pages, tools, bundles at budgets from 500 to 8000, requests\n" +
			"to a usable context with and without llms.txt, and retrieval quality on judged queries.\n" +
			"A second run on the same content differs in its date only.",
		Example: "  evergreen measure --out metrics.json\n" +
			"  evergreen measure --url http://127.0.0.1:4173\n" +
			"  evergreen measure --queries golden.jsonl",
		Args: argCount(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			golden, err := goldenQueries(queries)
			if err != nil {
				return err
			}
			s, err := a.settings(cmd)
			if err != nil {
				return err
			}
			o := measure.Options{BaseURL: url, Golden: golden}
			if s.Index.Estimator == "o200k" {
				o.Count, o.Estimator = estimator(s), "o200k"
			}
			if url == "" {
				closeSite, err := a.openSite(cmd, &o)
				if err != nil {
					return err
				}
				defer closeSite()
			}
			m, err := measure.Run(cmd.Context(), o)
			if err != nil {
				return err
			}
			return a.writeMetrics(m, out)
		},
	}
	cmd.Flags().StringVar(&url, "url", "", "measure the running site at `URL` instead of the library")
	cmd.Flags().StringVar(&out, "out", "", "write to `FILE` instead of stdout")
	cmd.Flags().StringVar(&queries, "queries", "", "`FILE` of judged queries, one a line: {\"id\",\"text\",\"relevant\":{ID: GRADE}}")
	return cmd
}

func (a *app) writeMetrics(m measure.Metrics, file string) error {
	if file == "" {
		return a.writeJSON(m)
	}
	body, err := web.Encode(m, "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, body, 0o644); err != nil {
		return evergreen.Errorf(evergreen.Invalid, "write the figures: %w", err).Fix("name another file with --out FILE")
	}
	a.say("evergreen: the figures are in " + file)
	return nil
}

// openSite opens the library and lets a measurement ask its site.
func (a *app) openSite(cmd *cobra.Command, o *measure.Options) (closeSite func(), err error) {
	library, s, err := a.openPublic(cmd)
	if err != nil {
		return nil, err
	}
	e, closeOwn := a.withOwnDocs(cmd.Context(), library, s)
	own, closeHandler, err := ownSite(cmd.Context(), e, s)
	if err != nil {
		closeOwn()
		_ = library.Close() // the first fault is the one to tell
		return nil, err
	}
	o.BaseURL, o.Transport = own.BaseURL, own.Transport
	return func() {
		closeHandler()
		closeOwn()
		_ = library.Close() // it was only read
	}, nil
}

// ownHandler is the HTTP face for readers, without other servers behind it.
func ownHandler(ctx context.Context, e library, s config.Settings) (*web.Server, error) {
	face := newMCPFace(e, s, nil, slog.New(slog.DiscardHandler))
	read, admin, _, err := face.handlers()
	if err != nil {
		return nil, err
	}
	options, err := webOptions(ctx, face, read, admin)
	if err != nil {
		return nil, err
	}
	options.OnChange = nil // it is gone before the next change
	return web.New(options), nil
}

// inProcess sends requests to a handler without a network.
type inProcess struct {
	handler http.Handler
	from    string // the client's address and port; "" is 127.0.0.1:1
}

func (p inProcess) RoundTrip(q *http.Request) (*http.Response, error) {
	r := q.Clone(q.Context())
	r.RequestURI, r.RemoteAddr = r.URL.RequestURI(), cmp.Or(p.from, "127.0.0.1:1")
	if r.Body == nil {
		r.Body = http.NoBody
	}
	w := &answerBuffer{header: http.Header{}}
	p.handler.ServeHTTP(w, r)
	return &http.Response{StatusCode: cmp.Or(w.status, http.StatusOK), Header: w.header, Request: q, ProtoMajor: 1, ProtoMinor: 1,
		Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len())}, nil
}

// answerBuffer keeps an answer.
type answerBuffer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *answerBuffer) Header() http.Header         { return w.header }
func (w *answerBuffer) Write(b []byte) (int, error) { return w.body.Write(b) }
func (w *answerBuffer) Flush()                      {}
func (w *answerBuffer) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// goldenQueries reads judged queries; no file is none.
func goldenQueries(file string) ([]measure.Query, error) {
	if file == "" {
		return nil, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, evergreen.Errorf(evergreen.Invalid, "read the queries: %w", err)
	}
	defer f.Close()
	var list []measure.Query
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxQueryLine)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var q measure.Query
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil || q.Text == "" {
			return nil, evergreen.Errorf(evergreen.Invalid, "line %d of %s is no judged query", n, file).
				Fix(`write {"id": "1", "text": "...", "relevant": {"guide.md": 1}}`)
		}
		list = append(list, q)
	}
	if err := lines.Err(); err != nil {
		return nil, evergreen.Errorf(evergreen.Invalid, "read the queries: %w", err)
	}
	return list, nil
}

// maxQueryLine bounds one judged query; the longest list of answers seen has
// some kilobytes.
const maxQueryLine = 1 << 20
