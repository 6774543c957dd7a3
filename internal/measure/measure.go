// Package measure takes the figures of a served site: what each layer and each
// tool costs in tokens, how much of a page is its content, how many requests an
// agent needs to a usable context, what bundles of different budgets hold, how
// well golden queries are answered. It asks the site as any client would, so it
// measures what is really sent.
//
// It judges nothing (audit does) and times nothing (benchmarks do): the same
// content gives the same figures, whenever it is measured.
package measure

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"evergreen"
	"evergreen/internal/text"
)

// Options are what a measurement takes from outside.
type Options struct {
	BaseURL   string            // of the site, with or without a final slash
	Transport http.RoundTripper // nil is http.DefaultTransport
	Count     text.Estimator    // nil is text.Tokens
	Estimator string            // its name; "" is that of text.Tokens
	Golden    []Query           // judged questions; none: quality is not measured
	Now       func() time.Time  // nil is time.Now
}

// DefaultEstimator names text.Tokens.
const DefaultEstimator = "CJK x 1.0 + other x 0.28"

// Metrics are the figures. Everything but Date depends on the content alone.
type Metrics struct {
	Date      string   `json:"date"` // of the measurement, RFC 3339 UTC
	Estimator string   `json:"estimator"`
	Revision  string   `json:"revision"` // of the content, as the API names it
	Layers    []Layer  `json:"layers"`
	Mirrors   Mirrors  `json:"mirrors"`
	Pages     []Page   `json:"pages"`
	Tools     Tools    `json:"tools"`
	Walk      Walk     `json:"walk"`
	Bundles   []Bundle `json:"bundles"`
	Quality   *Quality `json:"quality,omitempty"`
}

// Layer is one document of a layer.
type Layer struct {
	Layer  string `json:"layer"` // L1 to L7
	Path   string `json:"path"`
	Bytes  int    `json:"bytes"`
	Tokens int    `json:"tokens"`
}

// Mirrors compares the sample's mirrors with their pages.
type Mirrors struct {
	Pages        int     `json:"pages"` // in the sample
	Of           int     `json:"of"`    // on the site
	HTMLTokens   int     `json:"html_tokens"`
	MirrorTokens int     `json:"mirror_tokens"`
	Share        float64 `json:"share"` // mirrors / pages, 3 decimals
}

// Page is one page of the sample.
type Page struct {
	Path          string  `json:"path"`
	HTMLTokens    int     `json:"html_tokens"`
	MirrorTokens  int     `json:"mirror_tokens"` // 0: no mirror
	ContentTokens int     `json:"content_tokens"`
	HTMLDensity   float64 `json:"html_density"`   // content / page, 3 decimals
	MirrorDensity float64 `json:"mirror_density"` // content / mirror, at most 1
}

// Bundle is what answers at one budget hold: means over the questions that are
// walked for.
type Bundle struct {
	Budget    int     `json:"budget"`
	Questions int     `json:"questions"`
	Used      float64 `json:"used_tokens"`
	Entries   float64 `json:"entries"`
	Payload   float64 `json:"payload_tokens"` // of the whole JSON
	Truncated int     `json:"truncated"`      // questions of which something was left out
	Found     int     `json:"found"`          // questions whose page is among the citations
}

// run is one measurement.
type run struct {
	context.Context
	base   *url.URL
	client http.Client
	count  text.Estimator
	kept   map[string]answer // GET answers
	asked  int               // requests that went out
}

// Run measures a site. A site that does not answer is an error of kind
// Upstream; layers that are not served are left out.
func Run(ctx context.Context, o Options) (Metrics, error) {
	base, err := url.Parse(strings.TrimRight(o.BaseURL, "/"))
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return Metrics{}, evergreen.Errorf(evergreen.Invalid, "%q is no web address", o.BaseURL).Fix("Give one like https://docs.example.com.")
	}
	if o.Count == nil {
		o.Count, o.Estimator = text.Tokens, DefaultEstimator
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	r := &run{Context: ctx, base: base, count: o.Count, kept: map[string]answer{},
		client: http.Client{Transport: o.Transport, Timeout: timeout}}
	home, err := r.get("/", "text/html")
	if err != nil {
		return Metrics{}, evergreen.Errorf(evergreen.Upstream, "%s does not answer: %w", o.BaseURL, err).
			Fix("Check the address, and whether the server runs.")
	}
	m := Metrics{Date: o.Now().UTC().Format(time.RFC3339), Estimator: o.Estimator}
	m.Layers = r.layers()
	all := r.sitemap()
	m.Mirrors, m.Pages = r.pages(all)
	questions := r.questions(m.Pages)
	m.Revision, m.Bundles = r.bundles(questions)
	m.Tools = r.tools(questions)
	m.Walk = r.walk(home, questions)
	if len(o.Golden) > 0 {
		m.Quality = r.quality(o.Golden)
	}
	if ctx.Err() != nil {
		return Metrics{}, ctx.Err()
	}
	return m, nil
}

// bundleAnswer is what is read of /api/context.
type bundleAnswer struct {
	Revision   string `json:"revision"`
	UsedTokens int    `json:"usedTokens"`
	Truncated  bool   `json:"truncated"`
	Entries    []struct {
		ID         string `json:"id"`
		Title      string `json:"title"`
		URL        string `json:"url"`
		Collection string `json:"collection"`
		DocPath    string `json:"doc_path"`
	} `json:"entries"`
	Citations []citation `json:"citations"`
}

type citation struct {
	URL string `json:"url"`
}

// ask asks the API; ok is false where there is none.
func (r *run) ask(topic string, budget string, more string) (b bundleAnswer, a answer, ok bool) {
	a, err := r.get("/api/context?topic="+url.QueryEscape(topic)+"&budget="+budget+more, "")
	return b, a, err == nil && a.status == http.StatusOK && json.Unmarshal(a.body, &b) == nil
}

// bundles asks every question at every budget.
func (r *run) bundles(questions []question) (revision string, list []Bundle) {
	list = []Bundle{}
	for _, budget := range budgets() {
		x := Bundle{Budget: budget}
		for _, q := range questions {
			b, a, ok := r.ask(q.topic, itoa(budget), "")
			if !ok {
				continue
			}
			revision = b.Revision
			x.Questions++
			x.Used += float64(b.UsedTokens)
			x.Entries += float64(len(b.Entries))
			x.Payload += float64(r.count(string(a.body)))
			if b.Truncated {
				x.Truncated++
			}
			if slices.ContainsFunc(b.Citations, func(c citation) bool { return samePage(c.URL, q.path) }) {
				x.Found++
			}
		}
		if n := float64(x.Questions); n > 0 {
			x.Used, x.Entries, x.Payload = round3(x.Used/n), round3(x.Entries/n), round3(x.Payload/n)
			list = append(list, x)
		}
	}
	return revision, list
}
