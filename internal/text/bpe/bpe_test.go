package bpe

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

func counter(t testing.TB) func(string) int {
	t.Helper()
	e, err := O200k()
	if err != nil {
		t.Fatal(err)
	}
	return e.Count
}

// TestBPE holds counts that a second implementation of o200k_base (js-tiktoken
// 1.0) gives for the same texts.
func TestBPE(t *testing.T) {
	count := counter(t)
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

// Blank space, endings, marks and scripts in any order, as js-tiktoken 1.0 and
// gpt-tokenizer count them.
func TestBPEOfOddTexts(t *testing.T) {
	data, err := os.ReadFile("testdata/counts.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	count := counter(t)
	lines := bufio.NewScanner(bytes.NewReader(data))
	n := 0
	for ; lines.Scan(); n++ {
		var want struct {
			Text   string
			Tokens int
		}
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		if got := count(want.Text); got != want.Tokens {
			t.Errorf("%q: got %d, want %d", want.Text, got, want.Tokens)
		}
	}
	if n < 200 {
		t.Errorf("%d texts", n)
	}
}

// Every maximal beginning of a character is one replacement.
func TestInvalidBytes(t *testing.T) {
	for in, want := range map[string]string{
		"\xe4\xb8":         "\ufffd",
		"\xe4\xb8a":        "\ufffda",
		"\xf0\x9f\x98":     "\ufffd",
		"\xf0\x9f\x98中":    "\ufffd中",
		"\xff\xfe":         "\ufffd\ufffd",
		"\xc0\x80":         "\ufffd\ufffd",
		"\xed\xa0\x80":     "\ufffd\ufffd\ufffd", // a surrogate
		"\xe0\x80\x80":     "\ufffd\ufffd\ufffd", // too long a form
		"a\xc3":            "a\ufffd",
		"\xf4\x90\x80\x80": "\ufffd\ufffd\ufffd\ufffd",
	} {
		if got := replaceInvalid(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestDamagedVocabulary(t *testing.T) {
	for name, packed := range map[string][]byte{"empty": nil, "no gzip": []byte("x"), "cut": o200k[:len(o200k)/2]} {
		if _, err := readVocabulary(packed); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestBPEReadsInvalidBytesAsReplacement(t *testing.T) {
	count := counter(t)
	if got, want := count("a\xffb"), count("a\uFFFDb"); got != want {
		t.Errorf("got %d, want %d", got, want)
	}
}

func TestBPEIsSafeForConcurrentUse(t *testing.T) {
	count := counter(t)
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
	count := counter(f)
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
	count := counter(b)
	s := strings.Repeat("Raise the budget or narrow the topic. 提高预算，或者收窄主题。\n", 50)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		count(s)
	}
}
