package report

import "testing"

func TestAhead(t *testing.T) {
	speed := Figure{"build", false, map[string]float64{"us": 5, "slow": 4, "fast": 9, "faster": 10, "same": 5}}
	memory := Figure{"memory", true, map[string]float64{"us": 5, "small": 1, "large": 9}}
	for _, c := range []struct {
		figures []Figure
		want    string
	}{
		{[]Figure{speed, memory}, "Ahead of us: build: faster, fast; memory: small."},
		{[]Figure{{"rank", false, map[string]float64{"us": 2, "b": 1}}}, "No peer is ahead of us in this table."},
		{[]Figure{{"absent", false, map[string]float64{"b": 1}}}, "No peer is ahead of us in this table."},
	} {
		if got := Ahead("us", c.figures); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
