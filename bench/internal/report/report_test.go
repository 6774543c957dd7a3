package report

import (
	"strings"
	"testing"
)

func TestPercentileIsNearestRank(t *testing.T) {
	var hundred Sample
	for i := 100; i > 0; i-- {
		hundred = append(hundred, float64(i))
	}
	for _, c := range []struct {
		s    Sample
		p    float64
		want float64
	}{
		{nil, 50, 0},
		{Sample{7}, 99, 7},
		{Sample{3, 1, 2}, 50, 2},
		{Sample{1, 2, 3, 4}, 50, 2},
		{hundred, 99, 99},
		{hundred, 100, 100},
		{hundred, 0, 1},
	} {
		if got := c.s.Percentile(c.p); got != c.want {
			t.Errorf("percentile %g of %v is %g, want %g", c.p, c.s, got, c.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 14074: "14,074", -1234567: "-1,234,567", 999: "999", 1234.6: "1,235",
		123.4: "123", 12.34: "12.3", 1.234: "1.23", 0.23456: "0.235",
	} {
		if got := Number(x); got != want {
			t.Errorf("Number(%g) is %q, want %q", x, got, want)
		}
	}
}

// A floor is judged by the median, and an empty sample holds nothing.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		cells []string
		want  string
	}{
		{AtMost(Sample{1, 2, 9}, " s", 2), "2 s|1 to 9|<= 2 s|yes"},
		{AtMost(Sample{3}, " s", 2.5), "3 s|3 to 3|<= 2.5 s|**NO**"},
		{AtMost(nil, " s", 2), "0 s|–|<= 2 s|**NO**"},
		{AtLeast(Sample{.5}, "", .394), "0.5|0.5 to 0.5|>= 0.394|yes"},
		{AtLeast(Sample{.39}, "", .394), "0.39|0.39 to 0.39|>= 0.394|**NO**"},
		{Plain(Sample{4}, " MB"), "4 MB|4 to 4|–|–"},
	} {
		if got := strings.Join(c.cells, "|"); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	r := Report{Title: "Indexing", About: []string{"Why."}, Facts: [][2]string{{"date", "today"}}}
	table := Table{Heading: "MDN", Columns: []string{"what", "how long"}, Note: "Note."}
	table.Add("a|b", "1\n2")
	r.Table(table)
	r.Absent("React docs", "EVERGREEN_CORPORA is not set")
	want := `# Indexing

Why.

| fact | value |
| --- | --- |
| date | today |

## MDN

| what | how long |
| --- | --- |
| a\|b | 1 2 |

Note.

**Absent: React docs**: EVERGREEN_CORPORA is not set.
`
	if got := r.Markdown(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
