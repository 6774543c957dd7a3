package pack

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"evergreen/internal/text"
)

func filler(n int) string {
	return strings.Repeat("Filler that says nothing at all.\n\n", n)
}

func TestBestPassage(t *testing.T) {
	code := "```js\n" + strings.Repeat("step(1);\n", 5) + "needle();\n" + strings.Repeat("step(2);\n", 5) + "```\n\n"
	long := "```js title=x\n" + strings.Repeat("step(1);\n", 200) + "needle();\n" + strings.Repeat("step(2);\n", 200) + "```\n"
	for _, tt := range []struct {
		name, body string
		terms      []string
		budget     int
		has        []string // in the text
		hasNot     []string
	}{
		{"fits whole", "a needle", []string{"needle"}, 50, []string{"a needle"}, nil},
		{"no term: the beginning", "First.\n\n" + filler(50), nil, 40, []string{"First."}, nil},
		{"no hit: the beginning", "First.\n\n" + filler(50), []string{"absent"}, 40, []string{"First."}, nil},
		{"around the hit", filler(50) + "Before.\n\nThe needle.\n\nAfter.\n\n" + filler(50), []string{"needle"}, 40,
			[]string{"Before.", "The needle.", "After."}, nil},
		{"two different terms beat one repeated", "alpha alpha alpha alpha\n\n" + filler(50) + "alpha and beta\n\n" + filler(50), []string{"alpha", "beta"}, 30,
			[]string{"alpha and beta"}, []string{"alpha alpha"}},
		{"hits near each other stay together", filler(40) + "alpha\n\nbetween\n\nbeta\n\n" + filler(40), []string{"alpha", "beta"}, 30,
			[]string{"alpha\n\nbetween\n\nbeta"}, nil},
		{"a code block is whole", filler(40) + code + filler(40), []string{"needle"}, 60, []string{strings.TrimSpace(code)}, nil},
		{"a large code block is cut at lines and closed", filler(10) + long, []string{"needle"}, 60,
			[]string{"```js\nstep(1);\n", "\nneedle();\n", "step(2);\n```"}, []string{"Filler"}},
		{"a long line is cut at sentences", strings.Repeat("No. ", 200) + "The needle is here. " + strings.Repeat("Nor. ", 200), []string{"needle"}, 30,
			[]string{"The needle is here. "}, nil},
		{"a long sentence is cut at runes", strings.Repeat("字", 500) + "关键" + strings.Repeat("字", 500), []string{"关键"}, 30, []string{"关键"}, nil},
		{"upper case", filler(50) + "The NEEDLE.\n\n" + filler(50), []string{"needle"}, 40, []string{"NEEDLE"}, nil},
		{"an empty term counts for nothing", filler(50) + "needle\n\n" + filler(50), []string{"", "needle"}, 40, []string{"needle"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, ok := BestPassage(tt.body, tt.terms, tt.budget, nil)
			if !ok {
				t.Fatal("nothing fits")
			}
			checkPassage(t, tt.body, p, tt.budget, text.Tokens)
			for _, has := range tt.has {
				if !strings.Contains(p.Text, has) {
					t.Errorf("%q is not in %q", has, p.Text)
				}
			}
			for _, not := range tt.hasNot {
				if strings.Contains(p.Text, not) {
					t.Errorf("%q is in %q", not, p.Text)
				}
			}
			if whole := text.Tokens(tt.body); whole > tt.budget && 3*text.Tokens(p.Text) < 2*tt.budget {
				t.Errorf("only %d of %d tokens used", text.Tokens(p.Text), tt.budget)
			}
		})
	}
}

// The beginning of a section introduces the rest: it is preferred to a place
// with more of the same hits, not to one with hits of another term.
func TestBestPassageBeginsWhereTheTextDoes(t *testing.T) {
	body := "The key opens the door.\n\n" + filler(40) + "\n\nkey key key\n\nA key for a lock.\n\n" + filler(40)
	for terms, want := range map[string]string{"key": "The key opens", "key lock": "A key for a lock", "nothing": "The key opens"} {
		p, ok := BestPassage(body, strings.Fields(terms), 40, nil)
		if !ok || !strings.Contains(p.Text, want) {
			t.Errorf("%s: %q", terms, p.Text)
		}
	}
}

// TestHitsOfABlockAreItsOwn puts a term just behind blocks whose lower case is
// shorter in bytes: İ is two, i is one.
func TestHitsOfABlockAreItsOwn(t *testing.T) {
	body := "İİİİİİİİ\n\nneedle\n\n" + filler(50)
	f := finder{body: body, terms: []string{"needle"}, estimate: text.Tokens}
	f.units = blocks(body, span{0, len(body)})
	f.measure()
	if f.hits[0][0] != 0 || f.hits[1][0] != 1 {
		t.Errorf("hits %v, want none in the first block and one in the second", f.hits[:2])
	}
}

// checkPassage holds what is true of every passage.
func checkPassage(t *testing.T, body string, p Passage, budget int, estimate text.Estimator) {
	t.Helper()
	if n := estimate(p.Text); n > budget {
		t.Errorf("%d tokens, budget %d", n, budget)
	}
	if p.Offset < 0 || p.Bytes < 0 || p.Offset+p.Bytes > len(body) {
		t.Fatalf("range %d+%d of %d", p.Offset, p.Bytes, len(body))
	}
	own := body[p.Offset : p.Offset+p.Bytes]
	if !strings.Contains(p.Text, strings.TrimRight(own, "\r\n")) {
		t.Errorf("%q is not in the text %q", own, p.Text)
	}
	if utf8.ValidString(body) && !utf8.ValidString(p.Text) {
		t.Errorf("cut within a rune: %q", p.Text)
	}
	if p.Bytes < len(body) && fenceAt(p.Text+"\n", len(p.Text)+1).open() {
		t.Errorf("an open fence: %q", p.Text)
	}
}

func TestBestPassageNothingFits(t *testing.T) {
	if p, ok := BestPassage(strings.Repeat("字", 100), nil, 3, nil); ok {
		t.Errorf("got %+v", p)
	}
}

func TestBestPassageIsFastOnLargeBodies(t *testing.T) {
	// Three hundred kilobytes in one line: the worst grain.
	body := strings.Repeat("ab ", 100_000)
	calls := 0
	estimate := func(s string) int {
		calls += len(s)
		return text.Tokens(s)
	}
	if _, ok := BestPassage(body, []string{"zz"}, 2000, estimate); !ok {
		t.Fatal("nothing fits")
	}
	if limit := 30 * len(body); calls > limit {
		t.Errorf("%d bytes counted for a body of %d", calls, len(body))
	}
}

func TestTerms(t *testing.T) {
	for topic, want := range map[string][]string{
		"":                             nil,
		"how to rotate the Keys":       {"rotat", "key"},
		"what is how":                  {"what", "how"},
		"幻觉引用":                         {"幻觉", "觉引", "引用"},
		"useEffect useEffect a C":      {"useeffect"},
		"happy":                        {"happy"},
		strings.Repeat("的", 3) + " go": {"的的", "go"},
	} {
		if diff := cmp.Diff(want, Terms(topic)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", topic, diff)
		}
	}
	if got := len(Terms(strings.Join(strings.Split("abcdefghijklmnopqrstuvwxyz0123456789", ""), "x ") + "x")); got != maxTerms {
		t.Errorf("%d terms, bound %d", got, maxTerms)
	}
}

func FuzzBestPassage(f *testing.F) {
	f.Add("# A\n\ntext with hit\n\n```js\nx\n\nhit\n```\n\n- a\n\n  ```\n  y\n", "hit", 20)
	f.Add(strings.Repeat("字", 300), "字", 40)
	f.Add("~~~\n"+strings.Repeat("line\n", 60), "line", 30)
	f.Add("\xff\xfe\r\n\r\n"+strings.Repeat("a. ", 90), "a", 21)
	f.Fuzz(func(t *testing.T, body, topic string, budget int) {
		if budget < 0 || budget > 5000 || len(body) > 20_000 {
			t.Skip()
		}
		p, ok := BestPassage(body, Terms(topic), budget, nil)
		if ok {
			checkPassage(t, body, p, budget, text.Tokens)
		}
		if !ok && budget >= 40 && len(body) > 0 && !strings.Contains(body, "```") && !strings.Contains(body, "~~~") {
			t.Errorf("nothing of %q fits into %d", body, budget)
		}
	})
}

func BenchmarkBestPassage(b *testing.B) {
	body := strings.Repeat(filler(20)+"The needle, and its thread.\n\n", 400)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		BestPassage(body, []string{"needle", "thread", "hay"}, 2000, nil)
	}
}
