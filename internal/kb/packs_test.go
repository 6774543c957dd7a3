package kb

import (
	"slices"
	"strings"
	"testing"

	"evergreen"
	"evergreen/internal/text"
)

var languages = []string{evergreen.LangEnglish, evergreen.LangChinese}

// A pack is paid for at the start of every conversation.
const packTokens = 700

func TestPack(t *testing.T) {
	seen := map[string]string{}
	for _, lang := range languages {
		for _, s := range Scenarios(lang) {
			name := s.Name + "." + lang
			pack, err := Pack(s.Name, lang)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, must := range append(Rules(lang), "[ID]", "0.80", "12", "truncated", "budget") {
				if !strings.Contains(pack, must) {
					t.Errorf("%s lacks %q", name, must)
				}
			}
			if !ordered(pack, "`get_prompt_pack`", "`search_context`", "`get_entry`") {
				t.Errorf("%s does not give the order of calls", name)
			}
			if n := text.Tokens(pack); n > packTokens {
				t.Errorf("%s costs %d tokens, more than %d", name, n, packTokens)
			}
			if strings.Contains(pack, "{{") || !strings.HasSuffix(pack, "\n") || strings.HasSuffix(pack, "\n\n") {
				t.Errorf("%s is not whole: %q", name, pack)
			}
			if chinese, latin := countScripts(pack); (chinese > latin) != (lang == evergreen.LangChinese) {
				t.Errorf("%s is in the other language", name)
			}
			if other, dup := seen[pack]; dup {
				t.Errorf("%s equals %s", name, other)
			}
			seen[pack] = name
		}
	}
	if len(seen) != 8 {
		t.Errorf("%d packs, want 8", len(seen))
	}
}

func ordered(s string, parts ...string) bool {
	for _, p := range parts {
		_, rest, ok := strings.Cut(s, p)
		if !ok {
			return false
		}
		s = rest
	}
	return true
}

func TestPackDefaults(t *testing.T) {
	chat, err := Pack("chat", evergreen.LangEnglish)
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range []string{evergreen.LangEnglish, "", "fr"} {
		if got, err := Pack("", lang); err != nil || got != chat {
			t.Errorf("no scenario, language %q: %v", lang, err)
		}
	}
}

func TestPackUnknown(t *testing.T) {
	for _, scenario := range []string{"chta", "order", "CHAT", "../packs/chat", "chat.en"} {
		_, err := Pack(scenario, evergreen.LangEnglish)
		if evergreen.KindOf(err) != evergreen.Invalid {
			t.Errorf("%q: %v", scenario, err)
			continue
		}
		hints := strings.Join(evergreen.Hints(err), "\n")
		for _, name := range []string{"chat", "coding", "research", "support"} {
			if !strings.Contains(hints, name) {
				t.Errorf("%q: hints %q do not name %s", scenario, hints, name)
			}
		}
	}
}

func TestRules(t *testing.T) {
	for _, lang := range languages {
		rules := Rules(lang)
		if len(rules) != 5 || !strings.Contains(rules[0], "[ID]") {
			t.Errorf("%s: %q", lang, rules)
		}
		rules[0] = ""
		if slices.Contains(Rules(lang), "") {
			t.Errorf("%s: the rules are shared", lang)
		}
	}
}
