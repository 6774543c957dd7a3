package text

import (
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// TestBPE holds counts that a second implementation of o200k_base (js-tiktoken
// 1.0) gives for the same texts.
func TestBPE(t *testing.T) {
	count := NewBPE()
	for _, tt := range []struct {
		name, text string
		want       int
	}{
		{"empty", "", 0},
		{"words", "hello world", 2},
		{"two spaces", "hello  world", 3},
		{"rare word", "supercalifragilistic", 6},
		{"sentence", "We know what we are, but know not what we may be.", 14},
		{"contraction", "'RE", 2},
		{"Chinese words", "幻觉 引用", 4},
		{"mixed", "token 预算", 3},
		{"Chinese greeting", "你好，世界！", 4},
		{"Chinese sentence", "每个事实性断言都要标注条目编号。", 14},
		{"full width", "ｆｕｌｌ　ｗｉｄｔｈ", 18},
		{"Japanese", "日本語のテキスト", 6},
		{"Korean", "한국어 문장", 4},
		{"joined emoji", "👩‍👩‍👧‍👦", 11},
		{"beyond the BMP", "𠮷野家", 6},
		{"code", "useEffect(() => { return () => clearInterval(id); }, []);", 15},
		{"a special token's name is text", "<|endoftext|>", 7},
		{"white space", "    \n\n\t\tindent", 4},
		{"digits in threes", "1234567890", 4},
		{"one long word", strings.Repeat("a", 1000), 125},
		{"many spaces", strings.Repeat(" ", 500), 5},
		{"one character repeated", strings.Repeat("字", 500), 500},
		{"accents", "naïve café", 4},
		{"Markdown", "## Heading\n\n- item\n- item\n", 9},
	} {
		if got := count(tt.text); got != tt.want {
			t.Errorf("%s: got %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestBPEReadsInvalidBytesAsReplacement(t *testing.T) {
	count := NewBPE()
	if got, want := count("a\xffb"), count("a\uFFFDb"); got != want {
		t.Errorf("got %d, want %d", got, want)
	}
}

func TestBPEIsSafeForConcurrentUse(t *testing.T) {
	count := NewBPE()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if got := count("hello world"); got != 2 {
				t.Errorf("got %d, want 2", got)
			}
		})
	}
	wg.Wait()
}

func FuzzBPE(f *testing.F) {
	for _, s := range []string{"", "hello", "幻觉 引用", "a\xff", "\r\n \n", "'s'S'll", "ﷺ"} {
		f.Add(s)
	}
	count := NewBPE()
	f.Fuzz(func(t *testing.T, s string) {
		n := count(s)
		limit := len(s)
		if !utf8.ValidString(s) {
			limit *= 3 // a bad byte becomes the three of U+FFFD
		}
		if n < 0 || n > limit {
			t.Errorf("%d tokens for %d bytes", n, len(s))
		}
		if n == 0 && s != "" {
			t.Error("no tokens for a text")
		}
	})
}

func BenchmarkBPE(b *testing.B) {
	count := NewBPE()
	s := strings.Repeat("Raise the budget or narrow the topic. 提高预算，或者收窄主题。\n", 50)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		count(s)
	}
}
