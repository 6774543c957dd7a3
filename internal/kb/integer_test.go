package kb

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRankInteger(t *testing.T) {
	rows := []Row{
		{"r::guide.md::install#1", "Install", "guide.md", []string{"install", "package"}},
		{"r::install/linux.md::linux#1", "Install on Linux", "install/linux.md", []string{"linux", "deb", "package", "systemd", "kernel", "shell"}},
		{"r::a.md::other#1", "Other", "a.md", []string{"systemd", "linux", "deb", "kernel", "shell", "package"}},
		{"r::zh.md::预算#1", "预算与截断", "zh.md", []string{"预算", "截断"}},
		{"r::b.md::none#1", "None", "b.md", nil},
	}
	for _, tt := range []struct {
		name, query string
		limit       int
		want        []Scored
		total       int
	}{
		// exact 20, word 5, keyword 1; substring 10, word 5, path 2.
		{"exact before substring", "INSTALL", 0, []Scored{{"r::guide.md::install#1", 26}, {"r::install/linux.md::linux#1", 17}}, 2},
		{"words", "install linux", 0, []Scored{
			{"r::install/linux.md::linux#1", 15}, {"r::guide.md::install#1", 6}, {"r::a.md::other#1", 1}}, 3},
		// A word is sought as a substring: "on" is in "None".
		{"phrase with spaces", "  install   on ", 0, []Scored{
			{"r::install/linux.md::linux#1", 22}, {"r::guide.md::install#1", 6}, {"r::b.md::none#1", 5}}, 3},
		{"keywords count five times at most", "systemd linux deb kernel shell package", 2, []Scored{
			{"r::install/linux.md::linux#1", 12}, {"r::a.md::other#1", 5}}, 3},
		{"outer punctuation of words", "“linux?”", 1, []Scored{{"r::install/linux.md::linux#1", 8}}, 2},
		// two pairs in the title, and the run of one as substring.
		{"Chinese", "预算 截断", 0, []Scored{{"r::zh.md::预算#1", 12}}, 1},
		{"no hit", "absent", 0, nil, 0},
		{"empty", "", 0, nil, 0},
		{"only punctuation", "?!", 0, nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			best, total := RankInteger(slices.Values(rows), tt.query, tt.limit)
			if total != tt.total {
				t.Errorf("total = %d, want %d", total, tt.total)
			}
			if diff := cmp.Diff(tt.want, best); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The bounded list must give what sorting everything gives.
func TestRankIntegerLimit(t *testing.T) {
	var rows []Row
	for i := range 1000 {
		title := "other budget"
		if i%7 == 0 {
			title = "budget"
		}
		rows = append(rows, Row{ID: fmt.Sprintf("id-%04d", (i*389)%1000), Title: title})
	}
	all, total := RankInteger(slices.Values(rows), "budget", 0)
	if total != 1000 || len(all) != 1000 {
		t.Fatalf("%d of %d", len(all), total)
	}
	for _, limit := range []int{1, 10, 143, 999, 1000, 2000} {
		best, total := RankInteger(slices.Values(rows), "budget", limit)
		if total != 1000 {
			t.Errorf("limit %d: total %d", limit, total)
		}
		if diff := cmp.Diff(all[:min(limit, len(all))], best); diff != "" {
			t.Errorf("limit %d (-want +got):\n%s", limit, diff)
		}
	}
}
