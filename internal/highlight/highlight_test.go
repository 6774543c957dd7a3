package highlight

import (
	"html"
	"regexp"
	"strings"
	"testing"
)

// shown writes spans shortly: {k:if} is a keyword.
func shown(t testing.TB, code, language string) string {
	t.Helper()
	out, ok := HTML(code, language)
	if !ok {
		t.Fatalf("%s is not known", language)
	}
	out = regexp.MustCompile(`<span class="(.)">`).ReplaceAllString(out, "{$1:")
	return html.UnescapeString(strings.ReplaceAll(out, "</span>", "}"))
}

func TestColours(t *testing.T) {
	for _, tt := range []struct{ language, code, want string }{
		{"js", "const a = `x ${b}\n`; // no\nf('it\\'s', 1.5e3)", "{k:const} a = {s:`x ${b}\n`}; {c:// no}\n{n:f}({s:'it\\'s'}, {m:1.5e3})"},
		{"JavaScript", "a1 = 'open\nnext", "a1 = {s:'open}\nnext"},
		{"tsx", "let x: string = y as T", "{k:let} x: {k:string} = y {k:as} T"},
		{"rust", "fn f<'a>(c: &'a str) -> char { 'x' } /* é */", "{k:fn} f<{n:'a}>(c: &{n:'a} {k:str}) -> {k:char} { {s:'x'} } {c:/* é */}"},
		{"go", "func Ü(s string) { s = `a\nb` }", "{k:func} {n:Ü}(s {k:string}) { s = {s:`a\nb`} }"},
		{"python", "@wraps\ndef f():\n  \"\"\"Doc # no.\n  \"\"\"  # yes", "{n:@wraps}\n{k:def} {n:f}():\n  {s:\"\"\"Doc # no.\n  \"\"\"}  {c:# yes}"},
		{"css", "a:hover { margin-top: 1.5em; color: #fff } @media x {}", "{n:a}:hover { {n:margin-top}: {m:1.5em}; {n:color}: {n:#fff} } {k:@media} x {}"},
		{"json", `{"key" : "v", "n": -1, "t": true}`, `{{n:"key"} : {s:"v"}, {n:"n"}: -{m:1}, {n:"t"}: {k:true}}`},
		{"yaml", "a-b: c#d # e\n- \"k\": no", "{n:a-b}: c#d {c:# e}\n- {n:\"k\"}: {k:no}"},
		{"toml", "[a.b]\nc-d = \"x\" # y\n[[e]]\n", "{k:[a.b]\n}{n:c-d} = {s:\"x\"} {c:# y}\n{k:[[e]]\n}"},
		{"bash", "if [ -n \"$A\" ]; then echo $HOME; fi # x", "{k:if} [ -n {s:\"$A\"} ]; {k:then} {k:echo} {n:$HOME}; {k:fi} {c:# x}"},
		{"console", "$ cd x\nout: if\n# root", "{c:$ }{k:cd} x\nout: if\n{c:# root}"},
		{"diff", "--- a\n@@ 1 @@\n-x\n+y\n z", "{c:--- a\n}{k:@@ 1 @@\n}{d:-x\n}{i:+y\n} z"},
		{"sql", "SELECT 'it''s' FROM t -- x", "{k:SELECT} {s:'it''s'} {k:FROM} t {c:-- x}"},
		{"html", "<!-- c --><a href=\"x>y\" b=1 c>t &amp; u</a>", "{c:<!-- c -->}{k:<a} {n:href}={s:\"x>y\"} {n:b}={n:1} {n:c}{k:>}t {m:&amp;} u{k:</a>}"},
		{"vue", "<script setup>\nconst a = 1\n</script>\n<p>{{ a }}</p>", "{k:<script} {n:setup}{k:>}\n{k:const} a = {m:1}\n{k:</script>}\n{k:<p>}{{ a }}{k:</p>}"},
		{"html", "<STYLE>a{b:c}</b></Style><i>", "{k:<STYLE>}a{{n:b}:c}</b>{k:</Style><i>}"},
		{"go-html-template", "{{ range $i := .X }}{{/* c */}}<b>{{ end }}", "{{ {k:range} {n:$i} := .X }}{c:{{/* c */}}}{k:<b>}{{ {k:end} }}"},
		{"md", "# H\n\ntext\n```js\n# no\n```\n> q", "{k:# H\n}\ntext\n{c:```js\n}{s:# no\n}{c:```\n> q}"},
		{"c", "#include <a.h>\nint x = 0x1f;", "{k:#include} <a.h>\n{k:int} x = {m:0x1f};"},
		{"dockerfile", "FROM a AS b # c", "{k:FROM} a {k:AS} b {c:# c}"},
	} {
		if got := shown(t, tt.code, tt.language); got != tt.want {
			t.Errorf("%s: %q\n got %s\nwant %s", tt.language, tt.code, got, tt.want)
		}
	}
}

func TestWhatIsNotColoured(t *testing.T) {
	for language, code := range map[string]string{"": "a", "text": "a", "a b": "a", " ": "a", "js": strings.Repeat("a", MaxBytes+1)} {
		if _, ok := HTML(code, language); ok {
			t.Errorf("%q is coloured", language)
		}
	}
	if out, ok := HTML(strings.Repeat("a", MaxBytes), "js"); !ok || len(out) != MaxBytes {
		t.Error("the longest code is not coloured")
	}
}

// No name stands for two languages: the second could never be found.
func TestNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range languages {
		for _, n := range strings.Fields(g.names) {
			if seen[n] || n != strings.ToLower(n) {
				t.Errorf("%s stands twice, or in capitals", n)
			}
			seen[n] = true
		}
		for what, list := range map[string]string{"names": g.names, "keywords": g.keywords} {
			if list != "" && (!strings.HasPrefix(list, " ") || !strings.HasSuffix(list, " ")) {
				t.Errorf("%s: %s do not stand between spaces", g.names, what)
			}
		}
	}
}

var spans = regexp.MustCompile(`</?span(?: class="[cksmndi]")?>`)

// The text of the HTML is the code, whatever it is, in every language.
func FuzzHTML(f *testing.F) {
	for _, code := range []string{"", "<", "<a b='", "{{", "&#;", "'a", "\"\"\"", "/*", "$", "#", "@é", "\\", "'\\", "<script>\u0130</script>", "a\xff", "<!--", "`\n", "- - -\n"} {
		f.Add(code)
	}
	f.Fuzz(func(t *testing.T, code string) {
		for i := range languages {
			language := strings.Fields(languages[i].names)[0]
			out, ok := HTML(code, language)
			if !ok {
				if len(code) <= MaxBytes {
					t.Errorf("%s: not coloured", language)
				}
				continue
			}
			if plain := spans.ReplaceAllString(out, ""); strings.ContainsAny(plain, `<>"`) || html.UnescapeString(plain) != html.UnescapeString(html.EscapeString(code)) {
				t.Errorf("%s: %q became %q", language, code, out)
			}
		}
	})
}

func BenchmarkHTML(b *testing.B) {
	code := strings.Repeat("const a = `x`; // no\nif (f('s', 1)) { return }\n", 500)
	b.SetBytes(int64(len(code)))
	for b.Loop() {
		HTML(code, "js")
	}
}
