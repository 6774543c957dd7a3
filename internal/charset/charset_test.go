package charset

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
)

const (
	chinese = "这是一个简短的页面，说明如何安装软件并配置服务器。"
	taiwan  = "這是一個簡短的頁面，說明如何安裝軟體並設定伺服器。"
	nihongo = "これは短いページです。ソフトウェアのインストール方法を説明します。"
	korean  = "이것은 짧은 페이지입니다. 소프트웨어 설치 방법을 설명합니다."
	russian = "Эта короткая страница рассказывает, как установить программу."
	german  = "Die Größe der Datei überschreitet das Limit für dieses Gerät."
)

// in encodes text in the encoding of a WHATWG label.
func in(t testing.TB, label, text string) string {
	t.Helper()
	enc, err := htmlindex.Get(label)
	if err != nil {
		t.Fatalf("label %q: %v", label, err)
	}
	out, err := enc.NewEncoder().String(text)
	if err != nil {
		t.Fatalf("encode %q in %s: %v", text, label, err)
	}
	return out
}

func page(meta, body string) string {
	return "<!doctype html><html><head><title>T</title>" + meta + "</head><body><p>" + body + "</p></body></html>"
}

func TestDecode(t *testing.T) {
	gbkMeta := `<meta http-equiv="Content-Type" content="text/html; charset=gb2312">`
	farMeta := "<style>" + strings.Repeat("a{b:c}", 2000) + "</style><meta charset='shift_jis'>"
	tests := []struct {
		name, header string
		html         bool
		data         string
		want, label  string
		warning      string // a part of it; "" means none
	}{
		{"empty", "", false, "", "", "utf-8", ""},
		{"ascii with a legacy label", "text/html; charset=gbk", true, "plain", "plain", "utf-8", ""},
		{"utf-8", "", false, chinese, chinese, "utf-8", ""},
		{"CRLF stays", "text/plain; charset=utf-8", false, "a\r\né\r\n", "a\r\né\r\n", "utf-8", ""},
		{"BOM stays and beats the header", "text/html; charset=windows-1252", true, "\xEF\xBB\xBFé", "\xEF\xBB\xBFé", "utf-8", ""},
		{"BOM and broken bytes", "", false, "\xEF\xBB\xBFé\xFF", "\xEF\xBB\xBFé\uFFFD", "utf-8", "invalid utf-8 replaced by U+FFFD (1)"},
		{"a replacement character of the author's own", "", false, "\xEF\xBB\xBF\uFFFD", "\xEF\xBB\xBF\uFFFD", "utf-8", ""},
		{"utf-16le BOM", "", false, "\xFF\xFEa\x00\xE9\x00", "aé", "utf-16le", ""},
		{"utf-16be BOM", "", false, "\xFE\xFF\x00a\x00\xE9", "aé", "utf-16be", ""},
		{"utf-16le surrogates", "", false, "\xFF\xFE\x3D\xD8\x00\xDE", "😀", "utf-16le", ""},
		{"utf-16le odd length", "", false, "\xFF\xFEa\x00b", "a\uFFFD", "utf-16le", "U+FFFD (1)"},
		{"utf-32le BOM", "", false, "\xFF\xFE\x00\x00a\x00\x00\x00", "a", "utf-32le", ""},
		{"utf-32be BOM", "", false, "\x00\x00\xFE\xFF\x00\x00\x00a", "a", "utf-32be", ""},
		{"utf-16 by header", "text/plain; charset=utf-16le", false, "a\x00b\x00", "ab", "utf-16le", ""},
		{"utf-16 label on ascii", "text/plain; charset=utf-16", false, "abcd", "abcd", "utf-8", ""},

		{"gb2312 in the header only", "text/html; charset=GB2312", true, page("", in(t, "gbk", chinese)), page("", chinese), "gbk", ""},
		{"quoted label", `text/html; charset="gbk"`, true, in(t, "gbk", chinese), chinese, "gbk", ""},
		{"four-byte characters under gbk", "text/html; charset=gbk", true, in(t, "gb18030", chinese+"😀"), chinese + "😀", "gbk", ""},
		{"shift_jis in a far meta only", "text/html", true, page(farMeta, in(t, "shift_jis", nihongo)), page(farMeta, nihongo), "shift_jis", ""},
		{"meta http-equiv", "", true, page(gbkMeta, in(t, "gbk", chinese)), page(gbkMeta, chinese), "gbk", ""},
		{"meta is not read in Markdown", "", false, page(gbkMeta, chinese), page(gbkMeta, chinese), "utf-8", ""},
		{"windows-1251 without a label", "", true, page("", in(t, "windows-1251", russian)), page("", russian), "windows-1251", "guessed as windows-1251"},
		{"koi8-r without a label", "", false, in(t, "koi8-r", russian), russian, "koi8-r", "guessed"},
		{"gbk without a label", "", false, in(t, "gbk", chinese), chinese, "gb18030", "guessed"},
		{"big5 without a label", "", false, in(t, "big5", taiwan), taiwan, "big5", "guessed"},
		{"euc-kr without a label", "", false, in(t, "euc-kr", korean), korean, "euc-kr", "guessed"},
		{"euc-jp without a label", "", false, in(t, "euc-jp", nihongo), nihongo, "euc-jp", "guessed"},
		{"iso-2022-jp without a label", "", false, in(t, "iso-2022-jp", nihongo), nihongo, "iso-2022-jp", ""},
		{"latin without a label", "", false, in(t, "windows-1252", german), german, "windows-1252", "guessed as windows-1252"},
		{"one accent without a label", "", false, "caf\xE9", "café", "windows-1252", "guessed as windows-1252"},
		{"xml prolog", "", true, `<?xml version="1.0" encoding='koi8-r'?>` + in(t, "koi8-r", russian), `<?xml version="1.0" encoding='koi8-r'?>` + russian, "koi8-r", ""},

		{"header gbk, meta utf-8, bytes gbk", "text/html; charset=gbk", true, page(`<meta charset="utf-8">`, in(t, "gbk", chinese)), page(`<meta charset="utf-8">`, chinese), "gbk", "disagrees"},
		{"header utf-8, meta gb2312, bytes utf-8", "text/html; charset=utf-8", true, page(gbkMeta, chinese), page(gbkMeta, chinese), "utf-8", "contradict"},
		{"server default latin, meta and bytes gb2312", "text/html; charset=iso-8859-1", true, page(gbkMeta, in(t, "gbk", chinese)), page(gbkMeta, chinese), "gbk", "disagrees"},
		{"server default latin, bytes utf-8", "text/html; charset=iso-8859-1", true, "é", "é", "utf-8", "contradict"},
		{"label utf-8, bytes windows-1251", "text/html; charset=utf-8", true, in(t, "windows-1251", russian), russian, "windows-1251", "contradict"},
		{"two gbk characters that are utf-8 by chance", "text/html; charset=gbk", true, "\xC3\xA9\xC3\xA8", "茅猫", "gbk", ""},
		{"three of them are utf-8", "text/html; charset=gbk", true, "\xC3\xA9\xC3\xA8\xC3\xAA", "éèê", "utf-8", "contradict"},
		{"unknown label", "text/html; charset=foo-8", true, chinese, chinese, "utf-8", `"foo-8" named by the header is unknown`},
		{"replacement encoding is unknown", "text/html; charset=iso-2022-kr", true, "a", "a", "utf-8", "unknown"},
		{"meta utf-16 means utf-8", "", true, page(`<meta charset="utf-16">`, chinese), page(`<meta charset="utf-16">`, chinese), "utf-8", ""},

		{"damaged utf-8", "", false, "né en été à Genève\xFF", "né en été à Genève\uFFFD", "utf-8", "invalid utf-8 replaced by U+FFFD (1)"},
		{"cut rune at the end", "", false, chinese + "\xE4\xBD", chinese + "\uFFFD\uFFFD", "utf-8", "invalid utf-8"},
		{"bytes of no charset", "", false, "a\xFF\x81\x80\x00b", "a\uFFFD\uFFFD\uFFFD\x00b", "utf-8", "no known charset"},
		{"one broken character under a good label", "text/html; charset=shift_jis", true, in(t, "shift_jis", strings.Repeat(nihongo, 3)) + "\xFF", strings.Repeat(nihongo, 3) + "\uFFFD", "shift_jis", "invalid shift_jis replaced by U+FFFD (1)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, label, warning := Decode([]byte(tt.data), tt.header, tt.html)
			if string(text) != tt.want || label != tt.label {
				t.Errorf("got %s: %q\nwant %s: %q", label, text, tt.label, tt.want)
			}
			if (tt.warning == "") != (warning == "") || !strings.Contains(warning, tt.warning) {
				t.Errorf("warning %q, want %q", warning, tt.warning)
			}
		})
	}
}

func TestHeaderLabel(t *testing.T) {
	tests := []struct{ header, want string }{
		{"", ""},
		{"text/html", ""},
		{"text/html; charset=utf-8", "utf-8"},
		{"text/html;charset = 'Big5' ; x=y", "Big5"},
		{`text/html; CHARSET="euc-kr"`, "euc-kr"},
		{"text/html; charset=", ""},
		{"text/html; charset", ""},
		{"text/html; charset utf-8; charset=gbk", "gbk"},
		{"charset=utf-8, text/html", "utf-8"},
		{"x/html; \xb7\xb7\xb7\xb7\xb7\xb7; Charset=gbk", "gbk"},
		{"İ\xff; charset", ""},
	}
	for _, tt := range tests {
		if got := headerLabel(tt.header); got != tt.want {
			t.Errorf("headerLabel(%q) = %q, want %q", tt.header, got, tt.want)
		}
	}
}

func TestMetaLabelStaysInTheHead(t *testing.T) {
	within := strings.Repeat("<link>", (maxHead-100)/6) + `<meta charset=gbk>`
	beyond := strings.Repeat("<link>", maxHead/6) + `<meta charset=gbk>`
	tests := []struct{ name, page, want string }{
		{"in the body", `<head></head><body><meta charset=gbk>`, ""},
		{"after the head", `<head></head><meta charset=gbk>`, ""},
		{"in a script", `<head><script>"<meta charset=gbk>"</script>`, ""},
		{"in a comment", `<!-- <meta charset=gbk> -->`, ""},
		{"the first counts", `<meta charset=big5><meta charset=gbk>`, "big5"},
		{"not a content type", `<meta http-equiv=refresh content="0;charset=gbk">`, ""},
		{"within the bound", within, "gbk"},
		{"beyond the bound", beyond, ""},
	}
	for _, tt := range tests {
		if got := metaLabel([]byte(tt.page)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestPrologLabel(t *testing.T) {
	long := `<?xml version="1.0"` + strings.Repeat(" ", maxProlog) + `encoding="gbk"?>`
	tests := []struct{ doc, want string }{
		{`<?xml version="1.0" encoding = "gbk"?>`, "gbk"},
		{`<?xml version="1.0"?>`, ""},
		{`<?xml encoding=gbk?>`, ""},
		{` <?xml encoding="gbk"?>`, ""},
		{`<?xml encoding="gbk"`, ""},
		{long, ""},
	}
	for _, tt := range tests {
		if got := prologLabel([]byte(tt.doc)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.doc, got, tt.want)
		}
	}
}

func TestSampleIsBounded(t *testing.T) {
	data := []byte(strings.Repeat("ascii line\n"+"<b title=x>\xE9t\xE9</b>\n", maxSample))
	got := sample(data)
	if len(got) != maxSample || bytes.Contains(got, []byte("ascii")) || bytes.Contains(got, []byte("title")) {
		t.Errorf("sample of %d bytes begins %q", len(got), got[:20])
	}
}

func TestHasWideBOM(t *testing.T) {
	for data, want := range map[string]bool{"\xFF\xFEa\x00": true, "\xFE\xFF": true, "\xEF\xBB\xBF": false, "": false} {
		if HasWideBOM([]byte(data)) != want {
			t.Errorf("HasWideBOM(%q) = %v", data, !want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("caf\xE9"), "text/html; charset=utf-8", true)
	f.Add([]byte("\xFF\xFEa\x00"), "", false)
	f.Add([]byte("中文 \xff"), "", false)
	f.Add([]byte("\x1b$B%3"), "x; charset=iso-2022-jp", false)
	f.Add([]byte(page("<meta charset=gbk>", "\xD6\xD0")), "", true)
	f.Fuzz(func(t *testing.T, data []byte, header string, html bool) {
		text, label, warning := Decode(data, header, html)
		if !utf8.Valid(text) {
			t.Fatalf("not UTF-8: %q", text)
		}
		again, label2, warning2 := Decode(data, header, html)
		if !bytes.Equal(text, again) || label != label2 || warning != warning2 {
			t.Fatalf("two runs differ: %q %q, %q %q", label, label2, warning, warning2)
		}
		if label == utf8Label && utf8.Valid(data) && !bytes.Equal(text, data) {
			t.Fatal("valid UTF-8 was changed")
		}
	})
}

func BenchmarkDecodeUTF8(b *testing.B) {
	data := []byte(strings.Repeat("some words and é "+chinese+"\n", 1000))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		Decode(data, "", false)
	}
}
