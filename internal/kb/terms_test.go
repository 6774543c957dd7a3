package kb

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTerms(t *testing.T) {
	for _, tt := range []struct {
		name, topic string
		want        []string
	}{
		{"empty", "", nil},
		{"words", "Rotate signing KEYS", []string{"rotate", "signing", "keys"}},
		{"single characters are no words", "a b 1 x2", []string{"x2"}},
		{"stop words", "what is the budget", []string{"budget"}},
		{"only stop words", "the of 什么", nil},
		{"duplicates keep the first place", "go budget Budget go", []string{"go", "budget"}},
		{"punctuation inside", "/api/context foo_bar a.b-c", []string{"api/context", "foo_bar", "a.b-c"}},
		{"trailing punctuation", "budget. docs/ end- x_ y.", []string{"budget", "docs", "end"}},
		{"a word of punctuation", "-- ./ __", nil},
		{"Chinese pairs", "幻觉引用", []string{"幻觉", "觉引", "引用"}},
		{"runs are not joined", "幻觉 引用", []string{"幻觉", "引用"}},
		{"one character", "栈", []string{"栈"}},
		{"one character that is a stop word", "的", nil},
		{"a stop word within a pair stays", "我的书", []string{"我的", "的书"}},
		{"a pair that is a stop word goes", "可以用", []string{"以用"}},
		{"mixed without a space", "API接口v2版", []string{"api", "接口", "v2", "版"}},
		{"beyond the BMP is not paired", "𠮷野家", []string{"野家"}},
		{"kana is not paired", "インデックス 索引", []string{"索引"}},
		{"only A to Z are lower-cased", "ÄPFEL İSTANBUL", []string{"pfel", "stanbul"}},
		{"edges of the paired range", "\u33FF\u3400\u9FFF\uA000", []string{"\u3400\u9FFF"}},
		{"full width is left alone", "ＡＰＩ", nil},
		{"broken UTF-8", "ab\xff引\xe5用", []string{"ab", "引", "用"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Terms(tt.topic)); diff != "" {
				t.Errorf("terms of %q (-want +got):\n%s", tt.topic, diff)
			}
		})
	}
}

func TestTermsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range maxTopicTerms - 1 {
		b.WriteString("w" + strconv.Itoa(i) + "x ")
	}
	if got := len(Terms(b.String())); got != maxTopicTerms-1 {
		t.Errorf("below the bound: %d terms", got)
	}
	if got := len(Terms(b.String() + "last")); got != maxTopicTerms {
		t.Errorf("at the bound: %d terms", got)
	}
	if got := len(Terms(b.String() + "一二三四五六")); got != maxTopicTerms {
		t.Errorf("above the bound, within one run: %d terms", got)
	}
}

func FuzzTerms(f *testing.F) {
	for _, s := range []string{"", "token 预算", "a.b-c/", "的", "API接口", "𠮷野家", "\xff引"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, topic string) {
		terms := Terms(topic)
		lowered := lower(topic)
		for i, term := range terms {
			if !strings.Contains(lowered, term) {
				t.Errorf("%q is not in %q", term, topic)
			}
			if slices.Contains(terms[:i], term) {
				t.Errorf("%q stands twice", term)
			}
			if _, stop := stopList[term]; stop {
				t.Errorf("%q is a stop word", term)
			}
		}
		if diff := cmp.Diff(terms, Terms(strings.Join(terms, " "))); diff != "" {
			t.Errorf("terms of the terms differ (-want +got):\n%s", diff)
		}
	})
}
