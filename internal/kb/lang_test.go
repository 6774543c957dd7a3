package kb

import (
	"testing"

	"evergreen"
)

func TestLang(t *testing.T) {
	for _, tt := range []struct {
		name, asked, topic, accept, want string
	}{
		{"asked wins", "en", "幻觉 引用", "zh", "en"},
		{"asked wins over English", "zh", "token budget", "en", "zh"},
		{"Chinese topic", "auto", "幻觉 引用", "en", "zh"},
		{"nothing said", "", "", "", "en"},
		{"more characters than words", "", "token 预算", "", "zh"},
		{"as many is not more", "", "token 栈", "", "en"},
		{"as many: the header decides", "", "token 栈", "zh-CN", "zh"},
		{"glued", "", "API接口", "", "zh"},
		{"a word with digits and an apostrophe is one", "", "don't h2o2 栈层级", "", "zh"},
		{"accents belong to words", "", "cafe\u0301 naïve 栈层", "", "en"},
		{"beyond the BMP is Chinese", "", "𠮷", "", "zh"},
		{"Hangul is not Chinese", "", "설치 방법", "", "en"},
		{"header by weight", "auto", "", "en;q=0.5, zh-TW;q=0.9", "zh"},
		{"first when level", "auto", "", "zh, en", "zh"},
		{"first when level, English", "auto", "", "en-GB,zh;q=1", "en"},
		{"zero excludes", "auto", "", "zh;q=0", "en"},
		{"neither named", "auto", "", "fr, *;q=0.5", "en"},
		{"a bad weight is one", "auto", "", "en;q=0.9, ZH;q=x", "zh"},
		{"above one is one", "auto", "", "en, zh;q=7", "en"},
		{"not a number is one", "auto", "", "en;q=0.9, zh;q=NaN", "zh"},
		{"other parameters", "auto", "", "en;level=1;q=0.1, zh; q = 0.2", "zh"},
		{"prefix is not enough", "auto", "", "zhx, eng", "en"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Lang(tt.asked, tt.topic, tt.accept)
			if err != nil || got != tt.want {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

func TestLangUnknown(t *testing.T) {
	_, err := Lang("fr", "", "")
	if evergreen.KindOf(err) != evergreen.Invalid || len(evergreen.Hints(err)) == 0 {
		t.Errorf("got %v with hints %q", err, evergreen.Hints(err))
	}
}
