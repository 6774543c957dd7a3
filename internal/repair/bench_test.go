package repair

import (
	"slices"
	"testing"
	"time"
)

// benchCalls are one call of each kind: canonical, and broken in ever more
// places.
var benchCalls = []struct{ name, params string }{
	{"exact", `{"name":"search_sections","arguments":{"query":"incremental indexing","limit":10,"mode":"auto","budget":2000}}`},
	{"name", `{"name":"mcp__evergreen__searchSections","arguments":{"query":"incremental indexing","limit":10}}`},
	{"text", `{"name":"search_sections","arguments":"{\"query\":\"incremental indexing\",\"limit\":10}"}`},
	{"values", `{"name":"search_sections","arguments":{"query":"incremental indexing","limit":"10","mode":"AUTO","cursor":null}}`},
	{"everything", `{"tool":"evergreen.searchSection","args":"{'q': 'incremental indexing', 'maxResults': '10', 'mode': 'BM25', 'docPath': None}"}`},
}

// BenchmarkCall reports the mean and, as p99-us, the 99th percentile.
func BenchmarkCall(b *testing.B) {
	cat := catalogue(b, ownTools(b))
	for _, c := range benchCalls {
		b.Run(c.name, func(b *testing.B) {
			raw := []byte(c.params)
			if got := Call(raw, cat); got.Outcome == Refused || (got.Outcome == Exact) != (c.name == "exact") {
				b.Fatalf("%+v", got)
			}
			b.ReportAllocs()
			times := make([]time.Duration, 0, 1<<16)
			for b.Loop() {
				start := time.Now()
				Call(raw, cat)
				if len(times) < cap(times) {
					times = append(times, time.Since(start))
				}
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds())/1e3, "p99-us")
		})
	}
}
