package pack

import (
	"strings"
	"testing"

	"evergreen"
)

func TestMissing(t *testing.T) {
	damaged := func(names ...string) (out []evergreen.Warning) {
		for _, name := range names {
			out = append(out, evergreen.Damage{Name: name, Kind: evergreen.Damaged}.Warning())
		}
		return out
	}
	for _, c := range []struct {
		name, lang, want string
		warnings         []evergreen.Warning
	}{
		{"nothing", "en", "", nil},
		{"marks of the guard", "en", "", []evergreen.Warning{{ID: "a", Rule: "override"}}},
		{"one", "en", "> Note: damaged, and missing from this answer in whole or in part: docs.", damaged("docs")},
		{"Chinese", "zh", "> 注意：以下集合已损坏，此答案中全部或部分缺失：docs。", damaged("docs")},
		{"the most", "en", "> Note: damaged, and missing from this answer in whole or in part: a, b, c.", damaged("a", "b", "c")},
		{"more", "en", "> Note: damaged, and missing from this answer in whole or in part: a, b, c, ….", damaged("a", "b", "c", "d", "e")},
		{"a long name", "en", "> Note: damaged, and missing from this answer in whole or in part: " + strings.Repeat("x", 39) + "….", damaged(strings.Repeat("x", 99))},
	} {
		if got := Missing(c.warnings, c.lang); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
